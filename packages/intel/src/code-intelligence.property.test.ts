import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { partsOf } from './code-intelligence.ts';
import { ThreadParser } from './files/fixtures/thread-parser.ts';
import { WorkspaceCode } from './files/workspace-code.ts';
import { SourceParser } from './parsing/source-parser.ts';
import { answersOf } from './testing/graph-answers.ts';

const parser = new SourceParser();
afterAll(() => parser.dispose());

const path = fc.constantFrom(
  'a.ts',
  'b.ts',
  'lib/a.ts',
  'lib/index.ts',
  'p/q.py',
  'p/__init__.py',
  'x.md',
  'package.json',
);
const text = fc.constantFrom(
  "import { run } from './b';\nexport class A { run() { return run(); } }\n",
  "export { run } from './a';\nexport function x() { return x(); }\n",
  'export function run() {}\nexport class B { a() { this.a(); } }\n',
  "import * as lib from './lib';\nimport { run } from 'named/lib';\nexport const m = () => lib.run(run());\n",
  'from p import q\nfrom .q import run\n\nclass A(q.B):\n    def run(self):\n        return run()\n',
  'class B:\n    """Something to run."""\n    def run(self): pass\n\ndef run(): pass\n',
  'Words about how to run a class.\n',
  '{ "name": "named", "exports": { "./lib": "./lib/index.ts" } }',
  '{ "name": "other" }',
  'export class A { broken(',
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('write' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('remove' as const), path }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('move' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('refresh' as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('refreshFiles' as const), path }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('ask' as const) }) },
);

/** Each takes a tenth of a second. */
const MOST_RUNS = 1_000;
const QUERIES = ['run', 'how to run a class', 'A', 'lib', 'something'];

/** Everything that both layers say, without numbers of files and symbols. */
function answers(code: WorkspaceCode): unknown {
  const hits = QUERIES.map((query) =>
    code.index
      .searchWords(query, { limit: 100 })
      .map(({ path, startLine, endLine, symbol, score, why }) =>
        [path, startLine, endLine, symbol, score.toFixed(6), [...why.words].sort().join(' ')].join('|'),
      )
      .sort(),
  );
  return { graph: answersOf(code.graph, code.files), hits, chunks: code.index.chunkCount };
}

it('INT-4 answers after any edits, renames, deletes and restarts as if all had been built anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      await using workspace = await createTempWorkspace();
      const place = mkdtempSync(join(tmpdir(), 'code-index-'));
      const { path: root } = workspace;
      const open = (folder: string | undefined): WorkspaceCode =>
        new WorkspaceCode({ ...partsOf({ root, folder }), parser: new ThreadParser(root, parser) });
      let code = open(join(place, 'index'));
      try {
        for (const each of steps) {
          if (each.act === 'refresh') await code.refresh();
          else if (each.act === 'refreshFiles') await code.refreshFiles([each.path]);
          else if (each.act === 'ask') answers(code);
          else if (each.act === 'reopen') {
            await code.dispose();
            code = open(join(place, 'index'));
          } else if (each.act === 'write') {
            mkdirSync(dirname(workspace.at(each.path)), { recursive: true });
            writeFileSync(workspace.at(each.path), each.text);
          } else if (each.act === 'remove') rmSync(workspace.at(each.path), { force: true });
          else move(workspace.at(each.path), workspace.at(each.to));
        }
        await code.refresh();
        const cold = open(undefined);
        await cold.refresh();
        expect(answers(code)).toEqual(answers(cold));
        await cold.dispose();
      } finally {
        await code.dispose();
        rmSync(place, { recursive: true, force: true });
      }
    }),
    { numRuns: Math.min(Number(process.env.BLACK_TEST_RUNS), MOST_RUNS) },
  );
}, 600_000);

/** What is not there cannot be moved, nor to a folder that is not there. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
