import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { type FileOps, nodeFileOps, writeAll } from '../../changes/file-ops.ts';
import { ioError } from '../../documents/io-errors.ts';
import { errnoOf } from '../../stores/errno.ts';
import { makeStoreFolder } from '../../stores/store-folder.ts';
import { writeFileAtomic } from '../../stores/write-file-atomic.ts';
import { isManifestRecord, type ManifestRecord } from './records.ts';

const NAME = 'manifest.ndjson';
const NEWLINE = 10;
/** Before every line: a line that was cut off, even by its end alone, is none of JSON with this behind it. */
const SEAM = '-\n';
/** The first line of a file that took the place of another: `~` and a random name. */
const HEAD_CHARS = 18;

/**
 * The manifest of a workspace's checkpoints, the truth of undo: a file of JSON lines that only grows. Its writers hold
 * the workspace's commit lock. A line is made by one write and ends with a line end; what a kill or a full disk cut off
 * is no line, and the next one begins below it.
 */
export class ManifestFile {
  readonly path: string;
  readonly #folder: string;
  readonly #ops: FileOps;

  constructor(folder: string, ops: FileOps = nodeFileOps) {
    this.#folder = folder;
    this.path = join(folder, NAME);
    this.#ops = ops;
  }

  /** Appends a record; the disk itself has it when this resolves. @throws BlackError; the file is as before then. */
  async append(record: ManifestRecord): Promise<void> {
    const fd = this.#open();
    let before: number | undefined;
    try {
      before = Number(this.#ops.fstat(fd).size);
      writeAll(this.#ops, fd, Buffer.from(`${SEAM}${JSON.stringify(record)}\n`));
      await this.#ops.fsync(fd);
    } catch (cause) {
      if (before !== undefined) this.#ops.truncate(fd, before);
      throw this.#unwritable(cause);
    } finally {
      this.#ops.close(fd);
    }
  }

  /**
   * Forgets a change that never came about. It is the last line, unless something else was written after a commit that
   * could not be settled: then a line says so.
   */
  retract(id: string): void {
    const text = this.#text();
    const start = text.lastIndexOf(`\n{"t":"change","v":1,"id":${JSON.stringify(id)},`);
    if (start < 0) return;
    const end = text.indexOf('\n', start + 1);
    const isLast = end < 0 || text.slice(end).trim() === '';
    const fd = this.#open();
    try {
      if (isLast) this.#ops.truncate(fd, Buffer.byteLength(text.slice(0, text[start - 1] === '-' ? start - 1 : start)));
      else writeAll(this.#ops, fd, Buffer.from(`${SEAM}${JSON.stringify({ t: 'void', v: 1, id })}\n`));
    } catch (cause) {
      throw this.#unwritable(cause);
    } finally {
      this.#ops.close(fd);
    }
  }

  /** The whole lines from a byte offset on, where the last of them begins, and where it ends. */
  read(from = 0): { lines: string[]; last: number; end: number } {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.path);
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return { lines: [], last: 0, end: 0 };
      throw ioError(cause, this.path);
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end <= from) return { lines: [], last: from, end: from };
    const last = bytes.lastIndexOf(NEWLINE, end - 2) + 1;
    return { lines: bytes.toString('utf8', from, end - 1).split('\n'), last: Math.max(last, from), end };
  }

  /** Which file it is, by its first line, and how long: whether there is anything new in it. */
  stamp(): { file: string; size: number } {
    let fd: number | undefined;
    try {
      fd = openSync(this.path, 'r');
      const first = Buffer.alloc(HEAD_CHARS);
      const read = readSync(fd, first, 0, HEAD_CHARS, 0);
      // Inodes are used again: two files of the same name may have the same.
      return { file: first.toString('latin1', 0, read).split('\n', 1)[0] ?? '', size: fstatSync(fd).size };
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return { file: '', size: 0 };
      throw ioError(cause, this.path);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Puts a new file in the place of this one, all or nothing, which can be told from it. */
  replace(records: readonly ManifestRecord[]): void {
    const lines = records.map((record) => `${SEAM}${JSON.stringify(record)}\n`).join('');
    writeFileAtomic(this.path, `~${randomBytes(8).toString('hex')}\n${lines}`, { durable: true });
  }

  #open(): number {
    const { O_WRONLY, O_APPEND, O_CREAT } = constants;
    try {
      makeStoreFolder(this.#folder);
      return this.#ops.open(this.path, O_WRONLY | O_APPEND | O_CREAT, 0o600);
    } catch (cause) {
      throw this.#unwritable(cause);
    }
  }

  #text(): string {
    try {
      return this.#ops.readText(this.path);
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return '';
      throw ioError(cause, this.path);
    }
  }

  #unwritable(cause: unknown): BlackError {
    if (cause instanceof BlackError) return cause;
    const full = errnoOf(cause) === 'ENOSPC' || errnoOf(cause) === 'EDQUOT';
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new BlackError(
      full ? 'disk_full' : 'checkpoint_unwritable',
      `Nothing was changed, because its undo could not be stored: ${this.path}: ${reason}`,
      full
        ? 'Free some disk space and try again.'
        : 'Make its folder writable, or choose another home with BLACKIDE_HOME.',
      { cause },
    );
  }
}

/** The record that a line holds; none for one that is none of ours. */
export function parseRecord(line: string): ManifestRecord[] {
  if (!line.startsWith('{')) return [];
  try {
    const value: unknown = JSON.parse(line);
    return isManifestRecord(value) ? [value] : [];
  } catch {
    // Cut off by a kill or a full disk: what it was to tell never happened.
    return [];
  }
}
