import type { ChangeKind } from '../changes/file-change.ts';
import type { LedgerEntry } from './store/checkpoint-ledger.ts';
import type { ChangeRecord, FileTransaction } from './store/records.ts';

/** One file of a checkpoint, as people see it. */
export interface CheckpointFile {
  path: string;
  /** The file it was renamed from. */
  from?: string;
  kind: ChangeKind;
  added: number;
  removed: number;
  state: FileTransaction;
}

/** A change that can be taken back. */
export interface Checkpoint {
  id: string;
  kind: ChangeRecord['kind'];
  sessionId: string;
  messageId: string;
  callId?: string;
  /** Milliseconds since the epoch. */
  at: number;
  files: CheckpointFile[];
}

/** What a restore, or taking one back, has done. */
export interface RestoreReport {
  /** The restore's own checkpoint. */
  id: string;
  /** Files that were written, with the lines that this added and removed. */
  files: { path: string; kind: ChangeKind; added: number; removed: number; merged: boolean }[];
  /** Files that were left alone, and why. */
  skipped: { path: string; why: string }[];
  /** The transactions that were settled. */
  settled: { checkpoint: string; path: string; state: FileTransaction }[];
}

export function checkpointOf({ record, states }: LedgerEntry): Checkpoint {
  const { id, kind, sessionId, messageId, callId, at, files } = record;
  return {
    id,
    kind,
    sessionId,
    messageId,
    ...(callId === undefined ? {} : { callId }),
    at,
    files: files.map(({ path, from, kind: how, added, removed }, n) => ({
      path,
      ...(from === undefined ? {} : { from }),
      kind: how,
      added,
      removed,
      state: states[n] ?? 'pending',
    })),
  };
}
