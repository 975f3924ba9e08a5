import { join } from 'node:path';
import { listStoreFolder } from '../stores/store-folder.ts';
import { ManifestFile } from './store/manifest-file.ts';

/**
 * What a start has to know of checkpoints without loading them.
 */

/** Where snapshots of workspaces lie, in the folder of checkpoints. */
export const TREE_FOLDER = 'trees';
/** The end of the names of files that tell of commands that run. */
export const RUN_SUFFIX = '.run.json';

/** The end of the names of files that tell of restores of two steps. */
export const HALF_SUFFIX = '.half';

/** Forgets the checkpoint of a change set of which nothing is left: the `onUndone` of a workspace's journal. */
export function retractCheckpoint(folder: string, id: string | null): void {
  if (id !== null) new ManifestFile(folder).retract(id);
}

/**
 * Whether commands run in the workspace or a restore is at its first step, or did when their process was killed:
 * `CheckpointManager.recover` and `recoverRestores` tell which.
 */
export function hasUnsettledWork(folder: string): boolean {
  const isMark = ({ name }: { name: string }) => name.endsWith(RUN_SUFFIX) || name.endsWith(HALF_SUFFIX);
  return listStoreFolder(join(folder, TREE_FOLDER)).some(isMark);
}
