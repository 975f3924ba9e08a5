import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Both ends of a pipe, as file descriptors; whoever gets them closes them. */
export interface OutputPipe {
  readEnd: number;
  writeEnd: number;
}

const MKFIFO = ['/usr/bin/mkfifo', '/bin/mkfifo'];
const PATIENCE_MS = 2_000;

/**
 * Makes a real pipe, one for stdout and stderr together. What Node makes for a child is a pair of sockets, one each:
 * the order of the two streams is lost, and a command that opens `/dev/stderr` or `/dev/stdout` by name fails, because
 * Linux does not open sockets by name. Node cannot make a pipe itself, so this is a FIFO whose name is removed at once.
 * Undefined where that is not possible (no mkfifo, no temporary folder to write in).
 */
export async function openOutputPipe(temporary: string = tmpdir()): Promise<OutputPipe | undefined> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(temporary, 'black-pipe-'));
    const path = join(folder, 'output');
    await makeFifo(path);
    // Opening the end to read without waiting first lets the other one open at once.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      closeSync(readEnd);
      throw error;
    }
  } catch {
    // The caller has another way, only a little worse.
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function makeFifo(path: string): Promise<void> {
  const run = promisify(execFile);
  for (const [index, program] of MKFIFO.entries()) {
    try {
      await run(program, ['-m', '600', path], { env: {}, timeout: PATIENCE_MS, killSignal: 'SIGKILL' });
      return;
    } catch (error) {
      if (index === MKFIFO.length - 1) throw error;
    }
  }
}
