import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runEditor } from './run-editor.ts';

let folder: string;
let log: string;
const env = (more: Record<string, string | undefined>) => ({ PATH: `${folder}/bin:${process.env.PATH}`, ...more });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'editor-'));
  log = join(folder, 'log');
  await program(
    'bin/my-editor',
    'printf "%s|" "$@" >> "$(dirname "$0")/../log"; printf "%s" "$OPENAI_API_KEY" >> "$(dirname "$0")/../log"',
  );
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<void> {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

it('IDE-32 opens files in the person’s editor with its own arguments, by name alone and without keys', async () => {
  const file = '/x/"; touch hacked "$(id).md';
  const named = { VISUAL: `my-editor --wait "two words"`, EDITOR: 'false', OPENAI_API_KEY: 'secret' };
  await runEditor([file, '/y'], { env: env(named), cwd: process.cwd() });
  expect(await readFile(log, 'utf8')).toBe(`--wait|two words|${file}|/y|`);
});

it('says what is wrong: an editor that fails, one that is not there, none at all', async () => {
  await program('bin/bad', 'exit 3');
  const failing = runEditor(['/x'], { env: env({ EDITOR: 'bad' }), cwd: process.cwd() });
  await expect(failing).rejects.toMatchObject({ code: 'editor_failed', message: expect.stringContaining('code 3') });
  const missing = runEditor(['/x'], { env: env({ EDITOR: 'nowhere-to-be-found' }), cwd: process.cwd() });
  await expect(missing).rejects.toMatchObject({ code: 'no_editor' });
  await expect(runEditor(['/x'], { env: { PATH: '' }, cwd: process.cwd() })).rejects.toMatchObject({
    code: 'no_editor',
  });
});

it('takes no program of the workspace for an editor', async () => {
  await program('work/my-other', 'exit 0');
  const inside = { PATH: `${folder}/work`, EDITOR: 'my-other' };
  await expect(runEditor(['/x'], { env: inside, cwd: join(folder, 'work') })).rejects.toMatchObject({
    code: 'no_editor',
  });
});
