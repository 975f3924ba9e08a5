import { spawn } from 'node:child_process';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { type RipgrepRecord, RipgrepRecords } from './ripgrep-records.ts';

export interface RipgrepRun {
  program: string;
  /** With `--json`. */
  args: readonly string[];
  cwd: string;
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** False ends the search. */
  onRecord: (record: RipgrepRecord) => boolean;
}

const MAX_STDERR = 64 * 1024;

/**
 * Runs ripgrep without a shell.
 * @returns how many files and folders it could not read.
 * @throws see `grep`.
 */
export function runRipgrep({ program, args, cwd, env, signal, onRecord }: RipgrepRun): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    // Where no pipe could be made (too many open files) there are no streams, and the error comes later.
    child.once('error', (cause) => reject(notStarted(program, cause)));
    if (!child.stdout || !child.stderr) return;
    let isEnough = false;
    let isComplete = false;
    let stderr = '';
    const stop = (): void => {
      isEnough = true;
      child.kill('SIGKILL');
      // What is in the pipe still is of no use.
      child.stdout.destroy();
    };
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };
    const abort = (): void => fail(signal?.reason);
    const records = new RipgrepRecords((record) => {
      if (record.type === 'summary') isComplete = true;
      if (!isEnough && !onRecord(record)) stop();
    });
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        records.push(chunk);
      } catch (error) {
        fail(error);
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MAX_STDERR) stderr += text;
    });
    child.once('close', (code) => {
      signal?.removeEventListener('abort', abort);
      if (!isEnough) records.end();
      if (isEnough || isComplete) resolve(stderr.split('\n').filter((line) => line.includes('(os error ')).length);
      else reject(failure(stderr.trim() || `ripgrep ended with code ${code}`));
    });
  });
}

function notStarted(program: string, cause: unknown): BlackError {
  return new BlackError(
    'ripgrep_missing',
    `The search program ${program} cannot be started (${errnoOf(cause) ?? cause}).`,
    'Install it with `npm ci --include=optional` in the folder of Black IDE.',
    { cause },
  );
}

function failure(stderr: string): BlackError {
  // The advice that follows is about options nobody can give here.
  const message = stderr.replace(/^rg: /, '').split('\n\nConsider ')[0]!.trim();
  if (/error parsing glob/.test(message)) {
    return new BlackError('invalid_glob', message, 'Correct the glob, e.g. `*.ts` or `src/**/*.ts`.');
  }
  if (/regex|pattern/i.test(message)) {
    return new BlackError('invalid_pattern', message, 'Correct the pattern, or search for plain text with `literal`.');
  }
  return new BlackError('search_failed', `The search failed: ${message}`, 'Try a smaller folder.');
}
