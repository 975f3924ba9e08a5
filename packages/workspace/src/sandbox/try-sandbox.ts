import { spawn } from 'node:child_process';
import { BlackError } from '@black-ide/protocol';
import { bwrapArguments } from './bwrap-arguments.ts';

const PATIENCE_MS = 10_000;

/**
 * Tries the sandbox with everything that a command needs of it.
 * @param launcher a program with its arguments, up to those of bubblewrap
 * @param descriptors what it gets as 3 and 4
 * @throws BlackError `sandbox_unavailable` with its own words
 */
export async function trySandbox(launcher: readonly string[], descriptors: readonly [number, number]): Promise<void> {
  const [program = '', ...args] = launcher;
  const contained = bwrapArguments({ rules: [{ access: 'none', path: '/tmp', kind: 'folder' }] }, { cwd: '/' });
  const child = spawn(program, [...args, ...contained, '/bin/sh', '-c', ':'], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', ...descriptors],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2_000);
  });
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  if (code === 0) return;
  const why = words.trim().split('\n').at(-1) || (typeof code === 'string' ? code : `it ended with ${code}`);
  throw new BlackError('sandbox_unavailable', `bubblewrap does not work here: ${why}`);
}
