import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { temporaryHome } from '@black-ide/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../main.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { runBlack, TestWorld, type TestWorldOptions } from '../testing/test-world.ts';
import { widthOf } from '../text/fit-width.ts';

const FILES: Record<string, string> = {
  'src/note.ts': `/** Checks a note. Throws when its title is empty. */
export function validateNote(note: { title: string }): void {
  if (note.title === '') throw new Error('title must not be empty');
}

function neverUsed(): void {}
`,
  'src/store.ts': `import { validateNote } from './note.ts';

/** Keeps notes in memory. */
export class NoteStore {
  /** Saves one note. */
  saveNote(note: { title: string }): void {
    validateNote(note);
  }
}
`,
  'src/main.ts': `import { NoteStore } from './store.ts';

function start(): void {
  new NoteStore().saveNote({ title: 'First' });
}

start();
`,
  'test/store.test.ts': `import { test } from 'node:test';
import { NoteStore } from '../src/store.ts';

test('saves', () => {
  new NoteStore().saveNote({ title: 'Milk' });
});
`,
};

function writeFiles(folder: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function folderOf(files: Record<string, string>): string {
  return writeFiles(temporaryFolder(), files);
}

/** The folder that most tests look at; what was indexed once is not read again. */
const shared = temporaryHome();
const cwd = join(shared.path, 'notes');

beforeAll(() => writeFiles(cwd, FILES));
afterAll(() => shared.dispose());

function ask(line: string, options: TestWorldOptions = {}) {
  const env = { BLACKIDE_HOME: join(shared.path, 'home'), ...options.env };
  const words = line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
  return runBlack(words, { cwd, ...options, env });
}

describe('black graph', () => {
  it('INT-6 tells what a symbol is, where, who calls it, what it calls, and its tests', async () => {
    const { out, err, code } = await ask('graph validateNote');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^export function validateNote\(note: \{ title: string \}\): void\nsrc\/note\.ts:2-4 {2}exported function validateNote\nChecks a note\.\n/,
    );
    expect(out).toMatch(/Called by 1\n {2}src\/store\.ts:7 {2}in NoteStore\.saveNote +\(import\)/);
    expect(out).toMatch(/Tests that reach it: 1\n {2}test\/store\.test\.ts:4/);
  });

  it('INT-2 tells what a file defines, imports and is imported by', async () => {
    const { out } = await ask('graph src/store.ts');
    expect(out).toMatch(/Defines \d+\n[\s\S]*export class NoteStore[\s\S]*saveNote/);
    expect(out).toMatch(/Imports 1\n {2}src\/note\.ts/);
    expect(out).toMatch(/Imported by 2\n[\s\S]*src\/main\.ts:1[\s\S]*test\/store\.test\.ts:2/);
  });

  it('INT-2 answers each question by itself: callees, references, impact, tests, the way, what is dead', async () => {
    expect((await ask('graph saveNote --callees')).out).toMatch(/Calls 1\n {2}src\/note\.ts:2 {2}validateNote/);
    expect((await ask('graph NoteStore --references')).out).toMatch(/Used in \d places[\s\S]*new NoteStore\(\)/);
    const impact = (await ask('graph validateNote --impact 3')).out;
    expect(impact).toMatch(/May break: 3 symbols in 3 files, 1 test among them, over at most 3 calls/);
    expect(impact).toMatch(/NoteStore\.saveNote[\s\S]*start/);
    expect((await ask('graph validateNote --tests')).out).toMatch(/test\/store\.test\.ts:4/);
    expect((await ask('graph start --path-to validateNote')).out).toMatch(
      /start reaches validateNote over 2 calls\n[\s\S]*start[\s\S]*saveNote[\s\S]*validateNote/,
    );
    expect((await ask('graph validateNote --path-to start')).out).toMatch(/No chain of calls leads/);
    const dead = (await ask('graph --dead')).out;
    expect(dead).toMatch(/neverUsed/);
    expect(dead).not.toMatch(/validateNote/);
    expect((await ask('graph test --dead')).out).toMatch(/Seems to be used by nothing: none/);
  });

  it('INT-6 prints JSON with all of a list, and DOT that names who calls whom', async () => {
    const answer = JSON.parse((await ask('graph saveNote --callers --json')).out);
    expect(answer).toMatchObject({ action: 'callers', status: 'ok', complete: true });
    expect(answer.symbol).toMatchObject({
      symbol: 'NoteStore.saveNote',
      path: 'src/store.ts',
      line: 6,
      kind: 'method',
    });
    expect(answer.callers.total).toBe(2);
    expect(answer.callers.items.map((each: { path: string }) => each.path)).toEqual([
      'src/main.ts',
      'test/store.test.ts',
    ]);
    const dot = (await ask('graph saveNote --callers --dot')).out;
    expect(dot).toMatch(/^digraph code \{\n[\s\S]*\}\n$/);
    const [, start] = /(s\d+) \[label="start\\nsrc\/main\.ts:3"\]/.exec(dot)!;
    const [, save] = /(s\d+) \[label="NoteStore\.saveNote\\nsrc\/store\.ts:6", style=bold\]/.exec(dot)!;
    expect(dot).toContain(`${start} -> ${save};`);
  });

  it('INT-6 names what is near where nothing has that name', async () => {
    const { out, err, code } = await ask('graph saveNot');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^black: Nothing here is called saveNot\.\nNames like it\n[\s\S]*saveNote/);
    const json = await ask('graph saveNot --json');
    expect(JSON.parse(json.out)).toMatchObject({ status: 'unknown' });
    expect(json.code).toBe(1);
  });

  it('INT-6 lists the symbols of one name with their places, any of which may be asked for', async () => {
    const cwd = folderOf({ 'a.ts': 'export function run(): void {}\n', 'b.ts': '\nexport function run(): void {}\n' });
    const { out, err, code } = await ask('graph run', { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/run is the name of 2 symbols[\s\S]*black graph [ab]\.ts:\d[\s\S]*a\.ts:1[\s\S]*b\.ts:2/);
    expect((await ask('graph b.ts:2', { cwd })).out).toMatch(/^export function run\(\): void\nb\.ts:2/);
    expect((await ask('graph a.ts:run', { cwd })).out).toMatch(/^export function run\(\): void\na\.ts:1/);
  });

  it('INT-6 takes paths from where the person is, and none from outside', async () => {
    expect((await ask('graph ./src/note.ts')).out).toMatch(/^src\/note\.ts/);
    expect((await ask(`graph ${join(cwd, 'src/note.ts')}:2`)).out).toMatch(/validateNote/);
    const outside = await ask('graph ../secret.ts');
    expect(outside).toMatchObject({ code: 2, out: '' });
    expect(outside.err).toMatch(/outside the working folder/);
  });

  it('INT-6 names in the code cannot steer the terminal, and lines fit it', async () => {
    const cwd = folderOf({ ...FILES, 'src/\u001b[2Jevil.ts': 'export function evil(): void {}\n' });
    for (const line of ['graph evil', 'search evil', 'map', 'index']) {
      const { out, err } = await ask(line, { cwd, terminal: true, columns: 40, env: { NO_COLOR: '1' } });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      expect(out + err, line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      for (const row of out.split('\n')) expect(widthOf(row), row).toBeLessThanOrEqual(40);
    }
  });
});

describe('black search', () => {
  it('INT-13 answers best first: place, symbol, why, and the line that says most', async () => {
    const { out, err, code } = await ask('search "title must not be empty"');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^1 {2}src\/note\.ts:\d+-\d+ {2}validateNote {2}[\d.]+: .*title/);
    expect(out.split('\n')[1]).toMatch(/3: .*throw new Error\('title must not be empty'\)/);
    const hits = JSON.parse((await ask('search -k 2 --json saves note')).out);
    expect(hits.length).toBeLessThanOrEqual(2);
    expect(hits[0]).toMatchObject({
      rank: 1,
      path: expect.any(String),
      startLine: expect.any(Number),
      endLine: expect.any(Number),
      score: expect.any(Number),
      why: { words: expect.any(Array), rankers: ['words'] },
    });
  });

  it('INT-13 looks below a folder only, and says when there is nothing', async () => {
    const paths = JSON.parse((await ask('search --path ./test/ --json milk note')).out).map(
      (hit: { path: string }) => hit.path,
    );
    expect(new Set(paths)).toEqual(new Set(['test/store.test.ts']));
    const none = await ask('search zebra');
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toMatch(/Nothing has a word of “zebra”/);
  });
});

