import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openCodeIntelligence } from '../code-intelligence.ts';
import type { CodeIntelligence } from '../code-intelligence-api.ts';
import { countTokens } from './count-tokens.ts';
import { MAP_WIDTH } from './map-text.ts';
import { RepoMapper, repoMap } from './repo-map.ts';

const opened: { intel: CodeIntelligence; workspace: TempWorkspace }[] = [];
afterEach(async () => {
  for (const { intel, workspace } of opened.splice(0)) {
    await intel.dispose();
    await workspace.dispose();
  }
});

async function open(files: Record<string, string>) {
  const workspace = await createTempWorkspace({ files });
  const intel = await openCodeIntelligence({ root: workspace.path, folder: undefined, workers: 1 });
  opened.push({ intel, workspace });
  await intel.refresh();
  return { intel, workspace };
}

/** A module that has functions and calls those of other modules. */
interface Module {
  folder: string;
  functions: number;
  /** Numbers of modules that it uses. */
  uses: readonly number[];
}

const modules = fc.array(
  fc.record({
    folder: fc.constantFrom('src', 'src/core', 'src/ui', 'lib', 'test'),
    functions: fc.integer({ min: 1, max: 4 }),
    uses: fc.array(fc.nat(30), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 14 },
);

function filesOf(all: readonly Module[]): Record<string, string> {
  const pathOf = (n: number) => `${all[n]!.folder}/module${n}.ts`;
  return Object.fromEntries(
    all.map(({ functions, uses }, n) => {
      const used = [...new Set(uses.map((each) => each % all.length))].filter((each) => each !== n);
      const imports = used.map((m) => `import { makeThing${m}x0 } from '/${pathOf(m)}';\n`).join('');
      const calls = used.map((m) => `  makeThing${m}x0(1);\n`).join('');
      const bodies = Array.from(
        { length: functions },
        (_, f) => `export function makeThing${n}x${f}(size: number): number {\n${calls}  return size;\n}\n`,
      );
      return [pathOf(n), imports + bodies.join('\n')];
    }),
  );
}

/** Makes a tree into another one. */
async function become(workspace: TempWorkspace, files: Record<string, string>): Promise<void> {
  for (const path of Object.keys(await workspace.snapshot())) {
    if (!(path in files)) await rm(join(workspace.path, path), { recursive: true, force: true });
  }
  for (const [path, text] of Object.entries(files)) await workspace.write(path, text);
}

describe('repoMap', () => {
  it('INT-14 shows what is used by much first, with signatures and lines, and how folders connect', async () => {
    const users = Array.from({ length: 6 }, (_, n) => [
      `app/user${n}.ts`,
      `import { saveNote } from '../core/store.ts';\nexport function user${n}(): void {\n  saveNote('x');\n}\n`,
    ]);
    const { intel } = await open({
      'core/store.ts': `export class NoteStore {\n  saveAll(): void {}\n}\n\nexport function saveNote(\n  title: string,\n): void {\n  new NoteStore().saveAll();\n}\n`,
      ...Object.fromEntries(users),
    });
    const { text, files, links } = repoMap(intel, { tokens: 400 });
    expect(files[0]!.path).toBe('core/store.ts');
    expect(text).toMatch(
      /\ncore\/store\.ts\n {2}1: export class NoteStore\n {2}2: {3}saveAll\(\): void\n {2}5: export function saveNote\(title: string\): void\n/,
    );
    expect(links).toEqual([{ from: 'app', to: 'core', count: 6 }]);
    expect(text).toMatch(/app → core \(6\)$/);
  });

  it('INT-14 is seen from a task: its names, its words, its files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `src/part${n}.ts`,
        `import { common } from './common.ts';\n/** Handles the ${n === 7 ? 'zebra crossing' : 'usual'} case. */\nexport function handle${n}(): void {\n  common();\n}\n`,
      ]),
    );
    const { intel } = await open({ ...files, 'src/common.ts': 'export function common(): void {}\n' });
    const first = (options: object) => repoMap(intel, { tokens: 300, ...options }).files[0]!.path;
    expect(first({})).toBe('src/common.ts');
    expect(first({ for: 'why does handle13 fail' })).toBe('src/part13.ts');
    expect(first({ for: 'mend the zebra crossing' })).toBe('src/part7.ts');
    expect(first({ for: 'look at part21' })).toBe('src/part21.ts');
    expect(first({ files: ['src/part4.ts'] })).toBe('src/part4.ts');
  });

  it('INT-14 never takes more than its budget, uses it, and cuts long lines', async () => {
    const { intel, workspace } = await open({});
    await fc.assert(
      fc.asyncProperty(modules, fc.integer({ min: 1, max: 900 }), async (all, tokens) => {
        await become(workspace, filesOf(all));
        await intel.refresh();
        const everything = repoMap(intel, { tokens: 1_000_000 });
        const made = repoMap(intel, { tokens });
        expect(made.tokens).toBe(countTokens(made.text));
        expect(made.tokens).toBeLessThanOrEqual(tokens);
        for (const line of made.text.split('\n')) expect(line.length).toBeLessThanOrEqual(MAP_WIDTH);
        // A line and its file's name are at most 40 tokens here.
        if (everything.tokens > tokens && tokens > 300) expect(made.tokens).toBeGreaterThanOrEqual(tokens * 0.85);
        if (everything.tokens <= tokens) expect(made.text).toBe(everything.text);
      }),
      { numRuns: Math.ceil(Number(process.env.BLACK_TEST_RUNS) / 5) },
    );
  });

  it('INT-14 counts tokens as it is told to', async () => {
    const { intel } = await open(filesOf([{ folder: 'src', functions: 4, uses: [] }]));
    const perWord = (text: string) => text.split(/\s+/).length;
    const { text, tokens } = repoMap(intel, { tokens: 25, countTokens: perWord });
    expect(tokens).toBe(perWord(text));
    expect(tokens).toBeLessThanOrEqual(25);
    expect(tokens).toBeGreaterThan(10);
  });

  it('INT-14 equal trees give equal maps, whatever was asked before and however they came to be', async () => {
    const { intel, workspace } = await open({});
    const mapper = new RepoMapper(intel);
    await fc.assert(
      fc.asyncProperty(modules, fc.constantFrom('', 'makeThing1x0 in core', 'ui'), async (all, task) => {
        mapper.map({ tokens: 300, for: 'something else' });
        await become(workspace, filesOf(all));
        await intel.refresh();
        const { intel: fresh } = await open(filesOf(all));
        expect(mapper.map({ tokens: 500, for: task })).toEqual(new RepoMapper(fresh).map({ tokens: 500, for: task }));
      }),
      { numRuns: Math.ceil(Number(process.env.BLACK_TEST_RUNS) / 20) },
    );
  });

  it('INT-14 is kept until something changes', async () => {
    const { intel, workspace } = await open(filesOf([{ folder: 'src', functions: 2, uses: [] }]));
    const mapper = new RepoMapper(intel);
    const made = mapper.map({ tokens: 200 });
    expect(mapper.map({ tokens: 200 })).toBe(made);
    await workspace.write('src/module0.ts', 'export function another(): void {}\n');
    await intel.refreshFiles(['src/module0.ts']);
    expect(mapper.map({ tokens: 200 }).text).toContain('1: export function another(): void');
  });

  it('INT-14 leaves out what lies in functions, and puts tests last', async () => {
    const { intel } = await open({
      'src/a.ts': 'export function outer(): void {\n  function inner(): void {}\n  inner();\n}\n',
      'src/a.test.ts': "import { outer } from './a.ts';\nfunction helper(): void {\n  outer();\n}\nhelper();\n",
    });
    const { text, files } = repoMap(intel, { tokens: 200 });
    expect(text).not.toContain('inner');
    expect(files[0]!.path).toBe('src/a.ts');
  });

  it('INT-5 makes do with an empty tree, and stops when it is told to', async () => {
    const { intel } = await open({ 'a.txt': 'hello\n' });
    expect(repoMap(intel, { tokens: 100 })).toEqual({ text: '', tokens: 0, files: [], links: [] });
    expect(() => repoMap(intel, { tokens: 100, signal: AbortSignal.abort(new Error('enough')) })).toThrow('enough');
  });
});
