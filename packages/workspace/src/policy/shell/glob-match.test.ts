import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob-match.ts';
import { ANY, activateGlobs, SOME } from './markers.ts';

describe('matchesGlob', () => {
  it.each([
    ['*', '', true],
    ['*', 'abc', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abcb', false],
    ['?', 'a', true],
    ['?', '', false],
    ['[ab]x', 'bx', true],
    ['[!ab]x', 'bx', false],
    ['[a-c]', 'b', true],
    ['[a-c]', 'd', false],
    ['[[:alpha:]]', 'd', false],
    ['*a*a*a*', 'aa', false],
    ['e?c', 'etc', true],
  ])('IDE-63 %s on %j is %s', (pattern, text, expected) => {
    expect(matchesGlob(activateGlobs(pattern), text)).toBe(expected);
  });

  it('IDE-63 takes quoted characters for themselves and unknown text for anything', () => {
    expect(matchesGlob('*', 'abc')).toBe(false);
    expect(matchesGlob(`a${ANY}`, 'a')).toBe(true);
    expect(matchesGlob(`${SOME}/x`, 'a/x')).toBe(true);
  });

  it('IDE-63 agrees with a regular expression made of the same pattern', () => {
    const symbols = fc.array(fc.constantFrom('a', 'b', '.', '*', '?'), { maxLength: 8 }).map((list) => list.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(symbols, text, (pattern, subject) => {
        const expression = pattern.replaceAll('.', '\\.').replace(/\*+/g, '.*').replaceAll('?', '.');
        expect(matchesGlob(activateGlobs(pattern), subject)).toBe(new RegExp(`^${expression}$`).test(subject));
      }),
    );
  });
});
