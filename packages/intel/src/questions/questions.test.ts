import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCodeIntelligence } from '../code-intelligence.ts';
import type { CodeIntelligence } from '../code-intelligence-api.ts';
import { answerPage } from './answer-page.ts';
import { askGraph } from './ask-graph.ts';
import { filesThatUse } from './files-that-use.ts';
import type { GraphAnswer } from './graph-answer.ts';
import { graphDot } from './graph-dot.ts';
import { nameSymbol } from './name-symbol.ts';
import { pageText } from './page-text.ts';

const FILES = {
  'src/shape.ts': `export abstract class Shape {
  abstract area(): number;
  describe(): string {
    return 'of ' + this.area();
  }
}
`,
  'src/circle.ts': `import { Shape } from './shape.ts';

/** Round. */
export class Circle extends Shape {
  constructor(readonly radius: number) {
    super();
  }
  area(): number {
    return square(this.radius) * 3;
  }
}

function square(n: number): number {
  return n * n;
}
`,
  'src/print.ts': `import { Circle } from './circle.ts';

export function print(): string {
  const circle = new Circle(1);
  return circle.describe() + circle.describe();
}
`,
  'src/other/helpers.ts': 'export function twice(): void {}\nexport function onlyHere(): void {}\n',
  'test/helpers.ts': 'export function twice(): void {}\n',
  'lib/helpers.ts': 'export function thrice(): void {}\n',
  'app/Stay.java': 'package app;\n\npublic class Stay {\n  Run run = new Run();\n}\n',
  'src/calls.js': 'twice();\n',
  'app/Run.java': 'package app;\n\npublic class Run {\n  public Run() {}\n  void go() { new Run(); }\n}\n',
};

let workspace: TempWorkspace;
let intel: CodeIntelligence;

beforeAll(async () => {
  workspace = await createTempWorkspace({ files: FILES });
  intel = await openCodeIntelligence({ root: workspace.path, folder: undefined, workers: 1 });
  await intel.refresh();
});
afterAll(async () => {
  await intel.dispose();
  await workspace.dispose();
});

function meant(asked: string): string {
  const named = nameSymbol(intel, asked);
  if (named.is === 'file') return intel.files.path(named.file);
  const ids = named.is === 'unknown' ? [] : named.ids;
  return [named.is, ...ids.map((id) => `${intel.graph.symbol(id).path}:${intel.graph.symbol(id).nameLine}`)].join(' ');
}

const text = (answer: GraphAnswer) => pageText(answerPage(answer), 8_000);

describe('nameSymbol', () => {
  it.each([
    ['square', 'symbol src/circle.ts:13'],
    ['Circle', 'symbol src/circle.ts:4'],
    ['Circle.area', 'symbol src/circle.ts:8'],
    ['Circle::area', 'symbol src/circle.ts:8'],
    ['Circle#area()', 'symbol src/circle.ts:8'],
    ['square(n)', 'symbol src/circle.ts:13'],
    ['src/circle.ts:square', 'symbol src/circle.ts:13'],
    ['src/circle.ts:9', 'symbol src/circle.ts:8'],
    ['circle.ts:14:3', 'symbol src/circle.ts:13'],
    ['src/circle.ts', 'src/circle.ts'],
    ['./src/circle.ts', 'src/circle.ts'],
    ['circle.ts', 'src/circle.ts'],
    ['other/helpers.ts', 'src/other/helpers.ts'],
    ['src/circle.ts:2', 'src/circle.ts'],
    ['nothing', 'unknown'],
    ['nothing.ts:3', 'unknown'],
    ['', 'unknown'],
    ['constructor.prototype', 'unknown'],
  ])('INT-2 %s means %s', (asked, found) => {
    expect(meant(asked)).toBe(found);
  });

  it('INT-2 of a name in source and tests means the one in the source; of others a choice is asked for', () => {
    expect(meant('twice')).toBe('symbol src/other/helpers.ts:1');
    expect(meant('area')).toMatch(/^ambiguous /);
    expect(meant('helpers.ts')).toBe('unknown');
  });

  it('INT-2 a class is not mistaken for the constructor of its name', () => {
    expect(meant('Run')).toBe('symbol app/Run.java:3');
  });

  it('INT-2 names what is near', () => {
    const named = nameSymbol(intel, 'Circel');
    const names = named.is === 'unknown' ? named.nearest.map((id) => intel.graph.symbol(id).name) : [];
    expect(names).toContain('Circle');
  });
});

