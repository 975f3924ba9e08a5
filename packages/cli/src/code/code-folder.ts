import { resolve } from 'node:path';
import { DiskDocuments, realPathOf } from '@black-ide/workspace';
import { CliFailure } from '../failure.ts';
import { workingFolder } from '../headless/working-folder.ts';
import type { World } from '../world.ts';

/**
 * The folder whose code is meant: the working folder where none is named.
 * @param usage how one is named. @throws CliFailure where there is none.
 */
export async function codeFolder(folder: string | undefined, usage: string, world: World): Promise<string> {
  if (folder === undefined) return workingFolder(world);
  const path = realPathOf(resolve(workingFolder(world), folder));
  const stat = await new DiskDocuments().stat(path);
  if (stat.ok && stat.stat.kind === 'folder') return path;
  const message = stat.ok ? `${folder} is no folder.` : stat.error.message;
  throw new CliFailure({ code: 'no_folder', message, next: `Name the folder that holds the code: ${usage}.` });
}
