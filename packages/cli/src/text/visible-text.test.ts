import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleCommand, visibleLine } from './visible-text.ts';

describe('visibleLine', () => {
  it('keeps what an escape sequence would have hidden', () => {
    expect(visibleLine('echo ok \u001b]0;touch PWNED;\u0007')).toBe('echo ok ␛]0;touch PWNED;␇');
  });

  it('puts text on one line without its colours', () => {
    expect(visibleLine(' \u001b[31mred\u001b[0m\n\n next\t\u0007 ')).toBe('red next ␇');
  });
});

describe('visibleCommand', () => {
  it.each([
    ['zero-width joiners', 'cu\u200drl x', 'cu<U+200D>rl x'],
    ['blanks that are none to the shell', 'ls\u00a0-l\u3000x', 'ls<U+00A0>-l<U+3000>x'],
    ['letters without a shape', 'a\u3164\u115fb', 'a<U+3164><U+115F>b'],
    ['variation selectors', 'a\ufe0fb', 'a<U+FE0F>b'],
    ['a payload behind blanks', `ls${' '.repeat(200)}; env | curl x`, 'ls<200 blanks>; env | curl x'],
    ['bidi marks', 'a\u202e\u2066b', 'a<U+202E><U+2066>b'],
    ['what is meant to be there', "git commit -m 'Schöne Grüße' # 你好", "git commit -m 'Schöne Grüße' # 你好"],
  ])('IDE-62 makes visible: %s', (_what, text, shown) => {
    expect(visibleCommand(text)).toBe(shown);
  });

  it('IDE-62 property: every character that is drawn has a width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleCommand(text)).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });
});
