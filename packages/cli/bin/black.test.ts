import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'black-bin-'));
  cpSync(import.meta.dirname, join(folder, 'cli/bin'), { recursive: true });
  writeFileSync(join(folder, 'cli/package.json'), '{"version":"1.2.3"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ship(main: string): void {
  mkdirSync(join(folder, 'cli/dist'), { recursive: true });
  writeFileSync(join(folder, 'cli/dist/main.mjs'), main);
}

function black(args: string[], env: NodeJS.ProcessEnv = {}) {
  const options = { encoding: 'utf8', cwd: folder, env: { HOME: folder, ...env }, maxBuffer: 1e9 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'cli/bin/black.mjs'), ...args], options);
  return { status, stdout, stderr };
}

it.each(['--version', '-v'])('answers %s without a bundle', (flag) => {
  expect(black([flag])).toEqual({ status: 0, stdout: '1.2.3\n', stderr: '' });
});

it('hands the arguments to the bundle and takes its exit code', () => {
  ship(`export const main = async (argv) => { console.log(JSON.stringify(argv)); return argv.length; };`);
  expect(black(['-p', 'a b', '--version'])).toEqual({ status: 3, stdout: '["-p","a b","--version"]\n', stderr: '' });
});

it('loses nothing of a large output on a pipe', () => {
  ship(`export const main = async () => { process.stdout.write('x'.repeat(20_000_000)); return 0; };`);
  expect(black([]).stdout.length).toBe(20_000_000);
});

it('says what to do when the bundle is missing', () => {
  expect(black(['-p', 'hi'])).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('Install the package again'),
  });
});

it('keeps compiled code beside the bundle', () => {
  ship(`export const main = async () => 0;`);
  expect(black([]).status).toBe(0);
  expect(readdirSync(join(folder, 'cli/dist/cache'))).toHaveLength(1);
});

it('keeps compiled code in the user cache when the bundle folder cannot hold it, and runs when neither can', () => {
  ship(`export const main = async () => 0;`);
  writeFileSync(join(folder, 'cli/dist/cache'), 'a file in the way');
  expect(black([]).status).toBe(0);
  expect(readdirSync(join(folder, '.cache/black-ide/compile-cache'))).toHaveLength(1);
  expect(black([], { HOME: '/dev/null' }).status).toBe(0);
});

it('says in a checkout without packages how to install them', () => {
  mkdirSync(join(folder, 'packages'));
  cpSync(join(folder, 'cli'), join(folder, 'packages/cli'), { recursive: true });
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts/build.ts'), '');
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'packages/cli/bin/black.mjs'), '-p', 'hi'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm ci')]);
});