describe('black map', () => {
  it('INT-14 shows the files that matter with their signatures, within the budget', async () => {
    const { out, code } = await ask('map');
    expect(code).toBe(0);
    expect(out).toMatch(/src\/note\.ts\n {2}2: export function validateNote/);
    const { tokens, files } = JSON.parse((await ask('map --tokens 60 --json')).out);
    expect(tokens).toBeLessThanOrEqual(60);
    expect(files[0].path).toMatch(/^src\//);
    const seen = JSON.parse((await ask('map --json --tokens 60 --for "what does start() in main do"')).out);
    expect(seen.files[0].path).toBe('src/main.ts');
    const none = await ask('map --tokens 3');
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toMatch(/Not one symbol fits into 3 tokens/);
  });
});

describe('black index', () => {
  it('INT-5 says what is in it and what was left out, and why', async () => {
    const cwd = folderOf({
      ...FILES,
      'broken.ts': 'export function (\n',
      'notes.txt': 'hello\n',
      'x.min.js': `var a=${'1+'.repeat(40_000)}1;`,
    });
    const { out, code } = await ask('index', { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^Indexed in [\d.]+ s\.\nFiles +7: /);
    expect(out).toMatch(/1 with syntax errors/);
    expect(out).toMatch(/x\.min\.js/);
  });

  it('INT-12 reads again only what changed, and keeps the index below the home', async () => {
    const cwd = folderOf(FILES);
    const home = join(temporaryFolder(), 'home');
    const run = async () => JSON.parse((await ask('index --json', { cwd, env: { BLACKIDE_HOME: home } })).out);
    const first = await run();
    expect(first).toMatchObject({ files: 4, parsed: 4, refreshed: { added: 4, rebuilt: 'none' } });
    expect(first.folder.startsWith(join(home, 'index'))).toBe(true);
    expect(readdirSync(first.folder).length).toBeGreaterThan(0);
    writeFileSync(join(cwd, 'src/new.ts'), 'export const fresh = 1;\n');
    rmSync(join(cwd, 'src/main.ts'));
    expect((await run()).refreshed).toMatchObject({ added: 1, changed: 0, removed: 1, unchanged: 3 });
    const again = await run();
    expect(again.refreshed).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 4 });
    expect(again.refreshed.rebuilt).toBeUndefined();
  });

  it('INT-12 works without a home, and says that nothing is kept', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { out, err, code } = await ask('index', { cwd: folderOf(FILES), env: { BLACKIDE_HOME: join(file, 'x') } });
    expect(code).toBe(0);
    expect(out).toMatch(/Kept in +memory only/);
    expect(err).toMatch(/^black: The index is not kept\./);
  });
});

