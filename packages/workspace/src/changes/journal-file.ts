import { constants } from 'node:fs';
import { join } from 'node:path';
import { BlackError, isRecord } from '@black-ide/protocol';
import type { Step } from './change-steps.ts';
import { type FileOps, writeAll } from './file-ops.ts';

const SUFFIX = '.journal';

type JournalRecord =
  | { phase: 'prepare'; v: 1; label: string | null; folders: string[]; files: Leftover[] }
  | { phase: 'commit'; aborted: 0 | 1; steps: Step[] };

/** What stands in front of the one digit by which a commit is taken back: changing it needs no room on a full disk. */
const BEFORE_ABORTED = '{"phase":"commit","aborted":';

/** What a step may leave beside its target. */
export type Leftover = Pick<Step, 'path' | 'temp' | 'backup'>;

/** What a journal says, however far its writer came. */
export interface JournalContents {
  /** `empty`: nothing was touched; `prepared`: only leftovers; `committed`: to be finished; `aborted`: to be taken back. */
  state: 'empty' | 'prepared' | 'committed' | 'aborted';
  /** What the change set was for, as its maker said. */
  label: string | null;
  /** Folders that did not exist before, outermost first. */
  folders: string[];
  files: Leftover[];
  /** Known once committed. */
  steps: Step[];
  /** Known once committed: where in the journal the digit of `aborted` stands, in bytes. */
  abortedAt: number;
}

/**
 * The record of one commit under way: a file of JSON lines, written ahead of what it speaks of. `prepare` names every file
 * that may be left over, `commit` says that all of them are complete and the change set counts as made, unless its `aborted` is
 * 1: then it is to be taken back. A last line without its end was never written.
 */
export class JournalFile {
  readonly #ops: FileOps;
  readonly #path: string;
  readonly #fd: number;
  #length = 0;
  #abortedAt: number | undefined;
  #closed = false;

  private constructor(ops: FileOps, path: string, fd: number) {
    this.#ops = ops;
    this.#path = path;
    this.#fd = fd;
  }

  /** @throws BlackError `journal_unwritable` */
  static create(ops: FileOps, folder: string, id: string): JournalFile {
    const path = join(folder, id + SUFFIX);
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    try {
      return new JournalFile(ops, path, ops.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600));
    } catch (cause) {
      throw journalUnwritable(folder, cause);
    }
  }

  /** Whether the change set counts as made: its line is complete. */
  get isCommitted(): boolean {
    return this.#abortedAt !== undefined;
  }

  /** @throws BlackError `journal_unwritable`, as do the others */
  prepare(label: string | null, folders: string[], files: Leftover[]): void {
    this.#append({ phase: 'prepare', v: 1, label, folders, files });
  }

  /** From here on the change set is finished by whoever finds the journal. Waits until the disk has it. */
  async commit(steps: readonly Step[]): Promise<void> {
    const at = this.#length + BEFORE_ABORTED.length;
    this.#append({ phase: 'commit', aborted: 0, steps: [...steps] });
    this.#abortedAt = at;
    try {
      await this.#ops.fsync(this.#fd);
    } catch (cause) {
      throw journalUnwritable(this.#path, cause);
    }
  }

  /** From here on it is taken back by whoever finds the journal. */
  abort(): void {
    if (this.#abortedAt !== undefined) writeDigit(this.#ops, this.#fd, this.#abortedAt);
  }

  /** Nothing is left to do. */
  remove(): void {
    this.close();
    this.#ops.unlink(this.#path);
  }

  /** Leaves the journal where it is, for another to finish. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ops.close(this.#fd);
  }

  #append(record: JournalRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    try {
      writeAll(this.#ops, this.#fd, line);
    } catch (cause) {
      throw journalUnwritable(this.#path, cause);
    }
    this.#length += line.length;
  }
}

/** Has a dead process's commit taken back instead of finished. */
export function abortJournal(ops: FileOps, path: string, { abortedAt }: JournalContents): void {
  const fd = ops.open(path, constants.O_WRONLY);
  try {
    writeDigit(ops, fd, abortedAt);
  } finally {
    ops.close(fd);
  }
}

function writeDigit(ops: FileOps, fd: number, position: number): void {
  ops.write(fd, Buffer.from('1'), position);
}

/** The journals in a folder, by their full paths. */
export function listJournals(ops: FileOps, folder: string): string[] {
  return ops
    .readdir(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => join(folder, name));
}

/** @throws BlackError `journal_damaged` where a complete line is none of ours */
export function parseJournal(text: string): JournalContents {
  const contents: JournalContents = { state: 'empty', label: null, folders: [], files: [], steps: [], abortedAt: 0 };
  let at = 0;
  for (const line of text.split('\n').slice(0, -1)) {
    const record = readRecord(line);
    if (record.phase === 'prepare') {
      const { label, folders, files } = record;
      Object.assign(contents, { state: 'prepared', label, folders, files });
    } else {
      const state = record.aborted ? 'aborted' : 'committed';
      Object.assign(contents, { state, steps: record.steps, abortedAt: at + BEFORE_ABORTED.length });
    }
    at += Buffer.byteLength(line) + 1;
  }
  return contents;
}

/** The error for a journal folder that cannot be written. */
export function journalUnwritable(path: string, cause: unknown): BlackError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BlackError(
    'journal_unwritable',
    `No file was changed, because ${path} cannot be written: ${reason}`,
    'Make its folder writable and leave room on its disk, or choose another home with BLACKIDE_HOME.',
    { cause },
  );
}

function readRecord(line: string): JournalRecord {
  const damaged = (cause?: unknown) =>
    new BlackError('journal_damaged', 'A journal line cannot be read.', 'Look at the files it names.', { cause });
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch (cause) {
    throw damaged(cause);
  }
  const isOurs =
    isRecord(record) &&
    ((record.phase === 'prepare' && record.v === 1 && Array.isArray(record.folders) && Array.isArray(record.files)) ||
      (record.phase === 'commit' && line.startsWith(BEFORE_ABORTED) && Array.isArray(record.steps)));
  if (!isOurs) throw damaged();
  return record as JournalRecord;
}
