import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SymbolFlag } from '../parsing/file-facts.ts';
import { CHUNK_WIDTH, ChunkColumn, type ChunkFacts, ChunkFlag, WEIGHT_BITS } from './chunk-facts.ts';
import { fileChunker } from './chunk-file.ts';
import { LENGTHS, lengthStep } from './chunk-length.ts';
import { factsOf, type SymbolSpec } from './fixtures/facts.ts';
import { chunksOf } from './fixtures/workspace.ts';
import { hashTerm } from './words/hash-term.ts';
import { splitWord } from './words/split-word.ts';

function column({ chunks }: ChunkFacts, of: number): number[] {
  return Array.from({ length: chunks.length / CHUNK_WIDTH }, (_, row) => chunks[row * CHUNK_WIDTH + of]!);
}

function ranges(facts: ChunkFacts): string[] {
  const symbols = facts.symbols.split('\n');
  const ends = column(facts, ChunkColumn.END_LINE);
  return column(facts, ChunkColumn.START_LINE).map((start, row) => `${start}-${ends[row]} ${symbols[row]}`.trim());
}

/** Weight of a word's last term in a chunk. */
function weightOf(facts: ChunkFacts, row: number, word: string): number {
  const place = facts.terms.indexOf(hashTerm(splitWord(word).at(-1)!));
  const postings = place < 0 ? [] : [...facts.postings.subarray(facts.starts[place], facts.starts[place + 1])];
  const found = postings.find((posting) => posting >>> WEIGHT_BITS === row);
  return found === undefined ? 0 : found & ((1 << WEIGHT_BITS) - 1);
}

const CODE = `import os

LIMIT = 5


def remove_tree(path):
    """Deletes a directory."""
    for name in os.listdir(path):
        os.unlink(name)

class Store:
    size = 1

    def clear(self):
        remove_tree(self.path)
        return None
`;
const SYMBOLS: SymbolSpec[] = [
  { name: 'remove_tree', lines: [6, 9], doc: [7, 7] },
  { name: 'Store', kind: 'class', lines: [11, 16] },
  { name: 'clear', kind: 'method', lines: [14, 16], in: 1 },
];

