import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SymbolFlag } from '../parsing/file-facts.ts';
import { CHUNK_WIDTH, ChunkColumn, type ChunkFacts, ChunkFlag, WEIGHT_BITS } from './chunk-facts.ts';
import { LENGTHS } from './chunk-length.ts';
import { HybridIndex } from './code-index.ts';
import { chunksOf, MemorySections, tableOf } from './fixtures/workspace.ts';
import { parseQuery } from './query.ts';

const PATHS = ['a.py', 'lib/b.py', 'lib/deep/c.py', 'lib/test_d.py', 'readme.md', 'z.py'];
const WORDS = ['alpha', 'beta', 'gamma_delta', 'parseFile', 'x9', 'epsilon', 'the', 'zeta', 'file', 'parse'];

const line = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const body = fc.array(line, { minLength: 2, maxLength: 5 });
/** A file of some functions, with lines between them, as its chunks. */
const content = fc.array(fc.tuple(fc.constantFrom('alpha', 'parse_file', 'zeta'), body, fc.boolean()), {
  maxLength: 5,
});
type Content = typeof content extends fc.Arbitrary<infer T> ? T : never;

function chunked(path: string, functions: Content): ChunkFacts {
  const lines: string[] = [];
  const symbols = functions.flatMap(([name, text, isSymbol]) => {
    const start = lines.length + 1;
    lines.push(...text);
    const flags = path.includes('test') ? SymbolFlag.TEST : 0;
    return isSymbol ? [{ name, lines: [start, lines.length] as [number, number], flags }] : [];
  });
  return chunksOf(path, lines.join('\n'), symbols);
}

const file = fc.nat(PATHS.length - 1);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), file, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), file }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('settle' as const), during: fc.option(fc.tuple(file, content)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin to settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
);
const query = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function run(steps: Step[]) {
  let index = new HybridIndex({ files: tableOf(PATHS) });
  const known = new Map<number, ChunkFacts>();
  const put = (id: number, functions: Content) => {
    const chunks = chunked(PATHS[id]!, functions);
    index.put(id, { chunks });
    known.set(id, chunks);
  };
  for (const each of steps) {
    if (each.do === 'put') put(each.file, each.content);
    if (each.do === 'remove') {
      index.remove(each.file);
      known.delete(each.file);
    }
    if (each.do === 'begin to settle') index.settle().next();
    if (each.do === 'settle') {
      const settling = index.settle();
      settling.next();
      if (each.during) put(...each.during);
      for (const _ of settling);
    }
    if (each.do === 'reload') {
      for (const _ of index.settle());
      expect(index.unsettled).toBe(0);
      const sections = new MemorySections();
      index.save(sections);
      index = new HybridIndex({ files: tableOf(PATHS) });
      index.load(sections);
    }
  }
  return { index, known };
}

/** Two chunks come out equal up to the last bit, so that a bound that is rounded otherwise drops the wrong one. */
const EQUAL_SCORES: Step[] = [
  { do: 'put', file: 2, content: [['zeta', ['gamma_delta', 'gamma_delta alpha alpha zeta alpha'], true]] },
  { do: 'settle', during: [0, [['zeta', ['alpha', 'alpha alpha'], true]]] },
  {
    do: 'put',
    file: 1,
    content: [['zeta', ['alpha gamma_delta zeta', 'alpha', 'alpha alpha alpha', 'alpha alpha'], true]],
  },
  { do: 'put', file: 3, content: [['alpha', ['alpha alpha alpha alpha', 'alpha alpha', 'alpha'], false]] },
];

describe('the index after any history', () => {
  it('INT-12 answers like one that was built cold from what is there now', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.array(query, { minLength: 1, maxLength: 3 }),
        (steps, queries) => {
          const { index, known } = run(steps);
          const cold = new HybridIndex({ files: tableOf(PATHS) });
          for (const [id, chunks] of [...known].sort(([x], [y]) => x - y)) cold.put(id, { chunks });
          for (const _ of cold.settle());
          expect(index.chunkCount).toBe(cold.chunkCount);
          for (const text of queries) {
            expect(index.searchWords(text, { limit: 100 })).toEqual(cold.searchWords(text, { limit: 100 }));
            expect(index.searchWords(text, { limit: 2 })).toEqual(cold.searchWords(text, { limit: 100 }).slice(0, 2));
            const below = index
              .searchWords(text, { path: 'lib', limit: 100 })
              .map(({ path, startLine }) => [path, startLine]);
            const all = cold.searchWords(text, { limit: 100 }).filter(({ path }) => path.startsWith('lib/'));
            expect(below).toEqual(all.map(({ path, startLine }) => [path, startLine]));
          }
        },
      ),
      { examples: [[EQUAL_SCORES, ['zeta', 'alpha']]] },
    );
  });

  it('INT-8 ranks as the formula says, with frequencies over all chunks and their mean length', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), query, (steps, text) => {
        const { index, known } = run(steps);
        const scores = scoresByFormula(known, text);
        const hits = index.searchWords(text, { limit: 100 });
        expect(hits.map(({ file: id, startLine }) => `${id}:${startLine}`).sort()).toEqual([...scores.keys()].sort());
        for (const { file: id, startLine, score } of hits)
          expect(score).toBeCloseTo(scores.get(`${id}:${startLine}`)!, 3);
      }),
    );
  });
});

/** BM25 as it is written down, slow and plain: score by `file:line`. */
function scoresByFormula(known: ReadonlyMap<number, ChunkFacts>, text: string): Map<string, number> {
  const all = [...known].flatMap(([id, facts]) =>
    Array.from({ length: facts.chunks.length / CHUNK_WIDTH }, (_, row) => {
      const columns = facts.chunks.subarray(row * CHUNK_WIDTH, (row + 1) * CHUNK_WIDTH);
      return { id, columns, weights: weightsOf(facts, row), length: LENGTHS[columns[ChunkColumn.LENGTH]!]!, score: 0 };
    }),
  );
  const mean = all.reduce((sum, { length }) => sum + length, 0) / all.length;
  for (const { hash, weight } of parseQuery(text)) {
    const having = all.filter(({ weights }) => weights.has(hash));
    const idf = Math.log(1 + (all.length - having.length + 0.5) / (having.length + 0.5));
    for (const chunk of having) {
      const frequency = chunk.weights.get(hash)!;
      chunk.score += (weight * idf * frequency * 3) / (frequency + 2 * (0.25 + (0.75 * chunk.length) / mean));
    }
  }
  const result = new Map<string, number>();
  for (const { id, columns, score } of all) {
    if (score === 0) continue;
    const best = Math.max(...all.filter((other) => other.id === id).map((other) => other.score));
    const flags = columns[ChunkColumn.FLAGS]!;
    const prior = (flags & ChunkFlag.CODE ? 1 : 0.8) * (flags & ChunkFlag.TEST ? 0.8 : 1);
    result.set(`${id}:${columns[ChunkColumn.START_LINE]}`, (score + 0.4 * best) * prior);
  }
  return result;
}

function weightsOf({ terms, starts, postings }: ChunkFacts, row: number): Map<number, number> {
  const weights = new Map<number, number>();
  terms.forEach((term, i) => {
    for (const posting of postings.subarray(starts[i], starts[i + 1])) {
      if (posting >>> WEIGHT_BITS === row) weights.set(term, posting & ((1 << WEIGHT_BITS) - 1));
    }
  });
  return weights;
}
