import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProcesses, type ProcessEntry } from '../leaks/process-table.ts';
import { BLACK_BIN, type BlackOptions, blackEnvironment, trustFolder } from '../processes/run-black.ts';

const run = promisify(execFile);

export interface TerminalOptions extends Pick<BlackOptions, 'args' | 'cwd' | 'env' | 'modelServer' | 'untrusted'> {
  home: string;
  columns?: number;
  rows?: number;
}

/** A real terminal (tmux) that runs `black`, driven by keys and read off its screen. */
export interface TmuxTerminal {
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names, e.g. `Enter`, `C-c`, `Escape`. */
  press(...keys: string[]): Promise<void>;
  /** Pastes as a terminal does where the program has asked for bracketed pastes. */
  paste(text: string): Promise<void>;
  /** What is on the screen; `scrollback`: with what has left it. Trailing blanks of lines are gone. */
  screen(options?: { scrollback?: boolean; escapes?: boolean }): Promise<string>;
  /** Resolves with the screen when it holds the text or pattern; rejects with the screen when it takes too long. */
  waitFor(wanted: string | RegExp, options?: { scrollback?: boolean; timeoutMs?: number }): Promise<string>;
  /** The same for text that has to go away. */
  waitForGone(unwanted: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Closes the terminal under the program: it is hung up. */
  hangUp(): Promise<void>;
  /** Kills the program with SIGKILL; its terminal stays. */
  kill(): Promise<void>;
  /** Sends the program a signal, from outside of its terminal. */
  signal(name: NodeJS.Signals): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The variable by which the processes of a terminal are found. */
const MARKER = 'BLACK_TEST_TERMINAL';
const POLL_MS = 25;
const TIMEOUT_MS = 15_000;

/** Starts `black` in a terminal and shell of its own. After it has ended the screen shows `ended: <exit code>`. */
export async function startTerminal(options: TerminalOptions): Promise<TmuxTerminal> {
  const { args, cwd, home, columns = 80, rows = 24 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'black-tmux-'));
  const tmux = async (...words: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: folder };
    const { stdout } = await run('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', '-u', ...words], { env });
    return stdout;
  };
  if (!options.untrusted) await trustFolder(home, cwd);
  const env = blackEnvironment(home, {
    ...options,
    env: { LANG: 'C.UTF-8', TERM: 'tmux-256color', [MARKER]: folder, ...options.env },
  });
  const settings = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const command = ['env', '-i', ...settings, process.execPath, BLACK_BIN, ...args].map(quoted).join(' ');
  const size = ['-x', String(columns), '-y', String(rows)];
  // In a person's shell, with its job control: the program can be suspended and brought back.
  const start = join(folder, 'black');
  await writeFile(start, `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 });
  const shell = ['env', 'PS1=shell> ', 'bash', '--norc', '--noprofile', '-i'];
  await tmux('new-session', '-d', '-s', 'black', ...size, '-c', cwd, ...shell);
  await tmux('set-option', '-g', 'escape-time', '0');
  await tmux('send-keys', '-l', '--', `clear; ${start}; echo "ended: $?"`);
  await tmux('send-keys', 'Enter');

  const screen: TmuxTerminal['screen'] = async ({ scrollback = false, escapes = false } = {}) => {
    const text = await tmux('capture-pane', '-p', ...(escapes ? ['-e'] : []), ...(scrollback ? ['-S', '-'] : []));
    return text.replace(/[ \t]+$/gm, '').trimEnd();
  };
  const until = async (
    fits: (text: string) => boolean,
    what: string,
    { scrollback = false, timeoutMs = TIMEOUT_MS } = {},
  ) => {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const text = await screen({ scrollback });
      if (fits(text)) return text;
      if (performance.now() > end) throw new Error(`The screen does not ${what}:\n${text}`);
      await sleep(POLL_MS);
    }
  };
  const holds = (text: string, wanted: string | RegExp): boolean =>
    typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const shell = Number(await tmux('display-message', '-p', '#{pane_pid}'));
    for (const { pid } of findProcesses(shell)) process.kill(pid, name);
  };
  return {
    type: async (text) => void (await tmux('send-keys', '-l', '--', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    paste: async (text) => {
      const file = join(folder, 'paste');
      await writeFile(file, text);
      await tmux('load-buffer', file);
      await tmux('paste-buffer', '-p');
    },
    screen,
    waitFor: (wanted, more) => until((text) => holds(text, wanted), `show ${wanted}`, more),
    waitForGone: (unwanted) => until((text) => !holds(text, unwanted), `lose ${unwanted}`),
    resize: async (width, height) => void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    kill: () => signal('SIGKILL'),
    signal,
    hangUp: async () => void (await tmux('kill-session', '-t', 'black')),
    async [Symbol.asyncDispose]() {
      // A server without sessions has ended already.
      await tmux('kill-server').catch((error: unknown) => {
        if (!/no server running|error connecting/.test(String(error))) throw error;
      });
      // Who is hung up still writes to its home, which is taken away next.
      const end = performance.now() + TIMEOUT_MS;
      for (let left = ofTerminal(folder); left.length > 0; left = ofTerminal(folder)) {
        if (performance.now() > end) throw new Error(`Still there without a terminal: ${left[0]!.command}`);
        await sleep(POLL_MS);
      }
      // Its socket may go a moment later than the server.
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
  };
}

/** The processes that were started in a terminal. */
function ofTerminal(folder: string): ProcessEntry[] {
  const nobody = -1;
  return findProcesses(nobody, `${MARKER}=${folder}`);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
