import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { ioError } from '../documents/io-errors.ts';
import { errnoOf } from '../stores/errno.ts';
import { type Stamp, type Step, type StepRunner, sameStamp, stampOf } from './change-steps.ts';
import { type FileOps, writeAll } from './file-ops.ts';
import type { FolderHandles } from './folder-handles.ts';
import type { JournalFile } from './journal-file.ts';
import type { PlannedChange } from './plan-changes.ts';
import { removeFolders, sweepLeftovers, takeBackSteps } from './settle-steps.ts';

/**
 * Brings planned changes to the disk, all or none. First everything new is written beside its target and everything old
 * gets a second name; then one journal line makes the change set count; then the names are exchanged. Killed before that
 * line, all files are old; after it, the next process finishes the exchange.
 */
export class CommitRun {
  readonly #ops: FileOps;
  readonly #folders: FolderHandles;
  readonly #runner: StepRunner;
  readonly #journal: JournalFile;
  readonly #steps: Step[] = [];
  readonly #undone: () => void;
  #made: string[] = [];

  /** `undone` is called when nothing of the commit is left, before its journal goes. */
  constructor(
    ops: FileOps,
    folders: FolderHandles,
    runner: StepRunner,
    journal: JournalFile,
    undone: () => void = () => undefined,
  ) {
    this.#ops = ops;
    this.#folders = folders;
    this.#runner = runner;
    this.#journal = journal;
    this.#undone = undone;
  }

  /** Folders that were made for the new files, outermost first. */
  get madeFolders(): readonly string[] {
    return this.#made;
  }

  /** Writes all that is new beside its targets; fills in the modes that new files got. */
  prepare(plan: readonly PlannedChange[], label: string | null): void {
    const id = randomBytes(6).toString('hex');
    const name = (n: number, what: string) => `.${id}.${n}.${what}.black-tmp`;
    const steps = plan.map(
      ({ real, before, after }, n): Step => ({
        kind: after ? 'put' : 'drop',
        path: real,
        temp: after && name(n, 'new'),
        backup: before && name(n, 'old'),
        before: null,
        after: null,
      }),
    );
    this.#steps.push(...steps.filter((step) => step.kind === 'drop'), ...steps.filter((step) => step.kind === 'put'));
    const missing = this.#missingFolders(plan);
    this.#journal.prepare(
      label,
      missing,
      this.#steps.map(({ path, temp, backup }) => ({ path, temp, backup })),
    );
    this.#made = missing;
    for (const folder of missing) wrapped(folder, () => this.#makeFolder(folder));
    for (const [n, change] of plan.entries()) {
      const step = steps[n];
      if (step) this.#prepareStep(step, change);
    }
  }

