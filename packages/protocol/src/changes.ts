/**
 * Changes of files that can be taken back (IDE-47 … IDE-51), as faces see them. The store of the engine is the truth;
 * the log tells the same.
 */
import * as z from 'zod';

const sessionId = z.string().min(1);
/** Go on although somebody else has changed the files since; what they did stays. Without it they are named first. */
const merge = z.boolean().optional();

export const changeCommandSchemas = [
  /** Takes the pending changes of one file back; where it has none, its kept ones. */
  z.object({ type: z.literal('restoreFile'), sessionId, path: z.string().min(1), merge }),
  /** Keeps the pending changes of one file; without one, of all. */
  z.object({ type: z.literal('keepFile'), sessionId, path: z.string().min(1).optional() }),
  /** Takes back what is pending of a message; without one, of the newest that has anything pending. */
  z.object({ type: z.literal('undoMessage'), sessionId, messageId: z.string().min(1).optional(), merge }),
  /** Takes the newest restore or undo back. */
  z.object({ type: z.literal('redo'), sessionId, merge }),
  z.object({ type: z.literal('listChanges'), sessionId }),
  /** The changes of a file that are still pending, as a unified diff against the disk; without one, of all files. */
  z.object({ type: z.literal('showChanges'), sessionId, path: z.string().min(1).optional() }),
] as const;

/** A change is pending until a person keeps it or takes it back. */
export const CHANGE_STATES = ['pending', 'kept', 'restored'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export interface FileChangeSummary {
  path: string;
  /** The file it was renamed from. */
  from?: string;
  kind: 'created' | 'modified' | 'deleted' | 'renamed';
  /** Lines; 0 for binary files. */
  added: number;
  removed: number;
}

/** One file of one checkpoint. */
export interface TrackedChange extends FileChangeSummary {
  checkpointId: string;
  /** The entry id of the user message that began the turn. */
  messageId: string;
  state: ChangeState;
}

/** Changes whose state is another now. */
export interface SettledChange {
  checkpointId: string;
  path: string;
  state: ChangeState;
}

export type SettleAction = 'keep' | 'restore' | 'undo' | 'redo';

/** The `details` of the `custom_message` by which the model learns what a person did with its changes. */
export interface SettledDetails {
  action: SettleAction;
  settled: SettledChange[];
  /** With `undo`: what commands of the message did to ignored or too large files, which is as it was. */
  notCovered?: LeftFile[];
}

/** A file, or a folder with `/` at its end, whose change no undo covers. `gone`: it is not there any more. */
export interface LeftFile {
  path: string;
  gone?: true;
}

/** The customType of that message. */
export const SETTLED = 'changes';

export interface RestoredFiles {
  /** The files that were written; `merged`: what somebody else did to it stays. */
  files: (FileChangeSummary & { merged: boolean })[];
  /** Files that were left alone, and why: links, files with several names. */
  skipped: { path: string; why: string }[];
}

export interface ChangeCommandResults {
  restoreFile: RestoredFiles;
  keepFile: { paths: string[] };
  undoMessage: RestoredFiles & { messageId: string; notCovered: LeftFile[] };
  redo: RestoredFiles;
  listChanges: { changes: TrackedChange[]; canRedo: boolean };
  showChanges: { diff: string };
}

/** What a session has done to one file and nobody has taken back, over all its checkpoints. */
export interface ChangedFile extends FileChangeSummary {
  state: Exclude<ChangeState, 'restored'>;
}

/**
 * The files of a session's changes, one row each, in the order in which they were first changed; what was taken back is
 * left out. A file counts as pending where any of its changes is.
 */
export function changedFiles(changes: readonly TrackedChange[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { path, from, kind, added, removed, state } of changes) {
    if (state === 'restored') continue;
    const known = files.get(path) ?? (from === undefined ? undefined : files.get(from));
    if (from !== undefined) files.delete(from);
    const origin = known?.from ?? from;
    files.set(path, {
      path,
      ...(origin === undefined ? {} : { from: origin }),
      kind: known ? joined(known.kind, kind) : kind,
      added: (known?.added ?? 0) + added,
      removed: (known?.removed ?? 0) + removed,
      state: known?.state === 'pending' ? 'pending' : state,
    });
  }
  return [...files.values()];
}

/** What two changes of a file after one another amount to. */
function joined(first: FileChangeSummary['kind'], second: FileChangeSummary['kind']): FileChangeSummary['kind'] {
  if (second === 'deleted') return 'deleted';
  if (first === 'created' || first === 'renamed') return first;
  if (first === 'deleted') return 'modified';
  return second;
}
