import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, type SymbolSpec } from './fixtures/facts.ts';
import { planChunks } from './plan-chunks.ts';

/** Each stretch as `start-end symbol`, `~` before those that may be cut further. */
function planned(lines: number, symbols: readonly SymbolSpec[] = []): string[] {
  return planChunks(factsOf(lines, symbols)).map(({ startLine, endLine, flexible, symbol }) =>
    `${flexible ? '~' : ''}${startLine}-${endLine} ${symbol}`.trim(),
  );
}

describe('the plan of a file', () => {
  it('INT-7 cuts at functions, and takes what is between them by lines', () => {
    const symbols: SymbolSpec[] = [
      { name: 'one', lines: [4, 9] },
      { name: 'two', lines: [12, 20] },
    ];
    expect(planned(30, symbols)).toEqual(['~1-3', '4-9 one', '~10-11', '12-20 two', '~21-30']);
    expect(planned(30)).toEqual(['~1-30']);
  });

  it('INT-7 cuts a class at its methods; its own lines are its own', () => {
    const symbols: SymbolSpec[] = [
      { name: 'Store', kind: 'class', lines: [2, 30] },
      { name: 'size', kind: 'field', lines: [3, 3], in: 0 },
      { name: 'open', kind: 'method', lines: [6, 12], in: 0, doc: [5, 5] },
      { name: 'close', kind: 'method', lines: [13, 13], in: 0 },
      { name: 'read', kind: 'method', lines: [15, 28], in: 0 },
    ];
    expect(planned(31, symbols)).toEqual([
      '~1-1',
      '~2-4 Store',
      '5-12 Store.open',
      '~13-14 Store',
      '15-28 Store.read',
      '~29-30 Store',
      '~31-31',
    ]);
  });

  it('INT-7 keeps functions in short functions with them, and cuts long ones', () => {
    const nested = (end: number): SymbolSpec[] => [
      { name: 'outer', lines: [1, end] },
      { name: 'inner', lines: [10, 20], in: 0 },
    ];
    expect(planned(30, nested(30))).toEqual(['1-30 outer']);
    expect(planned(120, nested(120))).toEqual(['~1-9 outer', '10-20 outer.inner', '~21-120 outer']);
    expect(planned(120, nested(120).slice(0, 1))).toEqual(['~1-120 outer']);
  });

  it('INT-7 takes a method for what its container says that lies elsewhere', () => {
    const symbols: SymbolSpec[] = [
      { name: 'Reader', kind: 'struct', lines: [10, 14] },
      { name: 'Read', kind: 'method', lines: [20, 30], in: 0 },
    ];
    expect(planned(30, symbols)).toEqual(['~1-9', '10-14 Reader', '~15-19', '20-30 Reader.Read']);
  });

  it('INT-7 has every line once and in order, whatever a parse says', () => {
    const symbol = fc.record({
      name: fc.constantFrom('a', 'b'),
      kind: fc.constantFrom('function', 'class', 'method', 'field') as fc.Arbitrary<'function'>,
      lines: fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 200 })).map(([x, y]) => [x, x + y]),
      in: fc.integer({ min: -1, max: 5 }),
      doc: fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 })),
    }) as fc.Arbitrary<SymbolSpec>;
    const file = fc.record({ lines: fc.integer({ min: 1, max: 400 }), symbols: fc.array(symbol, { maxLength: 12 }) });
    fc.assert(
      fc.property(file, ({ lines, symbols }) => {
        const known = symbols.map((each) => ({ ...each, in: Math.min(each.in ?? -1, symbols.length - 1) }));
        let next = 1;
        for (const { startLine, endLine } of planChunks(factsOf(lines, known))) {
          expect(startLine).toBe(next);
          expect(endLine).toBeGreaterThanOrEqual(startLine);
          next = endLine + 1;
        }
        expect(next).toBe(lines + 1);
      }),
    );
  });

  it('INT-7 goes on with very deep nesting', () => {
    const deep = Array.from({ length: 20_000 }, (_, i): SymbolSpec => {
      return { name: `c${i}`, kind: 'class', lines: [i + 1, 60_000 - i], in: i - 1 };
    });
    const plan = planChunks(factsOf(60_000, deep));
    expect(plan.at(-1)!.endLine).toBe(60_000);
    expect(Math.max(...plan.map(({ symbol }) => symbol.split('.').length))).toBeLessThan(20);
  });
});
