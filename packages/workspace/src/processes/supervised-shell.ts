import type { Duplex, Readable } from 'node:stream';
import { BlackError } from '@black-ide/protocol';
import type { RunningProcess } from './running-processes.ts';

const MAX_WORDS = 4_096;

/**
 * What stands around a shell in the sandbox: bubblewrap, its first process inside, and a supervisor that tells the
 * shell's exit code and keeps the sandbox open until it is let go. So what the shell has left running can be seen and
 * ended like that of any other shell, where bubblewrap alone would end it in the middle of its work.
 */
export class SupervisedShell {
  /** Resolves with the shell's exit code; undefined where the sandbox has ended without one. */
  readonly exited: Promise<number | undefined>;
  readonly #report: Duplex;
  #told = '';
  #words = '';

  /**
   * @param report the supervisor's socket
   * @param problems what bubblewrap says
   */
  constructor(report: Duplex, problems: Readable) {
    this.#report = report;
    problems.setEncoding('utf8').on('data', (text: string) => {
      this.#words = (this.#words + text).slice(0, MAX_WORDS);
    });
    this.exited = new Promise((resolve) => {
      report.setEncoding('utf8').on('data', (text: string) => {
        this.#told += text;
        const code = /^begun\n(\d+)\n/.exec(this.#told)?.[1];
        if (code !== undefined) resolve(Number(code));
      });
      report.once('close', () => resolve(undefined));
      report.on('error', () => report.destroy());
    });
  }

  /** Lets the sandbox end; whatever is still in it is killed. */
  release(): void {
    this.#report.destroy();
  }

  /** Why the shell was never started; undefined where it was. */
  failure(): BlackError | undefined {
    if (this.#told !== '') return undefined;
    const words = this.#words.trim().split('\n').at(-1) || 'it has ended before the command began';
    return new BlackError(
      'sandbox_failed',
      `The sandbox could not be set up: ${words}.`,
      'Run `black doctor`; or ask the person to run this command without the sandbox.',
    );
  }
}

/** The processes that stand around the shell, told from those that the command has started. */
export function keepersOf(bwrap: number, all: readonly RunningProcess[]): Set<number> {
  const keepers = new Set([bwrap]);
  const first = all.filter(({ parent }) => parent === bwrap);
  for (const { pid } of first) {
    keepers.add(pid);
    // The oldest of its children: what a dead parent leaves behind becomes its child as well.
    const [supervisor] = all
      .filter(({ parent }) => parent === pid)
      .sort((a, b) => a.startTime - b.startTime || a.pid - b.pid);
    if (supervisor) keepers.add(supervisor.pid);
  }
  return keepers;
}
