import type { BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import type { FileOps } from './file-ops.ts';
import type { FolderHandles } from './folder-handles.ts';

/** Which file something was, and whether it has been written to since; decimal strings, for they exceed a number. */
export interface Stamp {
  dev: string;
  ino: string;
  size: string;
  mtimeNs: string;
}

/**
 * One file of a change set on its way to the disk. `put` brings the finished temporary file under the target's name,
 * `drop` takes the target away. Both are idempotent in both directions, so that whoever is killed in between can be
 * finished, or taken back, by another process.
 */
export interface Step {
  kind: 'put' | 'drop';
  /** The target's real path. */
  path: string;
  /** Name, in the same folder, of the new content. */
  temp: string | null;
  /** Name, in the same folder, of a second link to the old content; null where there is none. */
  backup: string | null;
  /** The target before; null where nothing was. */
  before: Stamp | null;
  /** The new content. */
  after: Stamp | null;
}

/**
 * `done`; `conflict`: somebody else has changed the target, which is left as they made it; `lost`: somebody else has
 * removed the file that the step needs.
 */
export type StepOutcome = 'done' | 'conflict' | 'lost';

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EXDEV']);

/** Carries steps out, finishes them and takes them back. */
export class StepRunner {
  readonly #ops: FileOps;
  readonly #folders: FolderHandles;

  constructor(ops: FileOps, folders: FolderHandles) {
    this.#ops = ops;
    this.#folders = folders;
  }

  /** Brings a target to its new state. `all` are the steps it belongs to. */
  forward(step: Step, all: readonly Step[]): StepOutcome {
    const now = this.stampAt(step.path);
    return step.kind === 'drop' ? this.#drop(step, now, all) : this.#put(step, now);
  }

  /** Brings a target back to its old state. */
  back(step: Step): StepOutcome {
    const now = this.stampAt(step.path);
    const isOurs = step.kind === 'drop' ? !now : sameStamp(now, step.after);
    if (!step.before) {
      // Another file than ours was never put there by us.
      if (!isOurs) return now && step.after && sameFile(now, step.after) ? 'conflict' : 'done';
      this.#ops.unlink(this.#target(step));
      return 'done';
    }
    if (now && sameFile(now, step.before)) return 'done';
    const hasBackup = this.#exists(step, step.backup);
    if (!isOurs) return hasBackup ? 'conflict' : 'done';
    if (!hasBackup) return 'lost';
    this.#ops.rename(this.#at(step, step.backup), this.#target(step));
    return 'done';
  }

  /** Removes what the step put beside its target. */
  sweep(step: Pick<Step, 'path' | 'temp' | 'backup'>): void {
    for (const name of [step.temp, step.backup]) if (name !== null) this.#remove(this.#at(step, name));
  }

  /** A second name for the target's content; a copy where the disk has no hard links. */
  backUp(step: Step): void {
    const [target, backup] = [this.#target(step), this.#at(step, step.backup)];
    try {
      this.#ops.link(target, backup);
    } catch (error) {
      if (!NO_LINKS.has(errnoOf(error) ?? '')) throw error;
      this.#ops.copy(target, backup);
    }
  }

  /** What is at the target now; undefined where nothing is. */
  stampAt(path: string, name = basename(path)): Stamp | undefined {
    const stats = this.#ops.lstat(this.#folders.at(dirname(path), name));
    return stats && stampOf(stats);
  }

  #drop(step: Step, now: Stamp | undefined, all: readonly Step[]): StepOutcome {
    if (!now) return 'done';
    // On a disk that ignores case, a file renamed to another case answers to its old name as well.
    if (all.some(({ after }) => after && sameFile(now, after))) return 'done';
    const hasBackup = this.#exists(step, step.backup);
    if (!sameStamp(now, step.before)) return hasBackup ? 'conflict' : 'done';
    if (!hasBackup) return 'lost';
    this.#ops.unlink(this.#target(step));
    return 'done';
  }

  #put(step: Step, now: Stamp | undefined): StepOutcome {
    if (now && step.after && sameFile(now, step.after)) return 'done';
    const isBefore = step.before ? sameStamp(now, step.before) : !now;
    const hasTemp = this.#exists(step, step.temp);
    if (!isBefore) return hasTemp ? 'conflict' : 'done';
    if (!hasTemp) return 'lost';
    if (!step.before) return this.#create(this.#at(step, step.temp), this.#target(step));
    this.#ops.rename(this.#at(step, step.temp), this.#target(step));
    return 'done';
  }

  /** Gives the new content a name that must be free. */
  #create(temp: string, target: string): StepOutcome {
    try {
      this.#ops.link(temp, target);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return 'conflict';
      if (!NO_LINKS.has(errnoOf(error) ?? '')) throw error;
      this.#ops.rename(temp, target);
    }
    return 'done';
  }

  #exists(step: Step, name: string | null): boolean {
    return name !== null && this.#ops.lstat(this.#at(step, name)) !== undefined;
  }

  #target(step: Step): string {
    return this.#at(step, basename(step.path));
  }

  #at(step: Pick<Step, 'path'>, name: string | null): string {
    if (name === null) throw new BlackError('internal', `a step for ${step.path} lacks a file`);
    return this.#folders.at(dirname(step.path), name);
  }

  #remove(path: string): void {
    try {
      this.#ops.unlink(path);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
}

export function stampOf({ dev, ino, size, mtimeNs }: BigIntStats): Stamp {
  return { dev: String(dev), ino: String(ino), size: String(size), mtimeNs: String(mtimeNs) };
}

/** The same file, and nobody has written to it. */
export function sameStamp(a: Stamp | null | undefined, b: Stamp | null | undefined): boolean {
  return !!a && !!b && sameFile(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

function sameFile(a: Stamp, b: Stamp): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
