import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleLine, visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['escape sequences', 'a\u001b[2Jb', 'a␛[2Jb'],
    ['a carriage return that hides', 'safe\rrm -rf', 'safe␍rm -rf'],
    ['line ends', 'a\r\nb\tc', 'a\nb\tc'],
    ['bidi overrides', 'a\u202eb', 'a<U+202E>b'],
    ['zero width space', 'a\u200bb', 'a<U+200B>b'],
    ['tag characters', 'a\u{e0041}', 'a<U+E0041>'],
    ['C1 controls', '\u009b31m', '<U+009B>31m'],
    ['emoji, joiners and all', '👩‍👩‍👧 ✌️', '👩‍👩‍👧 ✌️'],
    ['other scripts', 'Привіт 你好 שלום', 'Привіт 你好 שלום'],
  ])('makes visible: %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('never lets a control character but line feed and tab through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be gone
        expect(visibleText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe('visibleLine', () => {
  it('puts text on one line without its colours', () => {
    expect(visibleLine(' \u001b[31mred\u001b[0m\n\n next\t\u0007 ')).toBe('red next ␇');
  });
});
