import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
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

/**
 * The folders that a program needs to see of its own: where it is called, where it really lies, and for one of npm all
 * packages beside it.
 */
export function foldersOfProgram(program: string): string[] {
  const folders: string[] = [];
  try {
    folders.push(realpathSync(dirname(program)));
    const real = realpathSync(program);
    const parts = real.split(sep);
    const modules = parts.indexOf('node_modules');
    folders.push(modules < 0 ? dirname(real) : parts.slice(0, modules + 1).join(sep));
  } catch {
    // The program is gone meanwhile.
  }
  return [...new Set(folders)];
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
