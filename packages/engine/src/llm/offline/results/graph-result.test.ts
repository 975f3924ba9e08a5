import { answerPage, type GraphAnswer, hitsText, pageText, type ShownHit } from '@black-ide/intel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGraph } from './graph-result.ts';
import { parseSearch } from './search-result.ts';

const name = fc.constantFrom('save', 'Store.save', 'Store.#notes', '_x', 'operator ==', '~Store', 'শিরোনাম');
const path = fc.constantFrom('src/a.ts', 'a b/c (1).py', 'x.go', 'pkg:v2/y.rs');
const line = fc.integer({ min: 1, max: 99_999 });
const certainty = fc.constantFrom('import', 'scope', 'unique-name', 'ambiguous');
const code = fc.constantFrom('save(note);', 'a | b  || c', '  (x)  ', 'if (a) { b: 1 }', '// a  (b)');

const symbol = fc.record(
  {
    symbol: name,
    kind: fc.constantFrom('function', 'method', 'class', 'enum-member'),
    path,
    line,
    startLine: line,
    endLine: fc.integer({ min: 100_000, max: 200_000 }),
    exported: fc.boolean(),
    isTest: fc.boolean(),
    signature: fc.constantFrom('save(a: A): void', 'export class Store', 'def save(self)', 'fn x'),
    doc: fc.constantFrom('Saves one note.', 'See a:1 (b).'),
  },
  { requiredKeys: ['symbol', 'kind', 'path', 'line', 'startLine', 'endLine', 'exported', 'isTest'] },
);
const use = fc.record(
  {
    path,
    line,
    kind: fc.constantFrom('call', 'new', 'read'),
    certainty,
    in: name,
    isTest: fc.boolean(),
    times: fc.integer({ min: 1, max: 9 }),
    code,
  },
  { requiredKeys: ['path', 'line', 'kind', 'certainty', 'isTest', 'times'] },
);

function listed<T>(item: fc.Arbitrary<T>) {
  return fc
    .array(item, { maxLength: 5 })
    .chain((items) => fc.nat(9).map((more) => ({ total: items.length + more, items })));
}

const answers = fc.record({
  action: fc.constantFrom('explain', 'callers', 'references'),
  asked: name,
  status: fc.constant('ok'),
  complete: fc.constant(true),
  symbol,
  callers: listed(use),
  references: listed(use),
  tests: listed(
    fc
      .tuple(symbol, fc.integer({ min: 1, max: 5 }), certainty)
      .map(([each, depth, sure]) => ({ ...each, depth, certainty: sure })),
  ),
}) as fc.Arbitrary<GraphAnswer>;

describe('what the code tools answer', () => {
  it('IDE-28 is read as it was meant: places, names, notes and counts', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const result = parseGraph(pageText(answerPage(answer), 100_000));
        const { symbol: of, callers, tests, references } = answer;
        expect(result).toMatchObject({ status: 'ok', path: of!.path, line: of!.line, endLine: of!.endLine });
        expect(result.signature).toBe(of!.signature);
        expect(result.doc).toBe(of!.doc);
        const called = result.sections.find(({ title }) => title.startsWith('Called by'))!;
        expect(called.more).toBe(callers!.total - callers!.items.length);
        expect(called.rows.map((row) => [row.path, row.line, row.text])).toEqual(
          callers!.items.map((each) => [each.path, each.line, each.in ? `in ${each.in}` : 'at the top of the file']),
        );
        const reaching = result.sections.find(({ title }) => title.startsWith('Tests that reach it'))!;
        expect(reaching.rows.map((row) => [row.path, row.line, row.text])).toEqual(
          tests!.items.map((each) => [each.path, each.line, each.symbol]),
        );
        expect(called.rows.map(({ notes }) => notes.includes('test'))).toEqual(
          callers!.items.map(({ isTest }) => isTest),
        );
        const used = result.sections.find(({ title }) => title.startsWith('Used in'));
        if (answer.action === 'explain') expect(used).toBeUndefined();
        else expect(used!.rows.map((row) => row.code)).toEqual(references!.items.map((each) => each.code));
      }),
    );
  });

  it('IDE-28 tells a name that is not there from one that several have', () => {
    const unknown: GraphAnswer = { action: 'explain', asked: 'x', status: 'unknown', complete: true, nearest: [] };
    expect(parseGraph(pageText(answerPage(unknown), 1_000))).toMatchObject({ status: 'unknown', sections: [] });
    fc.assert(
      fc.property(fc.array(symbol, { minLength: 2, maxLength: 5 }), (items) => {
        const answer = { ...unknown, status: 'ambiguous', candidates: { total: 9, items } } as GraphAnswer;
        const result = parseGraph(pageText(answerPage(answer), 100_000));
        expect(result.status).toBe('ambiguous');
        expect(result.sections[0]!.rows.map((row) => `${row.path}:${row.line}`)).toEqual(
          items.map((each) => `${each.path}:${each.line}`),
        );
      }),
    );
  });

  it('IDE-28 of a search: places, symbols, words and the line of code', () => {
    const hit = fc.record(
      {
        path,
        startLine: line,
        endLine: line,
        symbol: name,
        words: fc.array(fc.constantFrom('save', 'নোট'), { maxLength: 3 }),
        code: fc.record({ line, text: code }),
      },
      { requiredKeys: ['path', 'startLine', 'endLine', 'words'] },
    );
    fc.assert(
      fc.property(fc.array(hit, { maxLength: 6 }), (found) => {
        const hits = found.map(({ words, ...each }, at) => ({
          ...each,
          rank: at + 1,
          score: 1,
          why: { words, rankers: ['words'] },
        }));
        expect(parseSearch(hitsText(hits as ShownHit[], 100_000)).places).toEqual(
          found.map(({ code: shown, ...each }) => ({
            ...each,
            ...(shown ? { line: shown.line, code: shown.text } : {}),
          })),
        );
      }),
    );
  });

  it('IDE-28 cut to a size is never longer, and says how much is missing', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 200, max: 2_000 }), (answer, most) => {
        const text = pageText(answerPage(answer), most);
        expect(text.length).toBeLessThanOrEqual(most);
        for (const { title, rows, more } of parseGraph(text).sections) {
          const total = Number(/\d+/.exec(title)?.[0] ?? 0);
          if (/^Called by/.test(title)) expect(rows.length + more).toBe(total);
        }
      }),
    );
  });
});
