import { FileTree } from '@black-ide/workspace';
import type { RefreshReport } from '../code-intelligence-api.ts';
import { ChangesSince } from './changes-since.ts';
import type { FileCodec } from './file-parser.ts';
import type { FileTable } from './file-table.ts';
import { KnownFiles } from './known-files.ts';
import type { Layer } from './layer.ts';
import { partReader, SnapshotError } from './snapshot-file.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** What is known of a workspace. */
export interface Known<L extends Record<string, Layer>> {
  files: KnownFiles;
  layers: L;
  changes: ChangesSince;
  /** Why nothing of it was loaded. */
  rebuilt: RefreshReport['rebuilt'];
}

/**
 * Loads what is stored of a workspace. Where nothing is, or it cannot be used for any reason, nothing is known, and
 * `rebuilt` says why.
 */
export function loadSnapshot<L extends Record<string, Layer>>(
  root: string,
  store: SnapshotStore | undefined,
  makeLayers: (files: FileTable) => L,
  codec: FileCodec,
): Known<L> {
  let rebuilt: RefreshReport['rebuilt'] = 'none';
  try {
    const stored = store?.load();
    if (stored) {
      const files = KnownFiles.load(partReader(stored.files, 'files'), root);
      const layers = makeLayers(files);
      for (const [name, layer] of Object.entries(layers)) layer.load(partReader(stored.layers, name));
      const changes = new ChangesSince(codec);
      changes.load(partReader(stored.files, 'changes'), Object.values(layers));
      return { files, layers, changes, rebuilt: undefined };
    }
  } catch (cause) {
    rebuilt = cause instanceof SnapshotError ? cause.reason : 'damaged';
  }
  const files = new KnownFiles(new FileTree(root));
  return { files, layers: makeLayers(files), changes: new ChangesSince(codec), rebuilt };
}
