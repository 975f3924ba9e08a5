import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Certainty, CodeGraph, CodeReference, CodeSymbol, FileTable } from '../../packages/intel/src/index.ts';
import { f1Of, measureCallEdges } from './call-edges.ts';
import { type CallOracle, readCallOracle } from './lib/call-oracle.ts';

const SOURCE = `class Store {
  constructor() {}
  save(done: () => void) {
    done();
    other();
  }
}
function other() {
  new Store().save(other);
  console.log(unknown());
}
`;
const OWN = 'scip-typescript npm app 1 `a.ts`/';
/** Line and column from 1 and 0, as the graph counts; the oracle's file counts lines from 0. */
const NAMES: [line: number, column: number, symbol: string, isDefinition?: boolean][] = [
  [1, 6, `${OWN}Store#`, true],
  [2, 2, `${OWN}Store#\`<constructor>\`().`, true],
  [3, 2, `${OWN}Store#save().`, true],
  [3, 7, 'local 1', true],
  [4, 4, 'local 1'],
  [5, 4, `${OWN}other().`],
  [8, 9, `${OWN}other().`, true],
  [9, 6, `${OWN}Store#\`<constructor>\`().`],
  [9, 14, `${OWN}Store#save().`],
  [10, 10, 'scip-typescript npm typescript 5 lib/`lib.dom.d.ts`/Console#log().'],
];

let folder: string;
let oracle: CallOracle;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'black-bench-'));
  writeFileSync(join(folder, 'a.ts'), SOURCE);
  writeFileSync(join(folder, 'index.scip'), scipFile('a.ts'));
  oracle = await readCallOracle(folder, join(folder, 'index.scip'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the oracle knows calls of functions, of values, of what lies outside, and those of which it knows nothing', () => {
  const verdicts = [...oracle.sites.values()].map(({ name, verdict }) => [name, verdict]);
  expect(verdicts.sort()).toEqual([
    ['Store', 'edge'],
    ['done', 'value'],
    ['log', 'outside'],
    ['other', 'edge'],
    ['save', 'edge'],
    ['unknown', 'unknown'],
  ]);
});

it('right, wrong, missed and unjudged claims are told apart, by certainty', () => {
  const result = measure([
    // The class in place of its constructor, and the other way round, is the same edge.
    { line: 9, column: 6, to: 'Store', certainty: 'import' },
    { line: 5, column: 4, to: 'other', certainty: 'scope' },
    // Of two targets one is right.
    { line: 9, column: 14, to: 'save', certainty: 'ambiguous' },
    { line: 9, column: 14, to: 'other', certainty: 'ambiguous' },
    // That it calls `save` elsewhere doesn't make it right here.
    { line: 10, column: 10, to: 'save', certainty: 'unique-name' },
    { line: 10, column: 14, to: 'save', certainty: 'unique-name' },
  ]);
  expect(result.truth).toBe(3);
  expect(result.byCertainty).toEqual({
    import: { claimed: 1, right: 1 },
    scope: { claimed: 1, right: 1 },
    'unique-name': { claimed: 1, right: 0 },
    ambiguous: { claimed: 2, right: 1 },
  });
  expect(result.wrong.map(({ name }) => name).sort()).toEqual(['other', 'save']);
  expect(f1Of(result)).toBeCloseTo((2 * 3) / (5 + 3));
});

it('a claim where the oracle is silent counts in the strict figure alone, one outside the tree is wrong in both', () => {
  const silent = measure([{ line: 10, column: 14, to: 'Store', certainty: 'unique-name' }], { without: 'Store' });
  expect(silent.unknown).toBe(1);
  expect(silent.overall).toEqual({ claimed: 0, right: 0 });
  const outside = measure([{ line: 10, column: 10, to: 'other', certainty: 'import' }]);
  expect(outside.byCertainty.import).toEqual({ claimed: 1, right: 0 });
  expect(outside.missed).toHaveLength(3);
});

it('a claim where the syntax has no call is wrong, one on the very value that is called is no claim', () => {
  const result = measure([
    { line: 1, column: 6, to: 'other', certainty: 'scope' },
    { line: 4, column: 4, to: 'done', certainty: 'scope' },
  ]);
  expect(result.offSite).toBe(1);
  expect(result.overall).toEqual({ claimed: 1, right: 0 });
});

interface Claim {
  line: number;
  column: number;
  to: keyof typeof SYMBOLS;
  certainty: Certainty;
}

const SYMBOLS = {
  Store: [1, 6],
  save: [3, 2],
  done: [3, 7],
  other: [8, 9],
} as const;

/** Measures a graph that claims just these calls. */
function measure(claims: Claim[], { without }: { without?: string } = {}) {
  const names = Object.keys(SYMBOLS) as (keyof typeof SYMBOLS)[];
  const graph: Pick<CodeGraph, 'symbolsOf' | 'symbol' | 'callers'> = {
    symbolsOf: () => names.map((_, id) => id),
    symbol: (id) => {
      const [nameLine, nameColumn] = SYMBOLS[names[id]!];
      return {
        name: names[id]!,
        kind: 'function',
        container: [],
        path: 'a.ts',
        nameLine,
        nameColumn,
      } as unknown as CodeSymbol;
    },
    callers: (id) =>
      claims
        .filter(({ to }) => to === names[id])
        .map((claim) => ({ ...claim, path: 'a.ts', to: [id] }) as unknown as CodeReference),
  };
  const judged = { ...oracle, sites: new Map(oracle.sites) };
  for (const [key, site] of judged.sites) if (site.name === without) judged.sites.delete(key);
  return measureCallEdges(judged, graph as CodeGraph, { ids: () => [0] } as unknown as FileTable);
}

function scipFile(path: string): Buffer {
  const occurrences = NAMES.map(([line, column, symbol, isDefinition]) => {
    const range = field(1, Buffer.concat([varint(line - 1), varint(column), varint(column + 1)]));
    const role = isDefinition ? [varint(3 << 3), varint(1)] : [];
    return field(2, Buffer.concat([range, field(2, Buffer.from(symbol)), ...role]));
  });
  return field(2, Buffer.concat([field(1, Buffer.from(path)), ...occurrences]));
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) return Buffer.from(bytes);
  }
}
