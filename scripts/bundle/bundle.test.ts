import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleStamp, sourceStamp } from '../../packages/cli/bin/fresh-bundle.mjs';
import { rewriteAssets } from './assets-plugin.ts';
import { bundle } from './bundle.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'black-bundle-'));
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  write('packages/cli/package.json', '{"type":"module"}');
  write('packages/engine/prompts/agent.md', 'You are an agent.');
  write('packages/engine/src/late.ts', `export const late: string = 'first';`);
  write(
    'packages/cli/src/main.ts',
    `import { createRequire } from 'node:module';
     import { readFileSync } from 'node:fs';
     import iconv from 'iconv-lite';
     const require = createRequire(import.meta.url);
     export async function main(argv: string[]): Promise<number> {
       const prompt = readFileSync(new URL('../../engine/prompts/agent.md', import.meta.url), 'utf8');
       const wasm = readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
       const { late } = await import('../../engine/src/late.ts');
       console.log(JSON.stringify([argv, prompt, wasm.length > 1000, late, iconv.decode(Buffer.from([0xe4]), 'latin1')]));
       return 0;
     }`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

function run(folder: string): unknown {
  const code = `const { main } = await import(${JSON.stringify(pathToFileURL(join(folder, 'main.mjs')).href)}); await main(['x']);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  return stdout ? JSON.parse(stdout) : stderr.split('\n').filter((line) => line.includes('Error'));
}

it('makes a bundle that runs away from its sources, with assets, chunks and CommonJS packages', async () => {
  const { folder, files } = await bundle(root);
  const foreign = join(root, 'foreign');
  cpSync(folder, foreign, { recursive: true });
  rmSync(join(root, 'node_modules'));
  rmSync(join(root, 'packages'), { recursive: true });
  expect(run(foreign)).toEqual([['x'], 'You are an agent.', true, 'first', 'ä']);
  expect(files.filter((file) => /^assets\/(agent-\w+\.md|web-tree-sitter-\w+\.wasm)$/.test(file))).toHaveLength(2);
  expect(files.at(-1)).toBe('main.mjs');
});

it('makes bundles of the programs of worker threads, which hold nothing else', async () => {
  write('packages/intel/grammar.scm', '(identifier) @name');
  write('packages/intel/src/shared.ts', `export const shared: string = 'shared by both';`);
  write(
    'packages/intel/src/pool/worker.ts',
    `import { readFileSync } from 'node:fs';
     import { createRequire } from 'node:module';
     import { parentPort } from 'node:worker_threads';
     import { shared } from '../shared.ts';
     const require = createRequire(import.meta.url);
     const wasm = readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
     const query = readFileSync(new URL('../../grammar.scm', import.meta.url), 'utf8');
     const { late } = await import('../../../engine/src/late.ts');
     parentPort?.postMessage([query, wasm.length > 1000, late, shared]);`,
  );
  write(
    'packages/cli/src/main.ts',
    `import { Worker } from 'node:worker_threads';
     import { shared } from '../../intel/src/shared.ts';
     export async function main(): Promise<number> {
       const worker = new Worker(new URL('../../intel/src/pool/worker.ts', import.meta.url), { execArgv: [], name: 'only in main' });
       const { promise, resolve, reject } = Promise.withResolvers<unknown>();
       worker.on('message', resolve).on('error', reject);
       console.log(JSON.stringify([await promise, shared]));
       return 0;
     }`,
  );
  const { folder, files } = await bundle(root);
  const foreign = join(root, 'foreign');
  cpSync(folder, foreign, { recursive: true });
  rmSync(join(root, 'node_modules'));
  rmSync(join(root, 'packages'), { recursive: true });
  expect(run(foreign)).toEqual([['(identifier) @name', true, 'first', 'shared by both'], 'shared by both']);
  const workers = files.filter((file) => /^worker-\w+\.mjs$/.test(file));
  expect(workers).toHaveLength(1);
  expect(readFileSync(join(foreign, workers[0] ?? ''), 'utf8')).not.toContain('only in main');
});

it('stamps the bundle with the sources it was made from', async () => {
  await bundle(root);
  const main = join(root, 'packages/cli/dist/main.mjs');
  expect(bundleStamp(main)).toBe(sourceStamp(root));
  write('packages/engine/src/late.ts', `export const late: string = 'second';`);
  expect(bundleStamp(main)).not.toBe(sourceStamp(root));
});

it('keeps what a running program still needs, and removes it a week after it was last in use', async () => {
  const first = await bundle(root);
  const old = first.files.find((file) => /^late-\w+\.mjs$/.test(file)) ?? '';
  const path = join(first.folder, old);
  const longAgo = new Date(Date.now() - 30 * 24 * 3600 * 1000);
  utimesSync(path, longAgo, longAgo);
  write('packages/engine/src/late.ts', `export const late: string = 'second';`);
  const second = await bundle(root);
  expect(second.files).not.toContain(old);
  expect(existsSync(path)).toBe(true);
  utimesSync(path, longAgo, longAgo);
  await bundle(root);
  expect(existsSync(path)).toBe(false);
  expect(run(second.folder)).toMatchObject({ 3: 'second' });
});

it('survives builds at the same time', async () => {
  const made = await Promise.all([bundle(root), bundle(root), bundle(root)]);
  expect(run(made[0].folder)).toMatchObject({ 3: 'first' });
  expect(readFileSync(join(made[0].folder, 'main.mjs'), 'utf8').match(/\/\/# stamp/g)).toHaveLength(1);
});

it('fails the build for an asset that is not there, or that is code', () => {
  const file = join(root, 'packages/cli/src/x.ts');
  const named = (path: string) => () => rewriteAssets(`new URL('${path}', import.meta.url)`, file, new Map());
  expect(named('./missing.md')).toThrow('missing.md');
  expect(named('./main.ts')).toThrow('code cannot be an asset');
});

it('takes whole folders as assets and leaves other URLs alone', () => {
  const assets = new Map();
  const file = join(root, 'packages/engine/src/x.ts');
  const source = `new URL('../prompts/', import.meta.url); new URL(name, import.meta.url); new URL('https://example.com/a.md')`;
  const rewritten = rewriteAssets(source, file, assets);
  expect(rewritten).toMatch(/^new URL\('\.\/assets\/prompts-\w+\/', import\.meta\.url\); new URL\(name, import/);
  expect(rewritten).toContain("new URL('https://example.com/a.md')");
  expect([...assets.keys()]).toEqual([expect.stringMatching(/^assets\/prompts-\w+\/agent\.md$/)]);
});
