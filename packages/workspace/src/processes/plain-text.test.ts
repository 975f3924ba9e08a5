// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what this is about
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

describe('plainText', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m plain', 'red plain'],
    ['cursor movement', 'a\u001b[2K\u001b[1Gb', 'ab'],
    ['a title', '\u001b]0;my title\u0007text', 'text'],
    ['a link', '\u001b]8;;https://x.example\u001b\\label\u001b]8;;\u001b\\', 'label'],
    ['a device control string', '\u001bPq#0;2;0\u001b\\after', 'after'],
    ['an unfinished title, which ends with its line', '\u001b]0;title\nnext', '\nnext'],
    ['an unfinished sequence', 'end\u001b[31', 'end'],
    ['a lone escape', 'end\u001b', 'end'],
    ['a character set', '\u001b(Btext', 'text'],
    ['eight-bit controls', '\u009b31mred\u009b0m', 'red'],
    ['progress', ' 10 %\r 50 %\r100 %\ndone\n', '100 %\ndone\n'],
    ['progress that clears its line', 'working\r\u001b[K\nnext', 'working\nnext'],
    ['Windows line ends', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['overstriking', 'N\bNA\bAM\bME\bE _\bx', 'NAME x'],
    ['a spinner', '|\b/\b-\bdone', 'done'],
    ['too many backspaces', '\b\b\bx', 'x'],
    ['bells and other controls', 'a\u0007b\u0000c\u000ed\u007f', 'abcd'],
    ['tabs and letters of all kinds, which stay', '\té € 😀 你好\n', '\té € 😀 你好\n'],
  ])('IDE-75 strips %s', (_, output, expected) => {
    expect(plainText(output)).toBe(expected);
  });

  it('leaves no control character, changes nothing twice, and leaves plain text alone', () => {
    const parts = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '31m',
      '\r',
      '\n',
      '\b',
      '\u0007',
      '\u009b',
      'P',
      '\\',
      'a',
      '€',
      ';',
      '(',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(parts).map((each) => each.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (output) => {
          const text = plainText(output);
          expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
          expect(plainText(text)).toBe(text);
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(plainText(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['carriage returns', '\r'],
    ['escapes', '\u001b'],
    ['unfinished titles', '\u001b]'],
    ['unfinished sequences', '\u001b[3'],
    ['backspaces', '\b'],
  ])('stays fast on a megabyte of %s', (_, part) => {
    expect(plainText(`${part.repeat(1_000_000 / part.length)}\nend`)).toMatch(/\nend$/);
  });
});
