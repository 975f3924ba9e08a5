import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BlackError, isRecord } from '@black-ide/protocol';
import { errnoOf } from './errno.ts';
import { type ProcessIdentity, ProcessTable } from './process-table.ts';

/** The lock, or the living process that holds it. */
export type LockAttempt = { ok: true; lock: ProcessLock } | { ok: false; heldBy: ProcessIdentity };

/** Others may come and go between two looks; nobody is that busy. */
const ATTEMPTS = 100;

/**
 * A lock that one process of this machine holds until it releases it or dies; a dead owner is replaced at once.
 *
 * The lock is a folder with one file, whose name no other owner ever uses and which says who owns it. Taking it is one
 * rename of a folder that was made ready aside: that succeeds onto nothing or onto an empty folder, and never onto
 * another owner's. A dead owner is cleared by deleting its very file, so that two who do so at the same time cannot
 * clear each other.
 */
export class ProcessLock {
  readonly path: string;
  readonly #file: string;
  #held = true;

  private constructor(path: string, file: string) {
    this.path = path;
    this.#file = file;
  }

  /**
   * Tries once; never waits. The folder that the lock lies in must exist.
   * @throws BlackError `lock_failed` where the lock cannot be made at all.
   */
  static acquire(path: string, table: ProcessTable = new ProcessTable()): LockAttempt {
    const nonce = randomBytes(6).toString('hex');
    const ready = `${path}.${nonce}.tmp`;
    const name = `${nonce}.json`;
    try {
      mkdirSync(ready, { mode: 0o700 });
      writeFileSync(join(ready, name), JSON.stringify(table.self()), { mode: 0o600 });
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (renamed(ready, path)) return { ok: true, lock: new ProcessLock(path, join(path, name)) };
        const heldBy = livingOwner(path, table);
        if (heldBy) return { ok: false, heldBy };
      }
      throw new Error('it changes hands all the time');
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new BlackError('lock_failed', `${path} cannot be locked: ${reason}`, 'Check that its folder is writable.', {
        cause,
      });
    } finally {
      rmSync(ready, { recursive: true, force: true });
    }
  }

  /** Gives the lock up. Does nothing the second time. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    ifThere(() => unlinkSync(this.#file));
    ifThere(() => rmdirSync(this.path));
  }

  dispose(): void {
    this.release();
  }
}

function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (cause) {
    // EPERM: Windows never renames onto a folder; an empty one is removed below.
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errnoOf(cause) ?? '')) return false;
    throw cause;
  }
}

/** The owner where it lives; otherwise clears what the dead have left. */
function livingOwner(path: string, table: ProcessTable): ProcessIdentity | undefined {
  let names: string[] = [];
  ifThere(() => {
    names = readdirSync(path);
  });
  for (const name of names) {
    const file = join(path, name);
    const owner = ownerIn(file);
    if (owner && table.isAlive(owner)) return owner;
    ifThere(() => unlinkSync(file));
  }
  ifThere(() => rmdirSync(path));
  return undefined;
}

/** Undefined for a file that is gone, or unreadable: a living owner's is complete before it comes under this name. */
function ownerIn(file: string): ProcessIdentity | undefined {
  let text = '';
  ifThere(() => {
    text = readFileSync(file, 'utf8');
  });
  try {
    const owner: unknown = JSON.parse(text);
    return isRecord(owner) && typeof owner.pid === 'number' ? (owner as unknown as ProcessIdentity) : undefined;
  } catch {
    // Not JSON: nobody alive wrote it.
    return undefined;
  }
}

/** Does a thing that another process may have done, or made impossible, a moment before. */
function ifThere(act: () => void): void {
  try {
    act();
  } catch (cause) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(cause) ?? '')) throw cause;
  }
}
