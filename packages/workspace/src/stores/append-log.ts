import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from './errno.ts';

export interface AppendLogOptions {
  /** The file must not exist yet. */
  exclusive?: boolean;
}

const NEWLINE = 10;

/**
 * A file of lines that only ever grows. Each append is one synchronous write of whole lines, so that a reader, or we
 * ourselves after a crash, find every line that `append` returned for. A line that a crash cut off stays where it is,
 * and the next append begins below it.
 */
export class AppendLog {
  readonly path: string;
  #fd: number | undefined;
  /** The file ends in the middle of a line. */
  #torn: boolean;
  #failure: BlackError | undefined;

  private constructor(path: string, fd: number, torn: boolean) {
    this.path = path;
    this.#fd = fd;
    this.#torn = torn;
  }

  /**
   * Opens a log, and creates it (for its owner alone) where it is missing. Its folder must exist.
   * @throws BlackError `log_exists`, `log_unwritable`.
   */
  static open(path: string, { exclusive = false }: AppendLogOptions = {}): AppendLog {
    const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK = 0 } = constants;
    let fd: number | undefined;
    try {
      fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | (exclusive ? O_EXCL : 0), 0o600);
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new Error('it is no regular file');
      return new AppendLog(path, fd, stat.size > 0 && lastByte(fd, stat.size) !== NEWLINE);
    } catch (cause) {
      if (fd !== undefined) closeSync(fd);
      if (errnoOf(cause) === 'EEXIST') throw new BlackError('log_exists', `${path} exists already.`);
      throw unwritable(path, cause);
    }
  }

  /** Why nothing more can be appended: an earlier write failed, and what is on disk after it is not certain. */
  get failure(): BlackError | undefined {
    return this.#failure;
  }

  /**
   * Appends lines, given without their line ends, in one write. On disk (in the system's care) when it returns.
   * @param durable waits until the disk itself has them: they survive a power cut.
   * @throws BlackError `log_unwritable`, `log_gone`; the failure is kept and every later append fails alike.
   */
  append(lines: readonly string[], durable = false): void {
    if (this.#failure) throw this.#failure;
    const fd = this.#fd;
    if (fd === undefined) throw new BlackError('log_closed', `${this.path} is closed.`);
    if (lines.some((line) => line.includes('\n'))) throw new TypeError('a line of a log holds no line end');
    const bytes = Buffer.from(`${this.#torn ? '\n' : ''}${lines.join('\n')}\n`);
    try {
      // A deleted file swallows writes without a word.
      if (fstatSync(fd).nlink === 0) throw gone(this.path);
      const written = writeSync(fd, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
      if (durable) fsyncSync(fd);
    } catch (cause) {
      this.#failure = cause instanceof BlackError ? cause : unwritable(this.path, cause);
      throw this.#failure;
    }
    this.#torn = false;
  }

  dispose(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function lastByte(fd: number, size: number): number {
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, size - 1);
  return byte[0]!;
}

function gone(path: string): BlackError {
  return new BlackError('log_gone', `${path} was deleted while it was in use.`, 'Start a new session.');
}

function unwritable(path: string, cause: unknown): BlackError {
  const next =
    errnoOf(cause) === 'ENOSPC' || errnoOf(cause) === 'EDQUOT'
      ? 'Free some disk space, then open the session again.'
      : 'Check that its folder exists and is writable, then open the session again.';
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BlackError('log_unwritable', `${path} cannot be written: ${reason}`, next, { cause });
}
