/**
 * The session log: line 1 a header, every other line an entry (SES-1, SES-2). Everything durable about a conversation
 * is an entry; unknown types are kept and carried along untouched.
 */
import type { FileChangeSummary } from './changes.ts';
import type { Decision, ImageContent, StoredMessage, TextContent, Usage } from './messages.ts';
import type { Request, Response } from './requests.ts';
import type { StagedEdit, StagedOutcome } from './staged.ts';

/** The version of the session format that this program writes. */
export const SESSION_VERSION = 3;

export interface SessionHeader {
  type: 'session';
  version: number;
  id: string;
  /** ISO 8601. */
  timestamp: string;
  cwd: string;
  parentSession?: string;
  title?: string;
}

export interface EntryBase {
  type: string;
  /** 8 characters, unique in the file. */
  id: string;
  /** Null at a root. */
  parentId: string | null;
  /** ISO 8601. */
  timestamp: string;
}

export interface MessageEntry extends EntryBase {
  type: 'message';
  message: StoredMessage;
}
export interface ThinkingLevelChangeEntry extends EntryBase {
  type: 'thinking_level_change';
  thinkingLevel: string;
}
export interface ModelChangeEntry extends EntryBase {
  type: 'model_change';
  provider: string;
  modelId: string;
  /** A person named it, so that nothing takes its place; absent where it was the default. */
  chosen?: boolean;
  /** The mode wants it; it holds no longer than the mode. */
  ofMode?: boolean;
}
export interface ModeChangeEntry extends EntryBase {
  type: 'mode_change';
  mode: string;
  data?: unknown;
}
export interface CompactionEntry extends EntryBase {
  type: 'compaction';
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  /** `CompactionDetails` where this program wrote it. */
  details?: unknown;
  fromExtension?: boolean;
  /** What the summary has cost, and whose model wrote it; absent where it cost nothing. */
  usage?: Usage;
  provider?: string;
  model?: string;
}

/** Why a conversation is condensed: asked for, near the model's limit, or the provider said that it is over. */
export type CompactionReason = 'manual' | 'threshold' | 'overflow';

/** What is carried along with a summary, cumulative over all compactions of the path (SES-17). */
export interface CompactionDetails {
  readFiles: string[];
  modifiedFiles: string[];
  reason: CompactionReason;
  /** `mechanical`: made without a model. */
  by: 'model' | 'mechanical' | 'extension';
}
export interface BranchSummaryEntry extends EntryBase {
  type: 'branch_summary';
  /** The entry the summarised branch hung from, or `"root"`. */
  fromId: string;
  summary: string;
  details?: unknown;
  fromExtension?: boolean;
}
/** Never sent to the model. */
export interface CustomEntry extends EntryBase {
  type: 'custom';
  customType: string;
  data?: unknown;
}
/** Sent to the model as user-role content. */
export interface CustomMessageEntry extends EntryBase {
  type: 'custom_message';
  customType: string;
  content: string | (TextContent | ImageContent)[];
  display: boolean;
  details?: unknown;
}
export interface LabelEntry extends EntryBase {
  type: 'label';
  targetId: string;
  /** Absent or empty: the label is removed. */
  label?: string;
}
export interface TtsrInjectionEntry extends EntryBase {
  type: 'ttsr_injection';
  injectedRules: string[];
}
export interface SessionInfoEntry extends EntryBase {
  type: 'session_info';
  name?: string;
}

/** The entries whose meaning this program knows. */
export type KnownEntry =
  | MessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | ModeChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | TtsrInjectionEntry
  | SessionInfoEntry;

/** Any line after the header; a type we do not know is still an entry of the tree. */
export type Entry = KnownEntry | (EntryBase & Record<string, unknown>);

/** An entry before the log gives it its place: no id, parent or time yet. */
export type NewEntry = KnownEntry extends infer E
  ? E extends EntryBase
    ? Omit<E, 'id' | 'parentId' | 'timestamp'>
    : never
  : never;

