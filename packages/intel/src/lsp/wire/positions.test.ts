import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeColumn, encodeColumn, type PositionEncoding } from './positions.ts';

const LINE = 'aé日🦊z';

describe('encodeColumn, decodeColumn', () => {
  it.each<[PositionEncoding, number[]]>([
    ['utf-8', [0, 1, 3, 6, 10, 11]],
    ['utf-16', [0, 1, 2, 3, 5, 6]],
    ['utf-32', [0, 1, 2, 3, 4, 5]],
  ])('INT-15 counts columns in %s', (encoding, columns) => {
    const ours = [0, 1, 2, 3, 5, 6];
    expect(ours.map((column) => encodeColumn(LINE, column, encoding))).toEqual(columns);
    expect(columns.map((column) => decodeColumn(LINE, column, encoding))).toEqual(ours);
  });

  it('INT-15 goes to the start of a character that a column splits, and to the end of a line that is too short', () => {
    expect(encodeColumn(LINE, 4, 'utf-8')).toBe(6);
    expect(decodeColumn(LINE, 8, 'utf-8')).toBe(3);
    expect(encodeColumn(LINE, 99, 'utf-8')).toBe(11);
    expect(decodeColumn(LINE, 99, 'utf-32')).toBe(6);
  });

  it('INT-15 finds each character back in every encoding', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.constantFrom<PositionEncoding>('utf-8', 'utf-16', 'utf-32'),
        (line, at, encoding) => {
          const starts = [0];
          for (const character of line) starts.push(starts.at(-1)! + character.length);
          const column = starts[at % starts.length]!;
          const encoded = encodeColumn(line, column, encoding);
          if (encoding === 'utf-8') expect(encoded).toBe(Buffer.byteLength(line.slice(0, column)));
          expect(decodeColumn(line, encoded, encoding)).toBe(column);
        },
      ),
    );
  });
});
