import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { World } from './world.ts';

/** How long something forgotten may hold the process after the result, in milliseconds. */
const LEAVE_MS = 100;

/** How long after asking to be stopped we surely are, in milliseconds. */
const WAKE_MS = 50;

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The world of the running process. */
export function processWorld(): World {
  return {
    env: process.env,
    platform: process.platform,
    node: { version: process.versions.node, path: process.execPath },
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
    },
    cwd: () => process.cwd(),
    inputKind: async () => {
      if (isatty(0)) return 'terminal';
      const { descriptorKind } = await import('@black-ide/workspace');
      return descriptorKind(0);
    },
    loadEngine: () => import('@black-ide/engine'),
    onInterrupt: (listener) => {
      for (const signal of INTERRUPTS) process.on(signal, listener);
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener);
      };
    },
    onJobControl: ({ stop, continued }) => {
      process.on('SIGTSTP', stop);
      process.on('SIGCONT', continued);
      return () => {
        process.off('SIGTSTP', stop);
        process.off('SIGCONT', continued);
      };
    },
    edit: async (files, cwd) => {
      const { runEditor } = await import('@black-ide/workspace');
      await runEditor(files, { env: process.env, cwd });
    },
    suspend: () =>
      new Promise((resolve) => {
        // The whole group: a Node that handed over to this one waits in it.
        process.kill(0, 'SIGTSTP');
        // Runs when we go on; and soon where nobody could ever wake us, for there the system does not stop us.
        setTimeout(resolve, WAKE_MS);
      }),
    releaseMemory,
    exit: (code) => process.exit(code),
    leave: (code) => {
      setTimeout(() => process.exit(code), LEAVE_MS).unref();
    },
  };
}

/**
 * V8 keeps what it once needed, e.g. to parse a long session, until it is short of it. Its `gc` function shrinks the heap
 * to what is in use (flavor `last-resort`); it can be had without a flag at start from a context of its own.
 */
async function releaseMemory(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
