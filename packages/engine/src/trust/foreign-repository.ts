import { posix } from 'node:path';
import type { Documents } from '@black-ide/workspace';

/**
 * Whether a folder lies in a repository of its own inside the workspace that is not trusted itself: what configures us
 * there is somebody else's (trust is per repository). Only names are looked at, never what a `.git` says.
 * @param folder from the root, with `/`
 */
export async function isInForeignRepository(
  root: string,
  folder: string,
  { documents, isTrusted }: { documents: Documents; isTrusted(folder: string): boolean },
): Promise<boolean> {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  for (const i of parts.keys()) {
    const path = posix.join(root, ...parts.slice(0, i + 1));
    if ((await documents.stat(posix.join(path, '.git'))).ok && !isTrusted(path)) return true;
  }
  return false;
}
