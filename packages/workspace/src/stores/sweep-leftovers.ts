import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@black-ide/protocol';
import { errnoOf } from './errno.ts';
import { type ProcessIdentity, ProcessTable } from './process-table.ts';
import { listStoreFolder } from './store-folder.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

export interface SweptLeftovers {
  /** How many files and folders were removed. */
  removed: number;
  /** It was not yet time: nothing was looked at. */
  skipped: boolean;
}

export interface SweepLeftoversOptions {
  /** The state folder. */
  home: string;
  /** Milliseconds since the epoch. */
  now: number;
  table?: ProcessTable;
}

/** As `writeFileAtomic` and `ProcessLock` name what they make aside: 6 random bytes, then `.tmp`. */
const LEFTOVER = /\.[0-9a-f]{12}\.tmp$/;
const STAMP = 'last-sweep';
const DAY = 24 * 60 * 60 * 1000;
/** A writer takes milliseconds; a machine may have slept in between. */
const OLD = DAY;
/** Where such files are made: the folders below the state home, and theirs. */
const DEPTH = 3;

/**
 * Removes what a killed process left half made in the state folder: temporary files and lock folders that are a day old
 * and whose owner, where they name one, is dead. Looks once a day; a folder that cannot be read is left alone.
 */
export function sweepLeftovers({ home, now, table = new ProcessTable() }: SweepLeftoversOptions): SweptLeftovers {
  const stamp = join(home, STAMP);
  const last = modified(stamp);
  // A stamp of the future is of a clock that was wrong.
  if (last !== undefined && now - last < DAY && last <= now + DAY) return { removed: 0, skipped: true };
  if (modified(home) === undefined) return { removed: 0, skipped: true };
  writeFileAtomic(stamp, `${new Date(now).toISOString()}\n`);
  let removed = 0;
  for (const path of leftoversIn(home, DEPTH)) {
    const time = modified(path);
    if (time === undefined || now - time < OLD || hasLivingOwner(path, table)) continue;
    rmSync(path, { recursive: true, force: true });
    removed += 1;
  }
  return { removed, skipped: false };
}

function leftoversIn(folder: string, depth: number): string[] {
  return itemsOf(folder).flatMap(({ name, folder: isFolder }) => {
    const path = join(folder, name);
    if (LEFTOVER.test(name)) return [path];
    return isFolder && depth > 1 ? leftoversIn(path, depth - 1) : [];
  });
}

function itemsOf(folder: string): { name: string; folder: boolean }[] {
  try {
    return listStoreFolder(folder);
  } catch {
    // Not ours to read: nothing of ours is in there.
    return [];
  }
}

function modified(path: string): number | undefined {
  try {
    return lstatSync(path).mtimeMs;
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(cause) ?? '')) return undefined;
    throw cause;
  }
}

/** A lock folder that was made ready tells whose it is. */
function hasLivingOwner(path: string, table: ProcessTable): boolean {
  if (!lstatSync(path).isDirectory()) return false;
  return readdirSync(path).some((name) => {
    const owner = ownerIn(join(path, name));
    return owner !== undefined && table.isAlive(owner);
  });
}

function ownerIn(file: string): ProcessIdentity | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(owner) && typeof owner.pid === 'number' ? (owner as unknown as ProcessIdentity) : undefined;
  } catch {
    // Cut off in the middle, or gone: nobody's.
    return undefined;
  }
}
