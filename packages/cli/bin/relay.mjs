import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';

const MARK = 'BLACK_RELAYED';

/**
 * Runs a program in place of this process: same stdio, signals handed on, its exit code or signal taken over.
 * Of a terminal's own signals (Ctrl+C, Ctrl+\) the kernel already sends the child its copy, so those are not handed on
 * twice. The channel between the two tells the child when this process is killed outright.
 *
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<void>} settled when the program has ended and `process.exitCode` is set
 */
export function relay(program, args) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, [MARK]: '1' };
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    const onTerminal = [0, 1, 2].some((fd) => isatty(fd));
    const keyboard = ['SIGINT', 'SIGQUIT'];
    const handed = /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']);
    for (const signal of handed) {
      process.on(signal, () => {
        if (!(onTerminal && keyboard.includes(signal))) child.kill(signal);
      });
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const each of handed) process.removeAllListeners(each);
      if (signal) process.kill(process.pid, signal);
      else process.exitCode = code ?? 1;
      resolve();
    });
  });
}

/** In a relayed process: dies with the one that relays, as a single process would. Does nothing elsewhere. */
export function followRelay() {
  if (!process.env[MARK] || !process.channel) return;
  delete process.env[MARK];
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}
