import { join } from 'node:path';
import { listStoreFolder } from '../../stores/store-folder.ts';
import { RUN_SUFFIX, TREE_FOLDER } from '../leftovers.ts';
import { readTree } from '../tree/tree.ts';

/** The blobs that snapshots name. */
export function blobsOfTrees(folder: string): Set<string> {
  const blobs = new Set<string>();
  const trees = join(folder, TREE_FOLDER);
  for (const { name } of listStoreFolder(trees)) {
    if (!name.endsWith('.json') || name.endsWith(RUN_SUFFIX)) continue;
    for (const { id } of readTree(join(trees, name))?.files.values() ?? [])
      if (id.startsWith('s:')) blobs.add(id.slice(2));
  }
  return blobs;
}
