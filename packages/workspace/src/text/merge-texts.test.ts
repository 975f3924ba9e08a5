import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTexts } from './merge-texts.ts';

const someText = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '}\n', '\n', 'd'), { maxLength: 20 })
  .map((lines) => lines.join(''));

describe('mergeTexts', () => {
  it('IDE-52 takes both sides where they changed different places', () => {
    const base = '1\n2\n3\n4\n5\n';
    expect(mergeTexts(base, 'one\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n')).toEqual({
      ok: true,
      text: 'one\n2\n3\n4\nfive\n',
    });
    expect(mergeTexts(base, '0\n1\n2\n3\n4\n5\n', '1\n2\n4\n5\n6\n')).toEqual({ ok: true, text: '0\n1\n2\n4\n5\n6\n' });
  });

  it('IDE-52 takes one change that both made once', () => {
    expect(mergeTexts('1\n2\n3\n', '1\nx\n3\n', '1\nx\n3\n')).toEqual({ ok: true, text: '1\nx\n3\n' });
    expect(mergeTexts('1\n2\n3\n4\n', '1\nx\n3\n4\n', '1\nx\n3\nfour\n')).toEqual({
      ok: true,
      text: '1\nx\n3\nfour\n',
    });
  });

  it('IDE-52 names the place where both changed the same, or touching, lines', () => {
    const base = '1\n2\n3\n4\n';
    expect(mergeTexts(base, '1\nours\n3\n4\n', '1\ntheirs\n3\n4\n')).toEqual({
      ok: false,
      conflicts: [{ line: 2, base: '2\n', ours: 'ours\n', theirs: 'theirs\n' }],
    });
    expect(mergeTexts(base, '1\nours\n3\n4\n', '1\n2\ntheirs\n4\n')).toMatchObject({
      ok: false,
      conflicts: [{ line: 2 }],
    });
    expect(mergeTexts(base, '1\nx\n2\n3\n4\n', '1\ny\n2\n3\n4\n')).toMatchObject({ ok: false });
  });

  it('IDE-52 property: one side unchanged gives the other; both alike give that; the sides can be swapped', () => {
    fc.assert(
      fc.property(someText, someText, someText, (base, a, b) => {
        expect(mergeTexts(base, a, base)).toEqual({ ok: true, text: a });
        expect(mergeTexts(base, base, b)).toEqual({ ok: true, text: b });
        expect(mergeTexts(base, a, a)).toEqual({ ok: true, text: a });
        const [one, other] = [mergeTexts(base, a, b), mergeTexts(base, b, a)];
        expect(one.ok).toBe(other.ok);
        if (one.ok && other.ok) expect(one.text).toBe(other.text);
      }),
    );
  });

  it('IDE-52 property: far-apart changes always merge', () => {
    const change = fc.tuple(fc.nat(3), fc.constantFrom('', 'new\n', 'new\nlines\n'));
    fc.assert(
      fc.property(change, change, (mine, yours) => {
        const lines = Array.from({ length: 12 }, (_, n) => `${n}\n`);
        const apply = (...changes: { at: number; text: string }[]) =>
          lines.map((line, n) => changes.find(({ at }) => at === n)?.text ?? line).join('');
        const ours = { at: mine[0], text: mine[1] };
        const theirs = { at: 6 + yours[0], text: yours[1] };
        expect(mergeTexts(lines.join(''), apply(ours), apply(theirs))).toEqual({ ok: true, text: apply(ours, theirs) });
      }),
    );
  });
});
