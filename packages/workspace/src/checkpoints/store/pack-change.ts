import { posix, relative, sep } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BlackError } from '@black-ide/protocol';
import type { FileChange } from '../../changes/file-change.ts';
import type { FileState } from '../../changes/file-state.ts';
import type { Hunk } from '../../text/hunks.ts';
import type { BlobStore } from './blob-store.ts';
import type { StoredFile, StoredReverse, StoredState } from './records.ts';

/** From here on hunks are deflated: code shrinks to a third. */
const PACK_CHARS = 2_048;
/** From here on they lie in a blob: the manifest is held in memory. */
const BLOB_BYTES = 65_536;

/** Puts a change into the form of the manifest, and what does not belong there into blobs. */
async function packChange(change: FileChange, root: string, blobs: BlobStore): Promise<StoredFile> {
  const { kind, from, before, after, added, removed } = change;
  return {
    path: storedPath(change.real, root),
    kind,
    ...(from ? { from: storedPath(from.real, root) } : {}),
    before: before && stateOf(before),
    after: after && stateOf(after),
    reverse: await packReverse(change, blobs),
    added,
    removed,
  };
}

/** So many files are stored side by side: the disk takes them together, and none waits for all. */
const AT_ONCE = 32;

/** Packs all changes of a commit or a command. */
export async function packChanges(
  changes: readonly FileChange[],
  root: string,
  blobs: BlobStore,
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (let at = 0; at < changes.length; at += AT_ONCE) {
    const some = changes.slice(at, at + AT_ONCE);
    files.push(...(await Promise.all(some.map((change) => packChange(change, root, blobs)))));
  }
  return files;
}

async function packReverse({ before, reverse }: FileChange, blobs: BlobStore): Promise<StoredReverse> {
  switch (reverse.kind) {
    case 'absent':
    case 'same':
      return reverse;
    case 'hunks': {
      const { format, hunks } = reverse;
      const json = JSON.stringify(hunks);
      if (json.length < PACK_CHARS) return { kind: 'hunks', format, hunks };
      const packed = deflateRawSync(json);
      if (packed.length < BLOB_BYTES) return { kind: 'packed', format, data: packed.toString('base64') };
      return { kind: 'hunkBlob', format, blob: await blobs.put(packed) };
    }
    case 'bytes': {
      if (!before) throw new BlackError('internal', 'old bytes are asked for where there were none');
      if (before.link) return { kind: 'link', target: Buffer.from(before.bytes).toString('base64') };
      return { kind: 'blob', blob: await blobs.put(before.bytes, before.version) };
    }
  }
}

/** The hunks of a stored change, wherever they lie. */
export function unpackHunks(
  reverse: Extract<StoredReverse, { kind: 'hunks' | 'packed' | 'hunkBlob' }>,
  blobs: BlobStore,
): Hunk[] {
  if (reverse.kind === 'hunks') return reverse.hunks;
  const packed = reverse.kind === 'packed' ? Buffer.from(reverse.data, 'base64') : blobs.get(reverse.blob);
  return JSON.parse(inflateRawSync(packed).toString()) as Hunk[];
}

function stateOf({ version, size, mode, link }: FileState): StoredState {
  return { version, size, mode, ...(link ? { link } : {}) };
}

/** A real path as the manifest has it: from the workspace, or absolute. */
export function storedPath(real: string, root: string): string {
  const path = relative(root, real);
  const isInside = path !== '' && path !== '..' && !path.startsWith(`..${sep}`);
  const kept = isInside ? path : real;
  return sep === posix.sep ? kept : kept.split(sep).join(posix.sep);
}
