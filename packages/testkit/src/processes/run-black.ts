import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunOptions, runProcess } from './run-process.ts';
import { type ProcessResult, type RunningProcess, startProcess } from './start-process.ts';

export interface BlackOptions extends Omit<RunOptions, 'command' | 'args' | 'env'> {
  args: readonly string[];
  cwd: string;
  /** Added to the clean environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** `BLACKIDE_HOME`. Without one a fresh folder is made and removed after the run. */
  home?: string;
  /** The workspace is one that nobody has trusted yet. Otherwise the home says that it is. */
  untrusted?: boolean;
  /** A mock model server: its addresses and a key are put into the environment for both wires. */
  modelServer?: { anthropicUrl: string; openaiUrl: string };
}

/** The program as installed: `packages/cli/bin/black.mjs`. */
export const BLACK_BIN = fileURLToPath(new URL('../../../cli/bin/black.mjs', import.meta.url));

/**
 * Scripted models answer what a test asks; only tests about planning want to be asked for a plan first, and take this
 * variable away or set another value.
 */
export const UNPLANNED = { BLACK_PLANNING: 'off' } as const;

/** Only what a program needs to run; no keys, proxies or settings of the person who runs the tests. */
const PASSED_ON = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** The environment of an isolated run of `black`. */
export function blackEnvironment(
  home: string,
  options: Pick<BlackOptions, 'env' | 'modelServer'> = {},
): Record<string, string | undefined> {
  const inherited = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
  const server = options.modelServer && {
    ANTHROPIC_BASE_URL: options.modelServer.anthropicUrl,
    ANTHROPIC_API_KEY: 'mock-key',
    OPENAI_BASE_URL: options.modelServer.openaiUrl,
    OPENAI_API_KEY: 'mock-key',
  };
  const own = { HOME: home, BLACKIDE_HOME: home, NO_COLOR: '1', ...UNPLANNED };
  return { ...inherited, ...own, ...server, ...options.env };
}

/** Says in a state folder that a person trusts this folder, as `black trust` does. */
export async function trustFolder(home: string, folder: string): Promise<void> {
  const file = join(home, 'trust.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { version: 1, folders: {} };
  known.folders[await realpath(folder)] = { since: '2026-01-01T00:00:00.000Z' };
  await mkdir(home, { recursive: true });
  await writeFile(file, JSON.stringify(known), { mode: 0o600 });
}

/** Runs `black` as a real process with a home of its own and returns what it printed and how it ended. */
export async function runBlack(options: BlackOptions): Promise<ProcessResult> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'black-test-home-')));
  try {
    if (!options.untrusted) await trustFolder(home, options.cwd);
    const env = blackEnvironment(home, options);
    return await runProcess({ ...options, command: process.execPath, args: [BLACK_BIN, ...options.args], env });
  } finally {
    if (options.home === undefined) await rm(home, { recursive: true, force: true });
  }
}

/** Starts `black` without waiting for its end; the caller owns the home and the process. */
export async function startBlack(
  options: Omit<BlackOptions, 'timeoutMs' | 'killAt' | 'killTarget' | 'home'> & { home: string },
): Promise<RunningProcess> {
  if (!options.untrusted) await trustFolder(options.home, options.cwd);
  const env = blackEnvironment(options.home, options);
  return await startProcess({ ...options, command: process.execPath, args: [BLACK_BIN, ...options.args], env });
}
