import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, expect, it } from 'vitest';
import { symbolsOf } from '../fixtures/facts-of.ts';
import { unpackFacts } from '../pack-facts.ts';
import type { WorkerSetup } from './messages.ts';
import { type FileParsed, ParserPool, type ParserPoolOptions } from './parser-pool.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'black-parser-')));
/** Most tests share one pool: without a bundle a worker takes a second to start. */
const shared = new ParserPool({ root, workers: 1 });
let pool: ParserPool | undefined;
afterEach(async () => {
  await pool?.dispose();
  expect(pool?.threads ?? 0).toBe(0);
  pool = undefined;
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
});
afterAll(async () => {
  await shared.dispose();
  rmSync(root, { recursive: true });
});

function write(path: string, content: string | Uint8Array): string {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
  return path;
}

function open(options: Partial<ParserPoolOptions> = {}): ParserPool {
  pool = new ParserPool({ root, workers: 1, ...options });
  return pool;
}

async function parse(
  opened: ParserPool,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, FileParsed>> {
  const found = new Map<string, FileParsed>();
  await opened.parse(
    paths.map((path) => ({ path })),
    { onFile: (file) => found.set(file.path, file), ...(signal ? { signal } : {}) },
  );
  return found;
}

const faulty = {
  startWorker: (setup: WorkerSetup) =>
    new Worker(new URL('../fixtures/faulty-worker.ts', import.meta.url), {
      workerData: setup,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    }),
};

const states = (found: Map<string, FileParsed>) =>
  Object.fromEntries(
    [...found].map(([path, { facts }]) => [path, facts.why ? `${facts.state}: ${facts.why}` : facts.state]),
  );

it('INT-1 parses many files in two threads and hands out each once', async () => {
  const paths = Array.from({ length: 300 }, (_, index) =>
    write(
      `src/d${index % 7}/f${index}.${index % 2 ? 'ts' : 'py'}`,
      index % 2 ? `function f${index}() {}` : `def f${index}(): pass`,
    ),
  );
  const opened = open({ workers: 2 });
  const order: string[] = [];
  await opened.parse(
    paths.map((path) => ({ path })),
    {
      onFile: ({ path, facts, packed, size, mtimeMs }) => {
        order.push(path);
        expect(unpackFacts(packed)).toEqual(facts);
        expect(symbolsOf(facts)[0]).toContain(`function f${/f(\d+)/.exec(path)?.[1]}`);
        expect({ size, mtimeMs }).toEqual({
          size: statSync(join(root, path)).size,
          mtimeMs: statSync(join(root, path)).mtimeMs,
        });
      },
    },
  );
  expect(order.sort()).toEqual([...paths].sort());
  expect(opened.threads).toBe(2);
});

it('INT-5 tells what cannot be read, and goes on', async () => {
  write('a.ts', 'function a() {}');
  write('locked.ts', 'function b() {}');
  chmodSync(join(root, 'locked.ts'), 0);
  write('real/c.ts', 'function c() {}');
  symlinkSync(join(root, 'a.ts'), join(root, 'link.ts'));
  symlinkSync(join(root, 'real'), join(root, 'folder'));
  write('big.ts', '// x\n'.repeat(1_000));
  const found = await parse(open({ maxBytes: 4_096 }), [
    'gone.ts',
    'locked.ts',
    'link.ts',
    'folder/c.ts',
    'real',
    'big.ts',
    'a.ts',
  ]);
  const isRoot = process.getuid?.() === 0;
  expect(states(found)).toEqual({
    'gone.ts': expect.stringContaining('unreadable: '),
    'locked.ts': isRoot ? 'parsed' : expect.stringContaining('permission denied'),
    'link.ts': expect.stringContaining('unreadable: '),
    'folder/c.ts': expect.stringContaining('unreadable: '),
    real: expect.stringContaining('unreadable: '),
    'big.ts': 'skipped: larger than 0.00390625 MB',
    'a.ts': 'parsed',
  });
  expect(found.get('big.ts')?.size).toBe(5_000);
});

it.each([
  ['exit.ts', 'the parser ended unexpectedly'],
  ['memory.ts', 'takes too much memory to parse'],
  ['throw.ts', 'cannot be parsed: nobody knows why'],
  ['trap.ts', 'cannot be parsed: unreachable'],
])('INT-5 skips a file on which the worker fails, %s, and no other', async (name, why) => {
  const paths = Array.from({ length: 20 }, (_, index) => write(`f${index}.ts`, `function f${index}() {}`));
  write(name, 'function bad() {}');
  const found = await parse(open(faulty), [...paths.slice(0, 10), name, ...paths.slice(10)]);
  expect(found.get(name)?.facts).toMatchObject({ state: 'skipped', why });
  expect(found.size).toBe(21);
  for (const path of paths) expect(states(found)[path]).toBe('parsed');
});

it('INT-5 ends a worker that does not come back from a file', async () => {
  write('hang.ts', 'function bad() {}');
  write('after.ts', 'function after() {}');
  const found = await parse(open({ ...faulty, maxFileTime: 4_000 }), ['hang.ts', 'after.ts']);
  expect(states(found)).toEqual({ 'hang.ts': 'skipped: takes too long to parse', 'after.ts': 'parsed' });
});

it('INT-5 says that no worker can be started', async () => {
  const startWorker = () => new Worker('throw new Error("no grammar here")', { eval: true });
  await expect(parse(open({ startWorker }), ['a.ts'])).rejects.toMatchObject({
    code: 'parser_broken',
    message: expect.stringContaining('no grammar here'),
  });
});

it('INT-13 stops when it is told to, and can be used again', async () => {
  const paths = Array.from({ length: 200 }, (_, index) => write(`f${index}.ts`, `function f${index}() {}`));
  const opened = shared;
  const controller = new AbortController();
  const seen: string[] = [];
  const run = opened.parse(
    paths.map((path) => ({ path })),
    {
      signal: controller.signal,
      onFile: ({ path }) => {
        seen.push(path);
        if (seen.length === 3) controller.abort(new Error('enough'));
      },
    },
  );
  await expect(run).rejects.toThrow('enough');
  expect(seen).toHaveLength(3);
  await expect(parse(opened, paths, AbortSignal.abort(new Error('never')))).rejects.toThrow('never');
  expect((await parse(opened, paths)).size).toBe(200);
  expect(seen).toHaveLength(3);
});

it('hands on what the receiver throws', async () => {
  write('a.ts', '');
  const opened = shared;
  const onFile = () => {
    throw new Error('full');
  };
  await expect(opened.parse([{ path: 'a.ts' }], { onFile })).rejects.toThrow('full');
  expect((await parse(opened, ['a.ts'])).size).toBe(1);
});

it('serves a call for a few files before one for many, and none at all at once', async () => {
  const paths = Array.from({ length: 400 }, (_, index) => write(`f${index}.ts`, `function f${index}() {}`));
  write('edited.ts', 'function edited() {}');
  const opened = shared;
  const done: string[] = [];
  const many = parse(opened, paths).then(() => done.push('many'));
  const few = parse(opened, ['edited.ts']).then(() => done.push('few'));
  await Promise.all([many, few, parse(opened, [])]);
  expect(done).toEqual(['few', 'many']);
});

it('INT-4 parses a file that is edited again and again', async () => {
  const opened = shared;
  for (const name of ['one', 'two', 'three']) {
    write('a.ts', `// before\nfunction ${name}() { return ${name}(1); }\n`);
    const found: FileParsed[] = [];
    await opened.parse([{ path: 'a.ts', keep: true }], { onFile: (file) => found.push(file) });
    expect(found.map(({ facts }) => symbolsOf(facts))).toEqual([[`function ${name}`]]);
  }
});

it('leaves no thread when it is disposed of, and answers nobody any more', async () => {
  const paths = Array.from({ length: 50 }, (_, index) => write(`f${index}.ts`, `function f${index}() {}`));
  const opened = open({ workers: 2 });
  const run = parse(opened, paths);
  const closed = expect(run).rejects.toMatchObject({ code: 'parser_closed' });
  await opened.dispose();
  await closed;
  expect(opened.threads).toBe(0);
  await expect(parse(opened, paths)).rejects.toMatchObject({ code: 'parser_closed' });
});

it('ends its workers when there is nothing to do, and starts new ones', async () => {
  write('a.ts', 'function a() {}');
  const opened = open({ idleTime: 10 });
  expect((await parse(opened, ['a.ts'])).size).toBe(1);
  await expect.poll(() => opened.threads).toBe(0);
  expect((await parse(opened, ['a.ts'])).size).toBe(1);
});

it('ends its workers after a large read, for what follows needs the memory', async () => {
  const paths = Array.from({ length: 1_000 }, (_, index) => write(`f${index}.txt`, 'words'));
  const opened = open({ workers: 2 });
  expect((await parse(opened, paths)).size).toBe(1_000);
  await expect.poll(() => opened.threads).toBe(0);
  expect((await parse(opened, ['f1.txt'])).size).toBe(1);
  expect(opened.threads).toBe(1);
});

it('does not keep the process alive', () => {
  write('a.ts', 'function a() {}');
  const program = `
    const { ParserPool } = await import(${JSON.stringify(new URL('./parser-pool.ts', import.meta.url).href)});
    const pool = new ParserPool({ root: ${JSON.stringify(root)}, workers: 2 });
    await pool.parse([{ path: 'a.ts' }], { onFile: ({ facts }) => console.log(facts.names.join()) });
  `;
  const { stdout, status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect({ stdout, status, signal }).toEqual({ stdout: 'a\n', status: 0, signal: null });
});
