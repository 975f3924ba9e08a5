import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMockModelServer,
  createTempWorkspace,
  type Script,
  startTerminal,
  type TerminalOptions,
} from '@black-ide/testkit';

const FILES = {
  'package.json': '{ "name": "shop", "scripts": { "test": "echo all is well" } }\n',
  'README.md': '# Shop\n',
  'src/store.ts': "export const greeting = 'hello';\n",
  'src/cart.ts': 'export const cart = [];\n',
};

/** What each scripted answer says it used. */
export const usage = { input: 1_000, output: 100 };

/** A terminal with `black` in a small workspace, answered by a script. */
export async function terminal(script: Script, options: Partial<TerminalOptions> = {}) {
  const server = await createMockModelServer(script);
  const workspace = await createTempWorkspace({ files: FILES, git: true });
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'black-tui-home-')));
  const start = (more: Partial<TerminalOptions> = {}) =>
    startTerminal({ args: [], cwd: workspace.path, home, modelServer: server, ...options, ...more });
  const shown = await start();
  return {
    server,
    workspace,
    home,
    /** Another `black` in the same workspace, with the same home. */
    again: start,
    shown,
    async [Symbol.asyncDispose]() {
      await shown[Symbol.asyncDispose]();
      await server.close();
      await workspace.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Everything that the sessions of a home hold, as text. */
export async function logs(home: string): Promise<string> {
  const sessions = join(home, 'sessions');
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith('.jsonl'));
  return (await Promise.all(files.map((name) => readFile(join(sessions, name), 'utf8')))).join('');
}