  /** Makes the change set count, then exchanges the names. */
  async apply(): Promise<void> {
    await this.#journal.commit(this.#steps);
    for (const step of this.#steps) {
      const outcome = wrapped(step.path, () => this.#runner.forward(step, this.#steps));
      if (outcome !== 'done') throw changedMeanwhile(step.path);
    }
    for (const step of this.#steps) if (this.#wasWrittenTo(step)) throw changedMeanwhile(step.path);
  }

  /** Removes what is left beside the targets, and the journal. What cannot be removed now is left to the next process. */
  finish(): void {
    try {
      for (const step of this.#steps) this.#runner.sweep(step);
      this.#journal.remove();
    } catch (error) {
      this.#journal.close();
      throw ioError(error, 'temporary files');
    }
  }

  /**
   * Takes everything back; answers the files that somebody else has changed meanwhile, and which are left so. Where even
   * that fails the journal stays, for the next process to settle.
   * @throws BlackError `rollback_failed`
   */
  rollBack(): string[] {
    try {
      this.#journal.abort();
      const conflicts = this.#journal.isCommitted ? takeBackSteps(this.#runner, this.#steps) : [];
      sweepLeftovers(this.#runner, this.#steps);
      removeFolders(this.#ops, this.#folders, this.#made);
      this.#undone();
      this.#journal.remove();
      return conflicts;
    } catch (cause) {
      this.#journal.close();
      const files = this.#steps.map((step) => step.path).join(', ');
      throw new BlackError(
        'rollback_failed',
        `Writing failed and could not be taken back yet. Files concerned: ${files}`,
        'Mend the disk; the next start settles it.',
        { cause },
      );
    }
  }

  #prepareStep(step: Step, change: PlannedChange): void {
    const { before, after } = change;
    if (after && step.temp !== null) this.#writeTemp(step, step.temp, change);
    if (!before || step.backup === null) return;
    wrapped(step.path, () => this.#runner.backUp(step));
    const now = this.#runner.stampAt(step.path);
    if (!now || now.size !== String(before.size) || now.mtimeNs !== String(before.mtimeNs))
      throw changedMeanwhile(step.path);
    step.before = now;
  }

  #writeTemp(step: Step, temp: string, { before, source, after, notes }: PlannedChange): void {
    if (!after) return;
    if (after.link) {
      this.#writeLink(step, temp, after.bytes);
      return;
    }
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
    const current = before ?? source;
    const old = current?.link ? undefined : current;
    let fd: number | undefined;
    try {
      const path = this.#folders.at(dirname(step.path), temp);
      fd = this.#ops.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, old ? 0o600 : 0o666);
      writeAll(this.#ops, fd, after.bytes);
      if (old) this.#keepOwner(fd, old, notes);
      if (after.mode !== -1) this.#ops.fchmod(fd, after.mode);
      const stats = this.#ops.fstat(fd);
      after.mode = Number(stats.mode) & 0o7777;
      step.after = stampOf(stats);
    } catch (error) {
      throw ioError(error, step.path);
    } finally {
      if (fd !== undefined) this.#ops.close(fd);
    }
  }

  #writeLink(step: Step, temp: string, target: Uint8Array): void {
    wrapped(step.path, () => {
      const path = this.#folders.at(dirname(step.path), temp);
      this.#ops.symlink(target, path);
      const stats = this.#ops.lstat(path);
      step.after = stats ? stampOf(stats) : null;
    });
  }

  #keepOwner(fd: number, old: { uid: number; gid: number }, notes: string[]): void {
    const { uid, gid } = this.#ops.fstat(fd);
    if (Number(uid) === old.uid && Number(gid) === old.gid) return;
    try {
      this.#ops.fchown(fd, old.uid, old.gid);
    } catch {
      // Giving a file away is the administrator's alone; the content is still ours to write, so it is said, not refused.
      notes.push(`its owner or group could not be kept (${old.uid}:${old.gid})`);
    }
  }

  #missingFolders(plan: readonly PlannedChange[]): string[] {
    const missing = new Set<string>();
    for (const { real, after } of plan) {
      const found: string[] = [];
      for (
        let at = dirname(real);
        after && !missing.has(at) && !wrapped(at, () => this.#ops.lstat(at));
        at = dirname(at)
      )
        found.unshift(at);
      for (const folder of found) missing.add(folder);
    }
    return [...missing];
  }

  #makeFolder(folder: string): void {
    try {
      this.#ops.mkdir(this.#folders.at(dirname(folder), basename(folder)));
    } catch (error) {
      // Somebody else made it a moment ago; that it is a folder shows when it is opened.
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }

  /** Whether the old content was written to, in place, after it was read: then that writing would be lost. */
  #wasWrittenTo(step: Step): boolean {
    if (step.backup === null || !step.before) return false;
    const now: Stamp | undefined = this.#runner.stampAt(step.path, step.backup);
    const isCopy = now?.ino !== step.before.ino;
    return !isCopy && !sameStamp(now, step.before);
  }
}

function wrapped<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw ioError(error, path);
  }
}

function changedMeanwhile(path: string): BlackError {
  return new BlackError(
    'changed_since_read',
    `${path} was changed by somebody else in this very moment.`,
    'Read it again, then make the change anew.',
  );
}
