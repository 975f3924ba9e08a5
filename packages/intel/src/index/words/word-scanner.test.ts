import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashTerm } from './hash-term.ts';
import { splitWord, WORDS } from './split-word.ts';
import { WordScanner } from './word-scanner.ts';

const piece = fc.oneof(
  fc.constantFrom('readFile', 'read_file', ' ', '\n', '\t', '::', '読む', 'é', '“', 'x', 'HTTPServer2', 'a1b2', '_'),
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

/** Hashes of the terms that the scanner finds in a text. */
function scanned(scanner: WordScanner, source: string): number[] {
  return scanner.termsOf(source).terms.map((term) => scanner.table.terms.hashes[term]!);
}

describe('the scanner', () => {
  it('INT-7 finds in the bytes what a regular expression finds in the text, whatever it has seen before', () => {
    const used = new WordScanner();
    fc.assert(
      fc.property(text, (source) => {
        // What cannot be written as UTF-8 is read as another character.
        const plain = source.toWellFormed();
        const expected = (plain.match(WORDS) ?? [])
          .filter((run) => run.length > 1 || run > '\u007f')
          .flatMap(splitWord);
        expect(scanned(used, plain)).toEqual(expected.map(hashTerm));
        used.table.trim();
      }),
    );
  });

  it('INT-7 forgets words when they become many, and goes on', () => {
    const scanner = new WordScanner();
    for (let i = 0; i < 70_000; i++) scanner.termsOf(`word${i}`);
    expect(scanned(scanner, 'word7')).toEqual(splitWord('word7').map(hashTerm));
    scanner.table.trim();
    expect(scanner.table.terms.count).toBe(0);
    expect(scanned(scanner, 'readFile')).toEqual(splitWord('readFile').map(hashTerm));
  });

  it('INT-7 looks at the beginning of a line that is too long, and at the next line', () => {
    const scanner = new WordScanner();
    const terms = scanned(scanner, `first ${'filler '.repeat(10_000)}last\nnext`);
    for (const word of ['first', 'next']) expect(terms).toContain(hashTerm(word));
    expect(terms).not.toContain(hashTerm('last'));
  });
});
