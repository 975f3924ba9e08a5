import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../stores/errno.ts';
import { listStoreFolder } from '../stores/store-folder.ts';
import { writeFileAtomic } from '../stores/write-file-atomic.ts';
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

/** Tells of a store over its cap of which nothing can be dropped: how many bytes are needed, or `told`. */
const OVER_CAP = 'over-cap';
const TOLD = 'told';

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

/** Remembers that a person is to be told of a store over its cap, or, with undefined, that it no longer is. */
export function noteOverCap(folder: string, bytes: number | undefined): void {
  if (bytes === undefined) rmSync(join(folder, OVER_CAP), { force: true });
  else if (overCap(folder) === undefined) writeFileAtomic(join(folder, OVER_CAP), String(bytes));
}

/** How many bytes a store needs whose cap is less; undefined where it is not, or was told before. */
export function takeOverCapNews(folder: string): number | undefined {
  const news = overCap(folder);
  if (news === undefined || news === TOLD) return undefined;
  writeFileAtomic(join(folder, OVER_CAP), TOLD);
  return Number(news);
}

function overCap(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, OVER_CAP), 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
