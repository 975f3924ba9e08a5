import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '@black-ide/protocol';

export interface OwnPackage {
  name: string;
  version: string;
}

/** So far above the program its package may begin. */
const LEVELS = 4;

/**
 * The npm package that a program belongs to, as the nearest `package.json` above its real file says. Undefined where there
 * is none. Nothing is run.
 */
export function packageOfProgram(program: string): OwnPackage | undefined {
  try {
    let folder = dirname(realpathSync(program));
    for (let level = 0; level < LEVELS; level++) {
      const found = readPackage(join(folder, 'package.json'));
      if (found) return found;
      folder = dirname(folder);
    }
  } catch {
    // The program is gone meanwhile.
  }
  return undefined;
}

function readPackage(file: string): OwnPackage | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(value) || typeof value.name !== 'string' || typeof value.version !== 'string') return undefined;
    return { name: value.name, version: value.version };
  } catch {
    // Not there, or no package of its own: the one above counts.
    return undefined;
  }
}