describe('filesThatUse', () => {
  it.each([
    ['src/shape.ts', ['src/circle.ts', 'src/print.ts']],
    ['src/circle.ts', ['src/print.ts']],
    ['src/print.ts', []],
    ['app/Run.java', ['app/Stay.java']],
    ['nothing.ts', []],
  ])('INT-16 names who imports %s or uses what it defines, with or without an import', (path, users) => {
    expect(filesThatUse(intel, path).sort()).toEqual(users);
  });

  it('INT-16 takes what may be of another file for no use', () => {
    expect(filesThatUse(intel, 'src/other/helpers.ts')).toEqual([]);
  });
});

describe('askGraph', () => {
  it('INT-2 explains a class with what extends it, and a function with who calls it', () => {
    const shape = askGraph(intel, { action: 'explain', of: 'Shape' });
    expect(shape.implementations?.items.map(({ symbol }) => symbol)).toEqual(['Circle']);
    expect(text(shape)).toMatch(/Extended or implemented by 1:\n {2}src\/circle\.ts:4 {2}Circle/);
    const square = askGraph(intel, { action: 'explain', of: 'square' });
    expect(square.callers?.items).toMatchObject([
      { path: 'src/circle.ts', line: 9, in: 'Circle.area', certainty: 'scope' },
    ]);
  });

  it('INT-2 counts uses in one function as one, with the first place', () => {
    const { callers } = askGraph(intel, { action: 'callers', of: 'Shape.describe' });
    expect(callers).toMatchObject({ total: 1, items: [{ path: 'src/print.ts', line: 5, times: 2, in: 'print' }] });
  });

  it('INT-2 goes over a file as a whole', () => {
    const { file, impact } = askGraph(intel, { action: 'impact', of: 'src/circle.ts' });
    expect(file?.importers.items).toEqual([{ path: 'src/print.ts', line: 1 }]);
    // `describe` calls `area`, which may be that of a circle.
    expect(impact?.items.map(({ symbol }) => symbol).sort()).toEqual(['Shape.describe', 'print']);
    const about = askGraph(intel, { action: 'explain', of: 'src/circle.ts', limit: 2 });
    expect(about.file?.symbols.total).toBeGreaterThan(2);
    expect(text(about)).toMatch(/Defines \d+:\n[\s\S]*… and \d+ more/);
  });

  it('INT-2 says what a question lacks', () => {
    expect(() => askGraph(intel, { action: 'callers' })).toThrow('No symbol or file is named');
    expect(() => askGraph(intel, { action: 'path', of: 'print' })).toThrow('end of the way');
    expect(() => askGraph(intel, { action: 'path', of: 'print', to: 'src/circle.ts' })).toThrow('a symbol to a symbol');
    expect(askGraph(intel, { action: 'path', of: 'print', to: 'nowhere' })).toMatchObject({
      status: 'unknown',
      asked: 'nowhere',
    });
    const controller = AbortSignal.abort(new Error('enough'));
    expect(() => askGraph(intel, { action: 'impact', of: 'print', signal: controller })).toThrow('enough');
  });
});

describe('graphDot', () => {
  it('INT-6 is DOT in which every node is declared, whatever the names are', async () => {
    await workspace.write(
      'src/od"d\\.ts',
      "import { print } from './print.ts';\nexport function odd(): void {\n  print();\n}\n",
    );
    await intel.refresh();
    for (const action of ['explain', 'callers', 'callees', 'impact'] as const) {
      const dot = graphDot(intel, askGraph(intel, { action, of: 'print' }));
      expect(dot.split('\n')[0]).toBe('digraph code {');
      const declared = new Set([...dot.matchAll(/^ {2}(s\d+) \[/gm)].map(([, node]) => node));
      const edges = [...dot.matchAll(/^ {2}(s\d+) -> (s\d+);$/gm)];
      expect(edges.length).toBeGreaterThan(0);
      for (const [, from, to] of edges) expect(declared.has(from) && declared.has(to), dot).toBe(true);
      for (const line of dot.split('\n').slice(3, -1))
        expect(line).toMatch(/^ {2}(?:s\d+|"(?:[^"\\]|\\.)*") (?:-> (?:s\d+|"(?:[^"\\]|\\.)*");|\[.*\];)$/);
    }
    expect(graphDot(intel, askGraph(intel, { action: 'callers', of: 'print' }))).toContain('src/od\\"d\\\\.ts');
  });
});
