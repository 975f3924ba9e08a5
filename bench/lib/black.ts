import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export const BLACK = join(ROOT, 'packages/cli/bin/black.mjs');
export const FLOOR = join(ROOT, 'bench/floor.mjs');

/** A workspace with one small file, and a state folder; removed at the end. */
export function tempFolders(): { cwd: string; home: string; dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'black-bench-'));
  const cwd = join(folder, 'work');
  const home = join(folder, 'home');
  for (const path of [cwd, home]) mkdirSync(path);
  const folders = { [realpathSync(cwd)]: { since: new Date(0).toISOString() } };
  writeFileSync(join(home, 'trust.json'), JSON.stringify({ version: 1, folders }));
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n'.repeat(20));
  return { cwd, home, dispose: () => rmSync(folder, { recursive: true }) };
}

/** The environment of a run against a mock server: nothing else of this machine's. */
export function environment(openaiUrl: string, home: string): Record<string, string> {
  return { OPENAI_BASE_URL: openaiUrl, OPENAI_API_KEY: 'bench', BLACKIDE_HOME: home, HOME: home };
}