/** The `data` of each `custom` entry that this program writes, by customType. */
export interface CustomData {
  /** Write-ahead: on disk before a tool with side effects runs. */
  tool_start: { callId: string; name: string; args: Record<string, unknown>; decision: Decision };
  /** A task began: the model is about to be asked. `messageId` is the user message's entry id. */
  task_start: {
    messageId: string;
    mode: string;
    model: string;
    maxIterations: number;
    /** It is planned first: nothing changes before a person has approved the plan. */
    planning?: boolean;
    maxCost?: number;
    maxTokens?: number;
    maxTimeMs?: number;
  };
  /** A task ended, and how. */
  task_end: TaskEnd;
  request: Request;
  response: Response;
  /** Tool results that `ContextManager.fit` cut: entry id to the text sent in their place. */
  cut: { cuts: { entryId: string; text: string }[] };
  /** A compaction that did not come about, so that it is not tried without end. */
  compaction_failed: { reason: CompactionReason; code: string; message: string };
  /** The leaf moved here without a summary. */
  leaf: Record<string, never>;
  /** The standing rules of the system prompt as the first request had them, and the files they came from. */
  rules: { text: string; files: { path: string; version: string }[] };
  /** What a person approved, as it was on disk at that moment; logged before the answer that approves it. */
  approved_plan: ApprovedPlan;
  /** Files were changed, and how to take that back is stored. `files`: their paths; `changes`: what happened to each. */
  checkpoint: {
    checkpointId: string;
    messageId: string;
    callId?: string;
    files: string[];
    changes: FileChangeSummary[];
  };
  /** A rewrite is prepared; nothing is written yet. */
  staged_edit: StagedEdit;
  /** A staged rewrite is over. */
  staged_edit_settled: { id: string; outcome: StagedOutcome };
}

export interface ApprovedPlan {
  requestId: string;
  implementationPlan: string;
  taskList: string;
  /** The artifacts that a person changed after the model had written them. */
  edited: string[];
  /** The task goes on with a plan that was approved in a task before, which was cut off. */
  carried?: boolean;
}

export interface TaskEnd {
  outcome: TaskOutcome;
  /** The final answer, or what went wrong. */
  message: string;
  /** The error's code where the outcome is a failure or a stop. */
  code?: string;
  /** What the person can do about it. */
  next?: string;
}

export type TaskOutcome = 'completed' | 'failed' | 'cancelled' | 'limit' | 'budget' | 'needs_approval';

/** A `custom` entry with typed data, or undefined when the entry is something else. */
export function customData<T extends keyof CustomData>(entry: Entry, customType: T): CustomData[T] | undefined {
  if (entry.type !== 'custom') return undefined;
  const custom = entry as CustomEntry;
  return custom.customType === customType && typeof custom.data === 'object' && custom.data !== null
    ? (custom.data as CustomData[T])
    : undefined;
}

/** Whether a summary came from an extension; the pi family calls the field `fromHook`. */
export function isFromExtension(entry: CompactionEntry | BranchSummaryEntry): boolean {
  return entry.fromExtension === true || (entry as { fromHook?: unknown }).fromHook === true;
}

/** Whether a parsed line is an entry: it has a string `type` and `id`, and a parent that is null or a string. */
export function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const line = value as Record<string, unknown>;
  return (
    typeof line.type === 'string' &&
    line.type !== 'session' &&
    typeof line.id === 'string' &&
    (line.parentId === null || typeof line.parentId === 'string')
  );
}

/** Whether a parsed line is a session header, of whatever version. */
export function isHeader(value: unknown): value is Omit<SessionHeader, 'version'> & { version?: number } {
  if (typeof value !== 'object' || value === null) return false;
  const line = value as Record<string, unknown>;
  return line.type === 'session' && typeof line.id === 'string';
}
