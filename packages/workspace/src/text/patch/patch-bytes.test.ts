import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFile } from '../encodings.ts';
import { makeHunks } from '../hunks.ts';
import { encodeFile } from '../text-codec.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { parsePatch } from './parse-patch.ts';
import { patchBytes } from './patch-bytes.ts';

async function fileOf(bytes: Uint8Array | string) {
  const raw = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const decoded = await decodeFile(raw);
  if (decoded.kind !== 'text') throw new Error(decoded.why);
  return { bytes: raw, text: decoded.text, codec: decoded.codec };
}

async function apply(content: string | Uint8Array, patch: string) {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(parsed.message);
  const [file] = parsed.files;
  if (file.kind !== 'update') throw new Error(file.kind);
  return patchBytes(await fileOf(content), file.hunks);
}

async function applied(content: string | Uint8Array, patch: string): Promise<string> {
  const result = await apply(content, patch);
  return result.ok ? Buffer.from(result.file.bytes).toString() : JSON.stringify(result.failures);
}

const update = (...lines: string[]) => ['*** Begin Patch', '*** Update File: x', ...lines, '*** End Patch'].join('\n');

describe('patchBytes', () => {
  it('IDE-52 the unified diff of two random texts makes the second of the first', async () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'b', '  a', '}', '-- x', '++ x', '@@ -1 +1 @@', '\\ x', 'ä 🙂', 'a\r', '\r'),
      fc.string({ maxLength: 6 }).map((text) => text.replaceAll('\n', '')),
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
      .map(([lines, closed]) => lines.join('\n') + (closed && lines.length > 0 ? '\n' : ''))
      .filter((joined) => joined.isWellFormed() && !joined.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const diff = unifiedDiff(makeHunks(before, after), { from: 'x', to: 'x', limit: 1e9 });
        fc.pre(diff !== '');
        const file = { bytes: Buffer.from(before), text: before, codec: (await fileOf('')).codec };
        const parsed = parsePatch(diff);
        expect(parsed).toMatchObject({ ok: true });
        if (!parsed.ok || parsed.files[0].kind !== 'update') throw new Error(diff);
        const result = patchBytes(file, parsed.files[0].hunks);
        expect(result.ok ? result.file.text : result).toBe(after);
        if (result.ok) expect(Buffer.from(result.file.bytes).toString()).toBe(after);
      }),
    );
  });

  it('IDE-52 the same change told by context alone comes out the same, or is refused as ambiguous', async () => {
    const lines = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lines, lines, async (a, b) => {
        const [before, after] = [a, b].map((list) => list.map((n) => `line ${n}\n`).join('')) as [string, string];
        const diff = unifiedDiff(makeHunks(before, after), { from: 'x', to: 'x', limit: 1e9 });
        fc.pre(diff !== '');
        const bare = diff
          .replaceAll(/^@@ .*$/gm, '@@')
          .split('\n')
          .slice(2, -1);
        expect(await applied(before, update(...bare))).toBe(after);
      }),
    );
  });

  it('IDE-52 changes what the envelope says, in the order of its hunks', async () => {
    const text = 'class A\n  def f\n    x\n\nclass B\n  def f\n    x\n';
    expect(await applied(text, update('@@ class B', '@@   def f', '-    x', '+    y'))).toBe(
      'class A\n  def f\n    x\n\nclass B\n  def f\n    y\n',
    );
    expect(await applied('a\nb\nc\n', update(' a', '-b', '+B', '@@', ' c', '+d'))).toBe('a\nB\nc\nd\n');
    expect(await applied('a\nb\nc\n', update('@@', '-c', '+C', '@@', '-a', '+A'))).toBe('A\nb\nC\n');
    expect(await applied('x\nx\n', update('@@', '-x', '+y', '*** End of File'))).toBe('x\ny\n');
    expect(await applied('a', update('@@', '+b'))).toBe('a\nb\n');
  });

  it('IDE-52 keeps line endings, encoding, byte order mark, and blanks that the patch does not have', async () => {
    expect(await applied('a\r\nb \r\nc\r\n', update(' a', '-b', '+B', '+B2', ' c'))).toBe('a\r\nB\r\nB2\r\nc\r\n');
    expect(await applied('a  \nb\n', update(' a', '-b', '+B'))).toBe('a  \nB\n');
    expect(await applied('\ta\n\tb\n', update(' a', '-b', '+B'))).toBe('\ta\n\tB\n');
    expect(await applied('“q”\nb', update(' "q"', '-b', '+B'))).toBe('“q”\nB');
    const wide = encodeFile((await fileOf(Buffer.from([0xff, 0xfe, 0x61, 0, 0x0a, 0]))).codec, 'a\r\nä\r\n');
    const result = await apply(wide, update(' a', '-ä', '+ö'));
    expect(result.ok && [...result.file.bytes.subarray(0, 2)]).toEqual([0xff, 0xfe]);
    expect(result.ok && result.file.text).toBe('a\r\nö\r\n');
    const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n';
    expect(await applied('a\r\nb\r\n', diff)).toBe('a\r\nc\r\n');
  });

  it('IDE-52 a diff applies where its lines have moved, and with counts that are wrong', async () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n+B\n';
    expect(await applied('new\nnew\na\nb\n', diff)).toBe('new\nnew\na\nB\n');
  });

  it('IDE-52 names every hunk that does not fit, with the nearest block; nothing is matched in the middle of a line', async () => {
    const result = await apply(
      'one\ntwo\nthree\nfour\n',
      update('@@', ' one', '-tvo', '+2', '@@', ' three', '-fuor', '+4'),
    );
    expect(result).toMatchObject({ ok: false, failures: [{ hunk: 1 }, { hunk: 2 }] });
    expect(JSON.stringify(result)).toContain('you have  tvo');
    expect(JSON.stringify(result)).toContain('the file  four');
    expect(await apply('xone\n', update('-one', '+two'))).toMatchObject({ ok: false });
    expect(await apply('a\na\n', update('-a', '+b'))).toMatchObject({
      failures: [{ message: expect.stringContaining('lines 1, 2') }],
    });
    expect(await apply('a\n', update('@@ nowhere', '-a', '+b'))).toMatchObject({ ok: false });
  });
});
