import { accessSync, constants, statSync } from 'node:fs';
import { BlackError } from '@black-ide/protocol';

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh', '/usr/bin/sh'];

/**
 * The shell that commands run in: bash where there is one, because models write bash, else the system's `sh`.
 * @throws BlackError `shell_missing`.
 */
export function findShell(wanted?: string): string {
  const found = (wanted === undefined ? SHELLS : [wanted]).find(isProgram);
  if (found) return found;
  throw new BlackError(
    'shell_missing',
    wanted === undefined ? 'There is neither bash nor sh on this machine.' : `There is no shell at ${wanted}.`,
    wanted === undefined ? 'Install bash.' : 'Correct the path of the shell in the settings.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there or not allowed: not a shell for us.
    return false;
  }
}
