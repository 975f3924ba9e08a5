import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from './folded-text.ts';

const piece = fc.constantFrom(
  'a',
  'b',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '“',
  '\u00a0',
  'ﬁ',
  '…',
  'e\u0301',
  '\u200b',
  '😀',
  '\u0301',
);

describe('foldText', () => {
  it('IDE-52 folds endings, blanks and look-alikes', () => {
    expect(foldText('a \r\nb\t', 'line-endings').text).toBe('a \nb\t');
    expect(foldText('a \r\nb\t', 'trailing-space').text).toBe('a\nb');
    expect(foldText('“a”\u00a0\r\nﬁ\u200b…\u00a0', 'look-alikes').text).toBe('"a"\nfi...');
    expect(foldText('a\rb', 'line-endings').text).toBe('a\nb');
    expect(foldText('a\rb\n', 'line-endings').text).toBe('a\rb\n');
  });

  it('IDE-52 does not answer for the inside of a character', () => {
    const folded = foldText('ﬁx', 'look-alikes');
    expect([folded.toStart(0), folded.toStart(1), folded.toStart(2)]).toEqual([0, undefined, 1]);
  });

  it.each(['line-endings', 'trailing-space', 'look-alikes'] as const)(
    'IDE-52 property: at level %s every stretch leads back to one that folds to it',
    (level) => {
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), fc.nat(8), (pieces, at, length) => {
          const text = `${pieces.join('')}\n`;
          const folded = foldText(text, level);
          const from = at % (folded.text.length + 1);
          const to = Math.min(from + length, folded.text.length);
          const [start, end] = [folded.toStart(from), folded.toEnd(to)];
          if (start === undefined || end === undefined || from === to) return;
          expect(start).toBeLessThanOrEqual(end);
          expect(folded.text.startsWith(foldText(`${text.slice(start, end)}\n`, level).text.slice(0, -1), from)).toBe(
            true,
          );
        }),
      );
    },
  );

  it('IDE-52 takes a line of a million blanks in its stride', () => {
    const text = `${' '.repeat(1_000_000)}x\n`;
    expect(foldText(text, 'trailing-space').text).toHaveLength(text.length);
  });
});
