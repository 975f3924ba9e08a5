import { readdirSync } from 'node:fs';
import { errnoOf } from '../stores/errno.ts';

/** The name of our folder in a workspace, as it is made anew. */
const OWN_FOLDER = '.blackide';

/**
 * Our folders in a workspace, as they are spelled there: `.blackide` first, then what differs in case only
 * (`.blackIDE`). Where there are several the first that has a file counts for it. Empty where there is none, or where
 * the workspace cannot be listed.
 */
export function ownFolders(root: string): string[] {
  const alike = namesIn(root).filter((name) => name.toLowerCase() === OWN_FOLDER);
  return alike.sort((a, b) => Number(b === OWN_FOLDER) - Number(a === OWN_FOLDER) || (a < b ? -1 : 1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return [];
  }
}