describe('what the commands about code have in common', () => {
  it('INT-6 say when there is nothing to index, and no folder', async () => {
    for (const line of ['graph x', 'search x', 'map', 'index']) {
      const empty = await ask(line, { cwd: temporaryFolder() });
      expect(empty).toMatchObject({ code: 1, out: '' });
      expect(empty.err, line).toMatch(/There is no text file in .* that is not ignored/);
      const gone = await runBlack(line.split(' '), { cwd: undefined });
      expect(gone.err, line).toMatch(/The working folder no longer exists/);
    }
  });

  it('INT-11 leave out what is ignored, by Git or for the index alone', async () => {
    const cwd = folderOf({
      ...FILES,
      '.gitignore': 'out/\n',
      '.blackideignore': 'generated.ts\n',
      'out/a.ts': 'export function hiddenOne(): void {}\n',
      'src/generated.ts': 'export function hiddenTwo(): void {}\n',
    });
    for (const name of ['hiddenOne', 'hiddenTwo']) expect((await ask(`graph ${name}`, { cwd })).code).toBe(1);
  });

  it('INT-6 end with 130 on Ctrl+C, leave nothing behind in the folder, and go on the next time', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`src/f${n}.ts`, `export function f${n}(): number {\n  return ${n};\n}\n`]),
    );
    const cwd = folderOf(files);
    const home = join(temporaryFolder(), 'home');
    const world = new TestWorld({ cwd, env: { BLACKIDE_HOME: home } });
    const ended = main(['index'], world);
    await new Promise((resolve) => setImmediate(resolve));
    world.interrupt();
    expect(await ended).toBe(130);
    expect(world.stderr.text).toBe('black: Cancelled.\n');
    expect(world.stdout.text).toBe('');
    expect(readdirSync(cwd)).toEqual(['src']);
    const { out, code } = await ask('graph f299', { cwd, env: { BLACKIDE_HOME: home } });
    expect(code).toBe(0);
    expect(out).toMatch(/src\/f299\.ts:1/);
  });

  it('IDE-83 bear a reader that goes away', async () => {
    const stdout = new PassThrough();
    stdout.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    const world = new TestWorld({ cwd: folderOf(FILES), stdout });
    expect(await main(['map'], world)).toBe(0);
    expect(world.stderr.text).toBe('');
  });

  it('§5a read the code of a folder that is not trusted, and run nothing of it', async () => {
    const proof = join(temporaryFolder(), 'ran');
    const cwd = folderOf({
      ...FILES,
      'tsconfig.json': `{ "extends": "./evil.mjs" }`,
      'evil.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(proof)}, '');\n`,
      'package.json': `{ "scripts": { "prepare": "touch ${proof}" } }`,
    });
    expect((await ask('index', { cwd })).code).toBe(0);
    expect(existsSync(proof)).toBe(false);
    expect(readFileSync(join(cwd, 'src/note.ts'), 'utf8')).toBe(FILES['src/note.ts']);
  });
});
