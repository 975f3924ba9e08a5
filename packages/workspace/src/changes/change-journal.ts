import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import { ioError } from '../documents/io-errors.ts';
import { errnoOf } from '../stores/errno.ts';
import { ProcessLock } from '../stores/process-lock.ts';
import type { ProcessTable } from '../stores/process-table.ts';
import { type FileOps, nodeFileOps } from './file-ops.ts';
import { JournalFile, journalUnwritable } from './journal-file.ts';
import { type RecoveredChange, recoverJournals } from './recover-changes.ts';

export interface ChangeJournalOptions {
  /** Folder of this workspace's journal, outside of the workspace; made when missing. */
  folder: string;
  /** How long a commit waits for another process's commit. Default 10 s. */
  waitMs?: number;
  /** Told when a commit found, and settled, what a dead process had left. */
  onRecovered?: (changes: RecoveredChange[]) => void;
  /**
   * Told the label of a change set of which nothing is left, now or in recovery, before its journal goes: what was stored
   * for undoing it is to be forgotten. May be told of one for which nothing was stored, and twice of the same.
   */
  onUndone?: (label: string | null) => void;
  ops?: FileOps;
  table?: ProcessTable;
}

const DEFAULT_WAIT_MS = 10_000;
const POLL_MS = 10;

/**
 * One commit at a time in a workspace, across processes, and none upon the ruins of another: whoever comes next first
 * settles what a killed process left.
 */
export class ChangeJournal {
  readonly folder: string;
  readonly ops: FileOps;
  readonly #waitMs: number;
  readonly #onRecovered: (changes: RecoveredChange[]) => void;
  readonly #onUndone: (label: string | null) => void;
  readonly #table: ProcessTable | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeJournalOptions) {
    this.folder = options.folder;
    this.ops = options.ops ?? nodeFileOps;
    this.#waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
    this.#onRecovered = options.onRecovered ?? (() => undefined);
    this.#onUndone = options.onUndone ?? (() => undefined);
    this.#table = options.table;
  }

  /** Settles what dead processes left; call it once at the start. Costs a look into the folder where they left nothing. */
  async recover(signal?: AbortSignal): Promise<RecoveredChange[]> {
    if (!this.#isInUse()) return [];
    return this.#locked(signal, () => this.#recover());
  }

  /**
   * Runs one commit, alone.
   * @throws BlackError `busy`, `journal_unwritable`, `lock_failed`; the signal's reason when aborted while waiting
   */
  async exclusive<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    return this.#locked(signal, async () => {
      const recovered = this.#recover();
      if (recovered.length > 0) this.#onRecovered(recovered);
      return run();
    });
  }

  /** A new journal file. Only inside of `exclusive`. */
  open(): JournalFile {
    return JournalFile.create(this.ops, this.folder, randomBytes(8).toString('hex'));
  }

  /** Tells that nothing is left of a change set. */
  undone(label: string | null): void {
    this.#onUndone(label);
  }

  /** Whether anything lies in the folder: a journal, or the lock of a process that may be dead. */
  #isInUse(): boolean {
    try {
      return this.ops.readdir(this.folder).length > 0;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return false;
      throw ioError(error, this.folder);
    }
  }

  #recover(): RecoveredChange[] {
    try {
      return recoverJournals(this.ops, this.folder, this.#onUndone);
    } catch (error) {
      throw ioError(error, this.folder);
    }
  }

  async #locked<T>(signal: AbortSignal | undefined, run: () => T | Promise<T>): Promise<T> {
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    try {
      await before;
      const lock = await this.#acquire(signal);
      try {
        return await run();
      } finally {
        lock.release();
      }
    } finally {
      turn.resolve();
    }
  }

  async #acquire(signal: AbortSignal | undefined): Promise<ProcessLock> {
    signal?.throwIfAborted();
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw journalUnwritable(this.folder, error);
    }
    for (let waited = 0; ; waited += POLL_MS) {
      const attempt = ProcessLock.acquire(join(this.folder, 'commit.lock'), this.#table);
      if (attempt.ok) return attempt.lock;
      if (waited >= this.#waitMs) throw busy(attempt.heldBy.pid);
      await sleep(POLL_MS);
      signal?.throwIfAborted();
    }
  }
}

/** Settles what dead processes left in a workspace's journal folder. */
export async function recoverChanges(options: ChangeJournalOptions, signal?: AbortSignal): Promise<RecoveredChange[]> {
  return new ChangeJournal(options).recover(signal);
}

function busy(pid: number): BlackError {
  return new BlackError(
    'busy',
    `Process ${pid} is writing files of this workspace and does not come to an end.`,
    'Try again, or end that process.',
  );
}
