import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

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
    ['a soft hyphen in a path', 'src/in\u00addex.ts', 'src/in<U+00AD>dex.ts'],
    ['fillers and selectors that are drawn as nothing', 'a\u3164b\u{e0100}c\ufe00', 'a<U+3164>b<U+E0100>c<U+FE00>'],
    ['joiners between Latin letters', 'ad\u200dmin\u200c \ufe0fx', 'ad<U+200D>min<U+200C> <U+FE0F>x'],
    ['joiners that are spelling', 'می\u200cخواهم ক্\u200dষ', 'می\u200cخواهم ক্\u200dষ'],
    ['keycaps', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
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
