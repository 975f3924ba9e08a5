import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Why a folder cannot hold state. */
export interface HomeProblem {
  /** The system's code, e.g. `EROFS`. */
  code: string;
  /** In words for a person, with the folder's path. */
  message: string;
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a file is in its way',
  EEXIST: 'a file is in its way',
  ENOSPC: 'the disk is full',
};

/** Makes the state folder (for its owner alone) where it is missing; answers why it cannot be written, if so. */
export function prepareStateHome(path: string): HomeProblem | undefined {
  try {
    makeFolders(path);
    if (!statSync(path).isDirectory())
      return { code: 'ENOTDIR', message: `${path} cannot be written (${REASONS.ENOTDIR})` };
    accessSync(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException;
    return { code, message: `${path} cannot be written (${REASONS[code] ?? message})` };
  }
}

/**
 * Makes a folder and those above it. Node's own recursive `mkdir` never comes back where a file system such as /proc
 * denies a child of an existing folder with ENOENT.
 */
function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let each = path; !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.reverse()) makeFolder(each);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** A state folder for this process alone, where the real one cannot be written; `dispose` removes it. */
export function temporaryHome(): { path: string; dispose(): void } {
  const path = mkdtempSync(join(tmpdir(), 'blackide-'));
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}
