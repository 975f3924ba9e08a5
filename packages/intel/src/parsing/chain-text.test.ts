import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chainOf, NO_CHAIN, typeOfValue } from './chain-text.ts';

const rules = {
  selves: new Map([
    ['self', 'this'],
    ['super()', 'super'],
  ]),
  keywords: new Set(['function', 'None']),
};

it.each([
  ['a', 'a'],
  ['self.a', 'this.a'],
  ['selfish.a', 'selfish.a'],
  ['super().a', 'super.a'],
  ['a . b\n  ?.c!.d', 'a.b.c.d'],
  ['A::b->c&.d', 'A.b.c.d'],
  ['a(1, f("(", \')\'), `x`).b', 'a().b'],
  ['a[i].b[0]', 'a[].b[]'],
  ['a?.(1)?.[2]', 'a()[]'],
  ['a<T, U>(1).b', 'a().b'],
  ['(await a.b()).c', 'a.b().c'],
  ['new Foo(1).b', 'Foo().b'],
  ['größe.maß', 'größe.maß'],
  ['a + b', NO_CHAIN],
  ['"text"', NO_CHAIN],
  ['a(', NO_CHAIN],
  ['(a as B)', NO_CHAIN],
  ['function', NO_CHAIN],
  ['None.a()', NO_CHAIN],
])('INT-3 reads %j as the chain %j', (text, chain) => {
  expect(chainOf(text, rules)).toBe(chain);
});

it.each([
  ['new Store("x")', 'Store'],
  ['new a.Store<T>(1)', 'a.Store'],
  ['new Store().open()', 'Store().open()'],
  ['await open(x)', 'open()'],
  ['Store(x)', 'Store()'],
  ['a.b', '=a.b'],
  ['a.b ?? c', '=a.b'],
  ['a[0]', '=a[]'],
  ['x as Store', 'T:Store'],
  ['x as const', '=x'],
  ['a + b', undefined],
  ['"text"', undefined],
  ['None', undefined],
  ['x => y', undefined],
  ['a ? b : c', undefined],
])('INT-3 reads the type of the value %j as %j', (text, type) => {
  expect(typeOfValue(text, rules, (written) => `T:${written}`)).toBe(type);
});

it('INT-5 takes any text and always comes to an end', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '(',
    ')',
    '[',
    ']',
    '<',
    '>',
    '?',
    '!',
    "'",
    '`',
    ' ',
    '/*',
    '//',
    '\\',
    'new ',
    '{',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      expect(chainOf(text, rules)).toEqual(expect.any(String));
      const type = typeOfValue(text, rules, (written) => written);
      expect(type === undefined || typeof type === 'string').toBe(true);
    }),
  );
});
