import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { type ProcessIdentity, ProcessTable } from '../stores/process-table.ts';
import { writeFileAtomic } from '../stores/write-file-atomic.ts';
import { FILTERED, SHIMS, withoutSecrets } from './home-view.ts';
import { removeGhost } from './workspace-guard.ts';

/** The folders that stand for `/tmp` and the home folder in the sandbox, as long as the session lives. */
export interface PrivateFolders {
  temporary: string;
  home: string;
  /** Settings without their secrets, and copies that may be written, by their names below the home. */
  filtered: ReadonlyMap<string, string>;
  /** Says which stand-ins are in the workspace now, for whoever has to clean up after a kill. */
  note(ghosts: readonly string[]): void;
  dispose(): void;
}

const PREFIX = 'run-';
const OWNER = 'owner.json';
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Makes them below the state home, or in the temporary folder where that cannot be written.
 * @param home the person's home, from which settings are copied
 */
export function makePrivateFolders(stateHome: string, home: string | undefined): PrivateFolders {
  const base = makeBase(stateHome);
  const at = (name: string): string => join(base, name);
  for (const name of ['tmp', 'home', 'filtered']) mkdirSync(at(name), { mode: 0o700 });
  chmodSync(at('tmp'), 0o1777);
  const owner = new ProcessTable().self();
  const note = (ghosts: readonly string[]): void => writeFileAtomic(at(OWNER), JSON.stringify({ owner, ghosts }));
  note([]);
  const filtered = new Map<string, string>();
  for (const name of home === undefined ? [] : settingsIn(home)) {
    const text = readText(join(home!, name));
    if (text === undefined) continue;
    const copy = join(at('filtered'), name.replaceAll('/', '-'));
    writeFileSync(copy, withoutSecrets(text), { mode: 0o600 });
    filtered.set(name, copy);
  }
  for (const name of home === undefined ? [] : SHIMS) {
    const copy = join(at('filtered'), name.replaceAll('/', '-'));
    if (copyFolder(join(home!, name), copy)) filtered.set(name, copy);
  }
  const dispose = (): void => removeTree(base);
  return { temporary: at('tmp'), home: at('home'), filtered, note, dispose };
}

/**
 * Removes what killed processes have left: their folders, and their stand-ins in workspaces.
 * @param now milliseconds since the epoch
 */
export function sweepPrivateFolders(stateHome: string, now: number, table = new ProcessTable()): void {
  const folder = join(stateHome, 'sandbox');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const record = readRecord(join(folder, name, OWNER));
    // Without a record its maker was killed right away, or is about to write it.
    if (record ? table.isAlive(record.owner) : now - statSync(join(folder, name)).mtimeMs < DAY_MS) continue;
    for (const ghost of record?.ghosts ?? []) removeGhost(ghost);
    removeTree(join(folder, name));
  }
}

function makeBase(stateHome: string): string {
  try {
    const folder = join(stateHome, 'sandbox');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(folder, PREFIX));
  } catch {
    // A home that cannot be written is no reason to go without.
    return mkdtempSync(join(tmpdir(), 'black-sandbox-'));
  }
}

/** What a command made there may forbid to empty it. */
function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (cause) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(cause) ?? '')) throw cause;
    unlock(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function unlock(folder: string): void {
  chmodSync(folder, 0o700);
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    if (item.isDirectory()) unlock(join(folder, item.name));
  }
}

/** The settings that are shown; Git's main file includes others beside it. */
function settingsIn(home: string): string[] {
  const beside = existsSync(home) ? readdirSync(home).filter((name) => name.startsWith('.gitconfig')) : [];
  return [...new Set([...FILTERED, ...beside])];
}

function copyFolder(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    return true;
  } catch {
    // What cannot be read is shown as little as what is not there.
    return false;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // There is none, or it is not for us.
    return undefined;
  }
}

function readRecord(path: string): { owner: ProcessIdentity; ghosts: string[] } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(value) || !isRecord(value.owner) || typeof value.owner.pid !== 'number') return undefined;
    const ghosts = Array.isArray(value.ghosts) ? value.ghosts.filter((each) => typeof each === 'string') : [];
    return { owner: value.owner as unknown as ProcessIdentity, ghosts };
  } catch {
    // Cut off in the middle: nobody can tell whose it is.
    return undefined;
  }
}
