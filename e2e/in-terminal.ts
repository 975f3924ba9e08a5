import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script, TerminalOptions } from '@black-ide/testkit';
import { terminalStage } from './terminal-stage.ts';

export const FILES = {
  'package.json': '{ "name": "shop", "scripts": { "test": "echo all is well" } }\n',
  'README.md': '# Shop\n',
  'src/store.ts': "export const greeting = 'hello';\n",
  'src/cart.ts': 'export const cart = [];\n',
};

/** What each scripted answer says it used. */
export const usage = { input: 1_000, output: 100 };

/** A terminal with `black` in a small workspace, answered by a script. */
export const terminal = (script: Script, options: Partial<TerminalOptions> = {}) =>
  terminalStage(script, { files: FILES, git: true }, options);

/** Everything that the sessions of a home hold, as text. */
export async function logs(home: string): Promise<string> {
  const sessions = join(home, 'sessions');
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith('.jsonl'));
  return (await Promise.all(files.map((name) => readFile(join(sessions, name), 'utf8')))).join('');
}
