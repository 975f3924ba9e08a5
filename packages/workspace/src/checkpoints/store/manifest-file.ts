import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
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

  /**
   * The whole lines from a byte offset on, where the last of them begins, and which file they are of, by its first line:
   * inodes are used again, and two files of the same name may have the same.
   */
  read(from = 0): { file: string; lines: string[]; last: number } {
    let fd: number | undefined;
    try {
      fd = openSync(this.path, 'r');
      const first = bytesAt(fd, 0, HEAD_CHARS).toString('latin1').split('\n', 1)[0] ?? '';
      const bytes = bytesAt(fd, from, Math.max(fstatSync(fd).size - from, 0));
      const end = bytes.lastIndexOf(NEWLINE);
      if (end < 0) return { file: first, lines: [], last: from };
      const last = end === 0 ? 0 : bytes.lastIndexOf(NEWLINE, end - 1) + 1;
      return { file: first, lines: bytes.toString('utf8', 0, end).split('\n'), last: from + last };
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return { file: '', lines: [], last: 0 };
      throw ioError(cause, this.path);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Its length in bytes. */
  get size(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
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

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  for (let read = 1; read > 0 && done < length; done += read) {
    read = readSync(fd, bytes, done, length - done, position + done);
  }
  return bytes.subarray(0, done);
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
