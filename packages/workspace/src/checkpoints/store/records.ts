import { isRecord } from '@black-ide/protocol';
import type { ChangeKind } from '../../changes/file-change.ts';
import type { Hunk } from '../../text/hunks.ts';
import type { TextFormat } from '../../text/text-codec.ts';

/** What became of one file of a checkpoint (IDE-49). */
export type FileTransaction = 'pending' | 'kept' | 'restored';

/** A file's state as the manifest remembers it: enough to recognise it. */
export interface StoredState {
  /** SHA-256 of the bytes; of a link `link-` and that of its target. */
  version: string;
  size: number;
  /** Permission bits. */
  mode: number;
  link?: true;
}

/**
 * How the old content comes back: there was none; it is the same; by hunks of the text, which lie here, deflated in
 * base64, or in a blob; from the old bytes in a blob; or as a link (base64 of its target).
 */
export type StoredReverse =
  | { kind: 'absent' }
  | { kind: 'same' }
  | { kind: 'hunks'; format: TextFormat; hunks: Hunk[] }
  | { kind: 'packed'; format: TextFormat; data: string }
  | { kind: 'hunkBlob'; format: TextFormat; blob: string }
  | { kind: 'blob'; blob: string }
  | { kind: 'link'; target: string };

/** One file of a checkpoint. */
export interface StoredFile {
  /** From the workspace's real path, with `/`; absolute where it lies in another granted folder. */
  path: string;
  kind: ChangeKind;
  /** With `renamed`: the file it was. */
  from?: string;
  before: StoredState | null;
  after: StoredState | null;
  reverse: StoredReverse;
  added: number;
  removed: number;
}

/** A file whose bytes before a change nothing of ours knows: whatever the change made may be the last copy. */
export interface LostFile {
  path: string;
  /** What it was before, in bytes. */
  size: number;
  /** It was deleted; otherwise it was written to. */
  gone: boolean;
}

/** Whose change it is. */
export interface Origin {
  sessionId: string;
  /** The entry id of the user message that began the turn. */
  messageId: string;
  /** The tool call; absent for what a person did. */
  callId?: string;
}

/** A file of a checkpoint, named: the checkpoint's id and the file's index in it. */
export type FileRef = [checkpoint: string, file: number];

/** One line of the manifest: a change that was made, with all that undoing it needs. */
export interface ChangeRecord extends Origin {
  t: 'change';
  v: 1;
  id: string;
  /** `edit`: by a file tool; `command`: found after a command; `restore` and `redo`: by a person. */
  kind: 'edit' | 'command' | 'restore' | 'redo';
  /** Milliseconds since the epoch. */
  at: number;
  files: StoredFile[];
  /** Folders that were made for it, outermost first, and that went with it. */
  madeFolders?: string[];
  goneFolders?: { path: string; mode: number }[];
  /** With `command`; a record may be there for this alone. */
  lost?: LostFile[];
  /** With `restore` and `redo`: the files whose transaction it settles. */
  settles?: FileRef[];
  /** With `redo`: the restore that it takes back. */
  redoes?: string;
  /** The restore, of its own, that took files away before, because folders are to be where they were or the other way round. */
  clearedBy?: string;
  /** Of that one: by itself it is half a restore, and is taken back where the other half did not come about. */
  clears?: true;
  /** Written when the manifest is condensed: how the transactions stood then. */
  states?: FileTransaction[];
  /** The same of a restore: what the settled transactions were before. */
  previous?: FileTransaction[];
  redone?: true;
}

export type ManifestRecord =
  | ChangeRecord
  | { t: 'keep'; v: 1; of: FileRef[] }
  /** The change never came about. */
  | { t: 'void'; v: 1; id: string };

/** Whether a parsed line is one that we wrote; a later version's is not. */
export function isManifestRecord(value: unknown): value is ManifestRecord {
  if (!isRecord(value) || value.v !== 1) return false;
  switch (value.t) {
    case 'change':
      return typeof value.id === 'string' && typeof value.sessionId === 'string' && Array.isArray(value.files);
    case 'keep':
      return Array.isArray(value.of);
    case 'void':
      return typeof value.id === 'string';
    default:
      return false;
  }
}

/** The blobs that a change needs. */
export function blobsOf(record: ChangeRecord): string[] {
  return record.files.flatMap(({ reverse }) =>
    reverse.kind === 'blob' || reverse.kind === 'hunkBlob' ? [reverse.blob] : [],
  );
}
