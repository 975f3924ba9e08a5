import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks, countLines, makeHunks, reverseHunks } from './hunks.ts';

const line = fc.constantFrom(
  'a\n',
  'b\n',
  'c\r\n',
  '}\n',
  '\n',
  '\t x \n',
  '😀é\n',
  '\udc80\n',
  '\r\n',
  'long line of text\n',
);
const someText = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', 'end', '}', '\r'))
  .map(([lines, last]) => lines.join('') + last);
/** A text and what a few line edits make of it. */
const edited = fc
  .tuple(someText, fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 4 }))
  .map(([before, edits]) => {
    const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    for (const [at, remove, insert] of edits) lines.splice(at % (lines.length + 1), remove, ...insert);
    return [before, lines.join('')] as const;
  });

describe('hunks', () => {
  it('IDE-52 are what git would show', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n';
    const after = '1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12';
    expect(makeHunks(before, after)).toEqual([
      {
        oldStart: 2,
        oldLines: 10,
        newStart: 2,
        newLines: 11,
        lines: [' 2\n', ' 3\n', ' 4\n', '-5\n', '+five\n', ' 6\n', ' 7\n', ' 8\n', ' 9\n', ' 10\n', ' 11\n', '+12'],
      },
    ]);
    expect(makeHunks('', 'a\n')).toMatchObject([{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }]);
    expect(makeHunks('a\n', '')).toMatchObject([{ oldStart: 1, oldLines: 1, newStart: 0, newLines: 0 }]);
    expect(makeHunks('a', 'a')).toEqual([]);
    expect(makeHunks('a\n', 'a')).toMatchObject([{ lines: ['-a\n', '+a'] }]);
  });

  it('IDE-52 property: hunks forwards and backwards restore every byte', () => {
    fc.assert(
      fc.property(fc.oneof(edited, fc.tuple(someText, someText)), ([before, after]) => {
        const hunks = JSON.parse(JSON.stringify(makeHunks(before, after))) as ReturnType<typeof makeHunks>;
        expect(applyHunks(before, hunks)).toMatchObject({ ok: true, text: after });
        expect(applyHunks(after, reverseHunks(hunks))).toMatchObject({ ok: true, text: before });
        expect(reverseHunks(reverseHunks(hunks))).toEqual(hunks);
        const { added, removed } = countLines(hunks);
        const count = (text: string) => (text.match(/\n/g)?.length ?? 0) + (text === '' || text.endsWith('\n') ? 0 : 1);
        expect(count(after) - count(before)).toBe(added - removed);
      }),
    );
  });

  it('IDE-52 property: hunks follow their place when lines are put in front', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);
    const change = fc.tuple(fc.nat(39), fc.constantFrom('', 'new\n', 'new\r\nlines\n'));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat(5), (changes, extra) => {
        const after = lines.map((line, n) => changes.find(([at]) => at === n)?.[1] ?? line).join('');
        const front = '// new\n'.repeat(extra);
        const hunks = makeHunks(lines.join(''), after);
        expect(applyHunks(front + lines.join(''), hunks)).toEqual({
          ok: true,
          text: front + after,
          moved: hunks.map(() => extra),
        });
      }),
    );
  });

  it('IDE-52 says by how much a hunk moved', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\n';
    const hunks = makeHunks(before, 'a\nb\nc\nX\ne\nf\ng\n');
    expect(applyHunks(`new\n${before}`, hunks)).toMatchObject({
      ok: true,
      text: 'new\na\nb\nc\nX\ne\nf\ng\n',
      moved: [1],
    });
  });

  it('IDE-52 names the hunk that no longer applies and changes nothing', () => {
    const before = `${'x\n'.repeat(10)}one\n${'y\n'.repeat(10)}two\n${'z\n'.repeat(10)}`;
    const hunks = makeHunks(before, before.replace('one', '1').replace('two', '2'));
    expect(hunks).toHaveLength(2);
    expect(applyHunks(before.replace('two', 'TWO'), hunks)).toEqual({
      ok: false,
      hunk: 1,
      header: '@@ -19,7 +19,7 @@',
      reason: 'missing',
    });
  });

  it('IDE-52 refuses a moved hunk that fits several places', () => {
    const block = 'p\nq\nr\nold\ns\nt\nu\n';
    const hunks = makeHunks(block, block.replace('old', 'new'));
    expect(applyHunks(`first\n${block}${block}`, hunks)).toMatchObject({ ok: false, reason: 'ambiguous' });
  });

  it('IDE-52 takes two big texts that have nothing in common', () => {
    const many = (word: string) => Array.from({ length: 150_000 }, (_, n) => `${word}${n}\n`).join('');
    const hunks = makeHunks(many('a'), many('b'));
    expect(countLines(hunks)).toEqual({ added: 150_000, removed: 150_000 });
    expect(applyHunks(many('b'), reverseHunks(hunks))).toMatchObject({ ok: true, text: many('a') });
  });
});
