import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BINDING_WIDTH, type FileFacts, IMPORT_WIDTH, REFERENCE_WIDTH, SYMBOL_WIDTH } from './file-facts.ts';
import { factsOf } from './fixtures/facts-of.ts';
import { LANGUAGES } from './language.ts';
import { packFacts, unpackFacts } from './pack-facts.ts';

const table = (width: number) =>
  fc
    .array(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: width, maxLength: width }), {
      maxLength: 8,
    })
    .map((rows) => Int32Array.from(rows.flat()));

const anyFacts: fc.Arbitrary<FileFacts> = fc
  .record({
    language: fc.option(fc.constantFrom(...LANGUAGES), { nil: undefined }),
    state: fc.constantFrom<FileFacts['state'][]>('parsed', 'partial', 'text', 'skipped', 'binary', 'unreadable'),
    why: fc.string({ unit: 'grapheme', minLength: 1 }),
    hasWhy: fc.boolean(),
    lines: fc.nat(),
    names: fc.array(fc.string({ unit: 'grapheme' })),
    symbols: table(SYMBOL_WIDTH),
    references: table(REFERENCE_WIDTH),
    imports: table(IMPORT_WIDTH),
    bindings: table(BINDING_WIDTH),
  })
  .map(({ hasWhy, why, ...facts }) => (hasWhy ? { ...facts, why } : facts));

it('INT-4 packs facts and gives back the same', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      expect(unpackFacts(packFacts(facts))).toEqual(facts);
    }),
  );
});

it('INT-4 refuses packed facts that were cut, and anything else, or reads some facts out of it', () => {
  fc.assert(
    fc.property(anyFacts, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (facts, share) => {
      const packed = packFacts(facts);
      expect(() => unpackFacts(packed.subarray(0, Math.floor(packed.length * share)))).toThrow(RangeError);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        expect(unpackFacts(bytes).names).toBeInstanceOf(Array);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

it('INT-4 packs the facts of a source into a third of what they take in memory', async () => {
  const source = `export class Store {\n${'  save(row: Row): void { this.rows.push(row, this.next()); }\n'.repeat(100)}}\n`;
  const facts = await factsOf('typescript', source);
  expect(unpackFacts(packFacts(facts))).toEqual(facts);
  const { symbols, references, imports, bindings } = facts;
  const inMemory = symbols.byteLength + references.byteLength + imports.byteLength + bindings.byteLength;
  expect(packFacts(facts).length).toBeLessThan(inMemory / 3);
});
