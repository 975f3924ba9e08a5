import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitWidth, widthOf } from './fit-width.ts';
import { visibleLine } from './visible-text.ts';

describe('fitWidth', () => {
  it('IDE-88 cuts to columns, not characters', () => {
    expect(fitWidth('abcdef', 6)).toBe('abcdef');
    expect(fitWidth('abcdefg', 6)).toBe('abcde…');
    expect(fitWidth('你好世界', 6)).toBe('你好…');
    expect(fitWidth('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
    expect(fitWidth('abc', 1)).toBe('…');
    expect(fitWidth('abc', 0)).toBe('');
    expect(fitWidth('abc', -5)).toBe('');
  });

  it('IDE-88 never exceeds the width nor throws, whatever the text and however narrow the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: -2, max: 50 }), (text, columns) => {
        const line = visibleLine(text);
        const fitted = fitWidth(line, columns);
        expect(widthOf(fitted)).toBeLessThanOrEqual(Math.max(columns, 0));
        if (widthOf(line) <= columns) expect(fitted).toBe(line);
      }),
    );
  });
});
