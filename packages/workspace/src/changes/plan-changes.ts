import { accessSync, type BigIntStats, constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { versionOf } from '../documents/document.ts';
import { ioError, notAFile } from '../documents/io-errors.ts';
import { pathMoved, readRegularFile } from '../documents/read-regular-file.ts';
import type { PathGuard } from '../paths/path-guard.ts';
import type { ResolvedPath } from '../paths/resolved-path.ts';
import { decodeFile } from '../text/encodings.ts';
import { mergeTexts } from '../text/merge-texts.ts';
import { encodeFile, sameFormat, UnencodableError } from '../text/text-codec.ts';

import type { FileOps } from './file-ops.ts';
import type { FileState } from './file-state.ts';
import type { FolderHandles } from './folder-handles.ts';

/** As Linux says of every link. */
const LINK_MODE = 0o777;

/** What a change set takes a file to be before the change. The bytes are needed only for merging. */
export type ChangeBase = 'absent' | { version: string; bytes?: Uint8Array };

/** One file as it is to become; `after` null where it is to go. */
export interface StagedChange {
  path: ResolvedPath;
  base: ChangeBase;
  after: { bytes: Uint8Array; mode?: number | undefined; link?: true } | null;
  /** The file this one is renamed from, itself staged to go. */
  from?: ResolvedPath;
}

/** What else of a file is kept when it is replaced. */
export interface CurrentFile extends FileState {
  uid: number;
  gid: number;
  links: number;
  mtimeNs: bigint;
}

/** A change that was checked against the file as it is now. */
export interface PlannedChange {
  shown: string;
  real: string;
  before: CurrentFile | null;
  /** A mode of -1 stands for a new file's usual one. */
  after: FileState | null;
  from?: { path: string; real: string };
  /** With `from`: that file before. */
  source?: CurrentFile;
  merged: boolean;
  notes: string[];
}

/** Why one file cannot be written. */
export interface ChangeProblem {
  path: string;
  code: string;
  message: string;
  next: string;
}

export interface PlanContext {
  guard: PathGuard;
  ops: FileOps;
  folders: FolderHandles;
  /** What to do about a file that is no longer what its change is based on. */
  onDrift: 'refuse' | 'merge';
  /** What to do about a file that is marked read-only. */
  onReadOnly: 'refuse' | 'replace';
  signal?: AbortSignal | undefined;
}

/**
 * Checks staged changes against the disk: every path still leads where it did, every file is still its base (or can be
 * merged), may be written, and is a file. Answers the plan of those that change anything, or all problems.
 */
export async function planChanges(
  staged: readonly StagedChange[],
  context: PlanContext,
): Promise<{ plan: PlannedChange[]; problems: ChangeProblem[] }> {
  const plan: PlannedChange[] = [];
  const problems: ChangeProblem[] = [];
  for (const change of staged) {
    context.signal?.throwIfAborted();
    try {
      plan.push(await planChange(change, context));
    } catch (error) {
      if (context.signal?.aborted) throw error;
      const { code, message, next = '' } = BlackError.toValue(error);
      problems.push({ path: change.path.relative, code, message, next });
    }
  }
  const byReal = new Map(plan.map((change) => [change.real, change]));
  for (const change of plan) adoptSource(change, change.from && byReal.get(change.from.real)?.before);
  return { plan: plan.filter(changesAnything), problems };
}

async function planChange(change: StagedChange, context: PlanContext): Promise<PlannedChange> {
  const { path, base, from } = change;
  refuseMoved(path, context.guard);
  if (!change.after && !path.entry) refuseRemovingLink(path, context.guard);
  const current = await readCurrent(path, context);
  const renamedHere = current && from && context.guard.resolve(from.absolute, 'write');
  const before = renamedHere && isSameFile(path, from, context) ? null : current;
  const planned: PlannedChange = {
    shown: path.relative,
    real: path.real,
    before,
    after: change.after && stateAfter(change.after, before),
    ...(from ? { from: { path: from.relative, real: from.real } } : {}),
    merged: false,
    notes: [],
  };
  if (before && before.links > 1) {
    planned.notes.push(`had ${before.links} names (hard links); the others keep the old content`);
  }
  if (base === 'absent') {
    if (before)
      throw problem('exists', `${path.relative} exists already.`, 'Read it and change it, or use another name.');
    return planned;
  }
  if (!before) throw problem('changed_since_read', `${path.relative} is gone.`, 'Look at its folder again.');
  if (before.version === base.version) return planned;
  const hasLink = before.link || change.after?.link;
  if (context.onDrift === 'merge' && base.bytes && change.after && !hasLink) {
    const bytes = await merge(path.relative, base.bytes, before.bytes, change.after.bytes);
    return { ...planned, after: stateOf(bytes, change.after.mode ?? before.mode), merged: true };
  }
  throw problem(
    'changed_since_read',
    `${path.relative} has changed since it was read.`,
    'Read it again, then make the change anew.',
  );
}

/** The path must lead, and be protected, as it was when the gate decided about it. */
function refuseMoved(path: ResolvedPath, guard: PathGuard): void {
  const now = path.entry ? guard.resolveEntry(path.absolute, 'write') : guard.resolve(path.absolute, 'write');
  if (!now.ok) throw new BlackError(now.code, now.message, now.next);
  if (now.real !== path.real || now.protected?.why !== path.protected?.why) throw pathMoved(path.relative);
}

async function readCurrent(path: ResolvedPath, context: PlanContext): Promise<CurrentFile | null> {
  const { ops, folders, onReadOnly, signal } = context;
  try {
    if (!folderExists(dirname(path.real), ops)) return null;
    const at = folders.at(dirname(path.real), basename(path.real));
    const there = ops.lstat(at);
    if (!there) return null;
    if (there.isSymbolicLink() && path.entry) return { ...linkState(ops.readlink(at)), ...ownership(there) };
    if (there.isSymbolicLink()) throw pathMoved(path.relative);
    if (!there.isFile()) throw notAFile(path.relative, there as never);
    const { bytes, stats } = await readRegularFile(at, { maxBytes: Number.MAX_SAFE_INTEGER, signal, real: path.real });
    const mode = Number(stats.mode) & 0o7777;
    const state = { ...stateOf(bytes, mode), ...ownership(stats) };
    if (onReadOnly === 'replace') return state;
    if ((mode & 0o222) === 0) {
      throw problem(
        'read_only',
        `${path.relative} is marked read-only.`,
        'Make it writable first, if it is meant to change.',
      );
    }
    accessSync(at, constants.W_OK);
    return state;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw ioError(error, path.relative);
  }
}

/** @throws BlackError `not_a_folder` where something else is in its place, or in that of one above it */
function folderExists(folder: string, ops: FileOps): boolean {
  const stats = ops.lstat(folder);
  if (stats && !stats.isDirectory()) throw problem('not_a_folder', `${folder}: is not a folder.`, 'Use another path.');
  if (!stats && dirname(folder) !== folder) folderExists(dirname(folder), ops);
  return stats !== undefined;
}

/** A link is written through, but removing one would remove the file it leads to. */
function refuseRemovingLink(path: ResolvedPath, guard: PathGuard): void {
  const parent = guard.resolve(dirname(path.absolute), 'write');
  if (!parent.ok || join(parent.real, basename(path.absolute)) === path.real) return;
  throw problem(
    'is_link',
    `${path.relative} is a link to ${path.real}.`,
    'Name the file itself, or remove the link with a command.',
  );
}

/** On a disk that ignores case a file renamed to another case finds itself under the new name. */
function isSameFile(path: ResolvedPath, from: ResolvedPath, { ops, folders }: PlanContext): boolean {
  const [a, b] = [path, from].map(({ real }) => ops.lstat(folders.at(dirname(real), basename(real))));
  return !!a && !!b && a.dev === b.dev && a.ino === b.ino && path.real.toLowerCase() === from.real.toLowerCase();
}

async function merge(shown: string, base: Uint8Array, current: Uint8Array, wanted: Uint8Array): Promise<Uint8Array> {
  const conflict = (what: string) =>
    problem(
      'conflict',
      `${shown} has changed since it was read, and ${what}.`,
      'Read it again, then make the change anew.',
    );
  const [old, theirs, ours] = await Promise.all([decodeFile(base), decodeFile(current), decodeFile(wanted)]);
  if (old.kind !== 'text' || theirs.kind !== 'text' || ours.kind !== 'text')
    throw conflict('binary files cannot be merged');
  if (!sameFormat(old.codec, theirs.codec) || !sameFormat(ours.codec, theirs.codec)) {
    throw conflict('its encoding is another now');
  }
  const merged = mergeTexts(old.text, ours.text, theirs.text);
  if (!merged.ok) throw conflict(`both changed line ${merged.conflicts.map(({ line }) => line).join(', ')}`);
  try {
    return encodeFile(theirs.codec, merged.text);
  } catch (error) {
    if (error instanceof UnencodableError) throw conflict(error.message);
    throw error;
  }
}

function adoptSource(change: PlannedChange, source: CurrentFile | null | undefined): void {
  if (!source) return;
  change.source = source;
  if (change.after?.mode === -1) change.after.mode = source.mode;
}

function changesAnything({ before, after }: PlannedChange): boolean {
  if (!before || !after) return before !== after;
  return before.version !== after.version || (before.mode !== after.mode && !after.link);
}

function stateAfter(after: NonNullable<StagedChange['after']>, before: CurrentFile | null): FileState {
  if (after.link) return linkState(after.bytes);
  const kept = before?.link ? undefined : before?.mode;
  return stateOf(after.bytes, after.mode ?? kept ?? -1);
}

function stateOf(bytes: Uint8Array, mode: number): FileState {
  return { bytes, version: versionOf(bytes), size: bytes.length, mode };
}

/** A symbolic link as a file: its version differs from that of a file with the same bytes. */
export function linkState(target: Uint8Array): FileState {
  return { bytes: target, version: `link-${versionOf(target)}`, size: target.length, mode: LINK_MODE, link: true };
}

function ownership({ uid, gid, nlink, mtimeNs }: BigIntStats): Omit<CurrentFile, keyof FileState> {
  return { uid: Number(uid), gid: Number(gid), links: Number(nlink), mtimeNs };
}

function problem(code: string, message: string, next: string): BlackError {
  return new BlackError(code, message, next);
}