describe('the chunks of a file', () => {
  it('INT-7 are its symbols and what is between them, without blank lines around', () => {
    const facts = chunksOf('lib/files.py', CODE, SYMBOLS);
    expect(ranges(facts)).toEqual(['1-3', '6-9 remove_tree', '11-12 Store', '14-16 Store.clear']);
    expect(column(facts, ChunkColumn.DOC_START)).toEqual([0, 7, 0, 0]);
    expect(column(facts, ChunkColumn.FLAGS)).toEqual([0, ChunkFlag.CODE, 0, ChunkFlag.CODE]);
  });

  it('INT-7 count words by where they stand: in a name more than in a path, in a path like in the text', () => {
    const facts = chunksOf('lib/files.py', CODE, SYMBOLS);
    expect(weightOf(facts, 1, 'listdir')).toBe(1);
    expect(weightOf(facts, 1, 'lib')).toBe(1);
    expect(weightOf(facts, 1, 'os')).toBe(2);
    expect(weightOf(facts, 1, 'remove_tree')).toBe(6);
    expect(weightOf(facts, 3, 'remove_tree')).toBe(1);
    expect(weightOf(facts, 3, 'Store')).toBe(2);
    expect(weightOf(facts, 3, 'clear')).toBeGreaterThan(weightOf(facts, 1, 'remove'));
    expect(weightOf(facts, 0, 'clear')).toBe(0);
  });

  it('INT-7 say which are tests, and the other lines of their file too', () => {
    const tests = SYMBOLS.map((symbol) => ({ ...symbol, flags: SymbolFlag.TEST }));
    const { TEST, CODE: IS_CODE } = ChunkFlag;
    const facts = chunksOf('lib/test_files.py', CODE, tests);
    expect(column(facts, ChunkColumn.FLAGS)).toEqual([TEST, TEST | IS_CODE, TEST, TEST | IS_CODE]);
  });

  it('INT-7 are cut by lines where there are no symbols, best at a blank line', () => {
    const lines = Array.from({ length: 150 }, (_, i) => (i + 1 === 47 ? '' : `word${i + 1}`));
    expect(ranges(chunksOf('notes.md', lines.join('\n')))).toEqual(['1-46', '48-107', '108-150']);
  });

  it('INT-7 survive what is empty, binary, has no words, or is not as long as a parse says', () => {
    const none = { chunks: new Int32Array(), symbols: '', terms: new Uint32Array(), postings: new Uint32Array() };
    expect(chunksOf('a', '')).toMatchObject(none);
    expect(chunksOf('a', '{}\n\n  ;;\n')).toMatchObject(none);
    const bytes = new TextEncoder().encode('word here');
    expect(fileChunker()(bytes, { ...factsOf(1), state: 'binary' }, 'a')).toMatchObject(none);
    expect(ranges(fileChunker()(bytes, factsOf(500, [{ name: 'x', lines: [300, 400] }]), 'a'))).toEqual(['1-1']);
  });

  it('INT-9 keep their fingerprint when they move, and change it with a word, the symbol or the path', () => {
    const keys = (path: string, code: string, symbols: SymbolSpec[]) => {
      const facts = chunksOf(path, code, symbols);
      return column(facts, ChunkColumn.KEY_LOW).map((low, row) => `${low} ${column(facts, ChunkColumn.KEY_HIGH)[row]}`);
    };
    const before = keys('a.py', CODE, SYMBOLS);
    const down = SYMBOLS.map(({ lines: [start, end], ...rest }) => ({
      ...rest,
      lines: [start + 2, end + 2] as [number, number],
    }));
    expect(keys('a.py', `\n\n${CODE}`, down)).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
    const changed = keys('a.py', CODE.replace('unlink', 'rmdir'), SYMBOLS);
    expect(changed.map((key, row) => key === before[row])).toEqual([true, false, true, true]);
    for (const key of keys('b.py', CODE, SYMBOLS)) expect(before).not.toContain(key);
  });

  it('INT-7 are the same from a chunker that has seen other files, their terms ascending and each once', () => {
    const line = fc.array(fc.constantFrom('readFile', 'write', 'x9', 'é', '(', 'to', 'Store'), { maxLength: 6 });
    const text = fc
      .array(
        line.map((words) => words.join(' ')),
        { maxLength: 90 },
      )
      .map((lines) => lines.join('\n'));
    const used = fileChunker();
    fc.assert(
      fc.property(text, (source) => {
        const facts = factsOf(source.split('\n').length);
        const again = used(new TextEncoder().encode(source), facts, 'a/b.txt');
        expect(again).toEqual(chunksOf('a/b.txt', source));
        expect([...again.terms]).toEqual([...new Set(again.terms)].sort((x, y) => x - y));
        expect(again.starts.at(-1)).toBe(again.postings.length);
        const postings = (i: number) => [...again.postings.subarray(again.starts[i], again.starts[i + 1])];
        for (let i = 0; i < again.terms.length; i++) {
          const rows = postings(i).map((posting) => posting >>> WEIGHT_BITS);
          expect(rows).toEqual([...new Set(rows)].sort((x, y) => x - y));
        }
      }),
    );
  });

  it('INT-8 have a length that is told in steps, exact where it matters', () => {
    for (let length = 0; length <= 33; length++) expect(LENGTHS[lengthStep(length)]).toBe(length);
    for (const length of [50, 100, 999, 12_345]) {
      const told = LENGTHS[lengthStep(length)]!;
      expect(told).toBeLessThanOrEqual(length);
      expect(told).toBeGreaterThan(length * 0.96);
    }
    expect(lengthStep(10 ** 9)).toBe(255);
  });
});
