import { BlackError } from '@black-ide/protocol';
import type { FileState } from '../../changes/file-state.ts';
import { linkState } from '../../changes/plan-changes.ts';
import { versionOf } from '../../documents/document.ts';
import { decodeFile } from '../../text/encodings.ts';
import { applyHunks, type Hunk } from '../../text/hunks.ts';
import { encodeFile, sameFormat, UnencodableError } from '../../text/text-codec.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { unpackHunks } from '../store/pack-change.ts';
import type { StoredFile } from '../store/records.ts';
import { applyNarrowed } from './apply-narrowed.ts';

/** What a file is once a change was taken back from it, or why that is impossible. */
export type TakenBack =
  | {
      ok: true;
      state: FileState | null;
      /** `exact`: it was as the change had left it; `merged`: it was not, and its own changes stay; `done`: it is so already. */
      how: 'exact' | 'merged' | 'done';
    }
  | {
      ok: false;
      why: string;
      /** The header of the hunk that does not apply any more. */
      hunk?: string;
    };

/** Takes one change back from a file, wherever its name is now. Changes nothing itself. */
export async function takeBack(file: StoredFile, now: FileState | null, blobs: BlobStore): Promise<TakenBack> {
  const isExact = (now?.version ?? null) === (file.after?.version ?? null);
  if (!isExact && (now?.version ?? null) === (file.before?.version ?? null)) return withMode(file, now, now, 'done');
  const { reverse, before } = file;
  switch (reverse.kind) {
    case 'same':
      if (!now) return { ok: false, why: 'it is gone' };
      return withMode(file, now, now, isExact ? 'exact' : 'merged');
    case 'absent':
      return isExact ? { ok: true, state: null, how: 'exact' } : { ok: false, why: 'it holds changes made since' };
    case 'link':
      if (!isExact) return drifted(now, before === null);
      return { ok: true, state: linkState(Buffer.from(reverse.target, 'base64')), how: 'exact' };
    case 'blob': {
      if (!isExact) return drifted(now, file.after === null);
      const bytes = blobs.get(reverse.blob);
      const state = { bytes, version: versionOf(bytes), size: bytes.length, mode: before?.mode ?? -1 };
      return withMode(file, now, state, 'exact');
    }
    default:
      return hunksBack(file, now, reverse.format, unpackHunks(reverse, blobs), isExact);
  }
}

async function hunksBack(
  file: StoredFile,
  now: FileState | null,
  format: { encoding: string; bom: boolean },
  hunks: readonly Hunk[],
  isExact: boolean,
): Promise<TakenBack> {
  if (!now) return { ok: false, why: 'it is gone' };
  if (now.link) return { ok: false, why: 'it is a symbolic link now' };
  const decoded = await decodeFile(now.bytes);
  if (decoded.kind !== 'text' || !sameFormat(decoded.codec, format)) {
    return { ok: false, why: `it is no ${format.encoding} text any more` };
  }
  const applied = isExact ? applyHunks(decoded.text, hunks) : applyNarrowed(decoded.text, hunks);
  if (!applied.ok) {
    const reason =
      applied.reason === 'missing' ? 'its lines have been changed since' : 'its lines are there several times';
    return { ok: false, why: `hunk ${applied.header} does not apply: ${reason}`, hunk: applied.header };
  }
  let bytes: Buffer;
  try {
    bytes = encodeFile(decoded.codec, applied.text);
  } catch (cause) {
    if (cause instanceof UnencodableError) return { ok: false, why: cause.message };
    throw cause;
  }
  const version = versionOf(bytes);
  if (isExact && version !== file.before?.version) {
    throw new BlackError(
      'checkpoint_damaged',
      `The checkpoint of ${file.path} does not lead back to what the file was.`,
      'Take the file from version control, if it is there.',
    );
  }
  const state = { bytes, version, size: bytes.length, mode: now.mode };
  return withMode(file, now, state, isExact ? 'exact' : 'merged');
}

/** Permission bits go back where nobody has changed them since. */
function withMode(
  { before, after }: StoredFile,
  now: FileState | null,
  state: FileState | null,
  how: 'exact' | 'merged' | 'done',
): TakenBack {
  if (!state || state.link || !before || before.link) return { ok: true, state, how };
  const isOurs = !now || now.link || !after || after.link || now.mode === after.mode;
  return { ok: true, state: { ...state, mode: isOurs ? before.mode : now.mode }, how };
}

function drifted(now: FileState | null, wasGone: boolean): TakenBack {
  if (!now) return { ok: false, why: 'it is gone' };
  return { ok: false, why: wasGone ? 'another file has this name now' : 'it has changed since, and is not text' };
}
