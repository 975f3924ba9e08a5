import {
  type CompactionEntry,
  customData,
  type Entry,
  isRecord,
  type MessageEntry,
  textOf,
  type UserMessage,
  userContent,
} from '@black-ide/protocol';
import { assistantOf, callsOf } from '../../loop/task-state.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { PlacedMessage } from '../context-manager.ts';
import type { TokenMeter } from '../tokens.ts';
import { type FileLists, fileListsOf } from './file-lists.ts';

/** What a compaction would do: the older part is replaced by a summary, the newer part stays word for word. */
export interface CompactionPlan {
  /** Oldest first; without the summary of an earlier compaction. */
  replaced: PlacedMessage[];
  kept: PlacedMessage[];
  firstKeptEntryId: string;
  /** The summary that the new one takes up. */
  previousSummary: string | undefined;
  /** The person's newest request where it is not in the part that is kept: a summary must not blur it. */
  request: string | undefined;
  /** Of everything that is replaced and of earlier compactions. */
  files: FileLists;
  /** Estimates. */
  tokensBefore: number;
  /** Of what the new summary stands for, an earlier summary included. */
  tokensReplaced: number;
}

/** Where a conversation may be cut: before any turn of the model, or before messages of the person only. */
export type Borders = 'any' | 'user';

/**
 * Plans the compaction of a path: about so many tokens of the newest part are kept, the cut is at a turn's border and
 * never between a call and its result (SES-17). Undefined where there is nothing to replace.
 */
export function planCompaction(
  path: readonly Entry[],
  keepTokens: number,
  meter: TokenMeter,
  borders: Borders = 'any',
): CompactionPlan | undefined {
  const { placed } = conversationOf(path);
  const previous = path.findLast((entry) => entry.type === 'compaction') as CompactionEntry | undefined;
  const sizes = placed.map(({ message }) => meter.of(message));
  const cut = cutBefore(placed, sizes, keepTokens, bordersOf(path, placed, borders));
  if (cut === undefined) return undefined;
  const old = placed.slice(0, cut);
  const replaced = previous ? old.filter(({ entryId }) => entryId !== previous.id) : old;
  if (replaced.length === 0) return undefined;
  const summary: unknown = previous?.summary;
  const kept = placed.slice(cut);
  const since = new Set(replaced.map(({ entryId }) => entryId));
  return {
    replaced,
    kept,
    request: requestOf(path, kept),
    firstKeptEntryId: placed[cut]!.entryId!,
    previousSummary: typeof summary === 'string' && summary !== '' ? summary : undefined,
    files: fileListsOf(
      path.filter((entry) => since.has(entry.id)),
      previous && isRecord(previous.details) ? previous.details : undefined,
    ),
    tokensBefore: sum(sizes),
    tokensReplaced: sum(sizes.slice(0, cut)),
  };
}

function requestOf(path: readonly Entry[], kept: readonly PlacedMessage[]): string | undefined {
  const newest = path.findLast(isFromPerson) as MessageEntry | undefined;
  if (!newest || kept.some(({ entryId }) => entryId === newest.id)) return undefined;
  return textOf(userContent((newest.message as UserMessage).content)).trim() || undefined;
}

/**
 * The first border in the part that is to be kept; where that part has none, because a single turn is larger, the
 * newest one before it.
 */
function cutBefore(
  placed: readonly PlacedMessage[],
  sizes: readonly number[],
  keepTokens: number,
  borders: ReadonlySet<number>,
): number | undefined {
  let start = placed.length;
  for (let kept = 0; start > 0 && kept + sizes[start - 1]! <= keepTokens; start--) kept += sizes[start - 1]!;
  for (let i = start; i < placed.length; i++) if (i > 0 && borders.has(i)) return i;
  for (let i = Math.min(start, placed.length) - 1; i > 0; i--) if (borders.has(i)) return i;
  return undefined;
}

/** The messages before which the path may be cut: none where a call before it has its result after it. */
function bordersOf(path: readonly Entry[], placed: readonly PlacedMessage[], borders: Borders): Set<number> {
  const closed = closedPlaces(path);
  const found = new Set<number>();
  for (const [i, { entryId, message }] of placed.entries()) {
    if (entryId === undefined || !closed.has(entryId)) continue;
    if (message.role === 'user' || (borders === 'any' && message.role === 'assistant')) found.add(i);
  }
  return found;
}

/** The entries before which no call is open. */
function closedPlaces(path: readonly Entry[]): Set<string> {
  const resultAt = new Map<string, number>();
  for (const [i, entry] of path.entries()) {
    const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
    if (message?.role === 'toolResult') resultAt.set(message.toolCallId, i);
  }
  const newest = path.findLastIndex((entry) => assistantOf(entry));
  const closed = new Set<string>();
  let openUntil = -1;
  for (const [i, entry] of path.entries()) {
    if (i > openUntil) closed.add(entry.id);
    for (const { id } of callsOf(entry)) {
      // A call of the newest answer may still be run; an older one without a result never will be.
      openUntil = Math.max(openUntil, resultAt.get(id) ?? (i === newest ? Number.POSITIVE_INFINITY : -1));
    }
  }
  return closed;
}

/** So many automatic compactions without a successful turn are the end (field notes, 31). */
export const MAX_IN_A_ROW = 2;

/** Automatic compactions since the model last answered, those that failed included. */
export function compactionsInARow(path: readonly Entry[]): number {
  let count = 0;
  for (const entry of path.toReversed()) {
    const answer = assistantOf(entry);
    if (answer && answer.stopReason !== 'error' && answer.stopReason !== 'aborted') break;
    if (entry.type === 'compaction' && reasonOf(entry as CompactionEntry) !== 'manual') count += 1;
    if (customData(entry, 'compaction_failed')) count += 1;
  }
  return count;
}

function reasonOf({ details }: CompactionEntry): unknown {
  return isRecord(details) ? details.reason : undefined;
}

/** Failed automatic compactions since the last one that came about, or since the person last said something. */
export function failuresInARow(path: readonly Entry[]): number {
  let count = 0;
  for (const entry of path.toReversed()) {
    if (entry.type === 'compaction' || isFromPerson(entry)) break;
    const failed = customData(entry, 'compaction_failed');
    if (failed && failed.reason !== 'manual') count += 1;
  }
  return count;
}

function isFromPerson(entry: Entry): boolean {
  const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
  return message?.role === 'user';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
