import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type AppliedEdit, editBytes } from './edit-bytes.ts';
import { decodeFile } from './encodings.ts';
import type { EditRequest } from './plan-edit.ts';

async function apply(bytes: Buffer, ...requests: EditRequest[]) {
  const decoded = await decodeFile(bytes);
  if (decoded.kind !== 'text') throw new Error(decoded.why);
  return editBytes({ bytes, text: decoded.text, codec: decoded.codec }, requests);
}

async function edited(bytes: Buffer, ...requests: EditRequest[]): Promise<Buffer & { edits?: AppliedEdit[] }> {
  const result = await apply(bytes, ...requests);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return Buffer.from(result.file.bytes);
}

/** Ways to store a text, with the letters that each can hold beyond ASCII. */
const FORMATS = [
  { name: 'utf-8', letters: ['é', '😀', '日', '\u00a0', '“', '–'], store: (text: string) => Buffer.from(text) },
  { name: 'utf-8 with mark', letters: ['é', '😀', '\u00a0'], store: (text: string) => Buffer.from(`\ufeff${text}`) },
  { name: 'utf-16le', letters: ['é', '😀', '日'], store: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le') },
  { name: 'utf-16be', letters: ['é', '😀'], store: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16() },
  { name: 'latin-1', letters: ['é', 'ü', 'ß', '\u00a0'], store: (text: string) => Buffer.from(text, 'latin1') },
  {
    name: 'utf-8 with stray bytes',
    letters: ['é', '😀', '日'],
    store: (text: string) => Buffer.concat([Buffer.from('// é 日 😀 '), Buffer.from([0xe9, 0x0a]), Buffer.from(text)]),
  },
] as const;

/** What a model might make of the lines it copies. */
const HABITS = {
  exact: (lines: string[]) => lines,
  trimmed: (lines: string[]) => lines.map((line) => line.trimEnd()),
  dedented: (lines: string[]) => {
    const indent = Math.min(
      ...lines.filter((line) => line.trim()).map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0),
    );
    return lines.map((line) => (line.trim() ? line.slice(indent) : line));
  },
  plain: (lines: string[]) =>
    lines.map((line) => line.replaceAll('“', '"').replaceAll('–', '-').replaceAll('\u00a0', ' ')),
};

const scenario = fc
  .record({
    format: fc.constantFrom(...FORMATS),
    endings: fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 12, maxLength: 12 }),
    mixed: fc.boolean(),
    indents: fc.array(fc.constantFrom('', '  ', '\t', '    ', '\t\t'), { minLength: 12, maxLength: 12 }),
    tails: fc.array(fc.constantFrom('', '', ' ', '\t', '  '), { minLength: 12, maxLength: 12 }),
    letters: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    final: fc.boolean(),
    from: fc.nat(11),
    count: fc.integer({ min: 1, max: 4 }),
    habit: fc.constantFrom(...(Object.keys(HABITS) as (keyof typeof HABITS)[])),
    change: fc.constantFrom('replace', 'insert', 'delete', 'touch'),
  })
  .map((one) => {
    const lines = one.indents.map((indent, n) => {
      const letter = one.format.letters[(one.letters[n] ?? 0) % one.format.letters.length];
      return `${indent}line_${n} ${letter}(${n})${letter};${one.tails[n]}`;
    });
    const ending = (n: number) => (one.mixed ? one.endings[n] : one.endings[0]) ?? '\n';
    const end = Math.min(one.from + one.count, lines.length);
    const stored = (from: number, to: number) =>
      lines
        .slice(from, to)
        .map((line, n) => line + (from + n === lines.length - 1 && !one.final ? '' : ending(from + n)))
        .join('');
    const copied = HABITS[one.habit](lines.slice(one.from, end));
    const indent = /^[ \t]*/.exec(copied[0] ?? '')?.[0] ?? '';
    const changed = {
      replace: [`${indent}new line;`, `${indent}other line;`],
      insert: [...copied.slice(0, 1), `${indent}new line;`, ...copied.slice(1)],
      delete: copied.slice(1),
      touch: copied.map((line) => line.replace('line_', 'row_')),
    }[one.change];
    return {
      ...one,
      head: stored(0, one.from),
      body: stored(one.from, end),
      tail: stored(end, lines.length),
      copied,
      changed,
    };
  });

describe('editBytes', () => {
  it('IDE-52 property: bytes outside of the matched lines stay, whatever the file is like', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ format, head, body, tail, copied, changed, habit }) => {
        const bytes = format.store(head + body + tail);
        const result = await apply(bytes, { oldText: copied.join('\n'), newText: changed.join('\n') });
        if (!result.ok) {
          expect([habit, result.code]).not.toEqual(['exact', 'not_found']);
          return;
        }
        const from = format.store(head).length;
        const to = format.store(head + body).length;
        const now = Buffer.from(result.file.bytes);
        expect(now.subarray(0, from).equals(bytes.subarray(0, from))).toBe(true);
        expect(now.subarray(now.length - (bytes.length - to)).equals(bytes.subarray(to))).toBe(true);
        for (const { start, end } of result.edits[0]?.ranges ?? []) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeLessThanOrEqual(to);
        }
      }),
    );
  });

  it('IDE-52 property: a model that copies lines with \\n alone always finds them, and lines it leaves alone keep their bytes', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ format, head, body, tail, copied, change, habit }) => {
        fc.pre(habit === 'exact' && change === 'touch');
        const bytes = format.store(head + body + tail);
        const [first = '', ...rest] = copied;
        const result = await apply(bytes, {
          oldText: copied.join('\n'),
          newText: [first.replace('line_', 'row_'), ...rest].join('\n'),
        });
        const expected = format.store(head + body.replace('line_', 'row_') + tail);
        expect(result).toMatchObject({ ok: true });
        if (result.ok) expect(Buffer.from(result.file.bytes).equals(expected)).toBe(true);
      }),
    );
  });

  it.each([
    [
      'Latin-1',
      Buffer.from('a = "café";\r\nb = "naïve";\r\n', 'latin1'),
      Buffer.from('a = "café";\r\nb = "déjà";\r\n', 'latin1'),
    ],
    [
      'UTF-16',
      Buffer.from('\ufeffa = "café";\r\nb = "naïve";\r\n', 'utf16le'),
      Buffer.from('\ufeffa = "café";\r\nb = "déjà";\r\n', 'utf16le'),
    ],
    [
      'UTF-8 with mark',
      Buffer.from('\ufeffa = "café";\nb = "naïve";\n'),
      Buffer.from('\ufeffa = "café";\nb = "déjà";\n'),
    ],
  ])('IDE-52 writes %s in its own encoding', async (_, before, after) => {
    expect((await edited(before, { oldText: 'naïve', newText: 'déjà' })).equals(after)).toBe(true);
  });

  it('IDE-52 edits Shift-JIS without touching what is not asked for', async () => {
    const text = (word: string) =>
      iconv.encode(`${'// 日本語のコメントをここに書きます。\n'.repeat(8)}x = "${word}";\n// 終わり\n`, 'shift_jis');
    expect((await edited(text('表示'), { oldText: '表示', newText: '能力' })).equals(text('能力'))).toBe(true);
  });

  it('IDE-52 keeps stray bytes next to an edit and refuses to write half characters', async () => {
    const file = (word: string) =>
      Buffer.concat([Buffer.from(`// 日本語 é\nx = ${word} "`), Buffer.from([0xff, 0xc3]), Buffer.from('";\n')]);
    expect((await edited(file('1'), { oldText: 'x = 1', newText: 'x = 2' })).equals(file('2'))).toBe(true);
    expect(await apply(file('1'), { oldText: 'x = 1', newText: 'x = \ud83d' })).toMatchObject({
      ok: false,
      code: 'unencodable',
    });
  });

  it('IDE-52 refuses what the encoding cannot hold and says which characters', async () => {
    const result = await apply(Buffer.from('a = "café";\n', 'latin1'), { oldText: 'a =', newText: '“a” 😀 =' });
    expect(result).toMatchObject({ ok: false, code: 'unencodable', edit: 0 });
    expect(!result.ok && result.message).toContain('"“" (U+201C)');
  });

  it('IDE-52 applies several edits in order, all or none', async () => {
    const bytes = Buffer.from('one\ntwo\nthree\n');
    expect(
      (await edited(bytes, { oldText: 'one', newText: '1' }, { oldText: '1\ntwo', newText: '1\n2' })).toString(),
    ).toBe('1\n2\nthree\n');
    const failed = await apply(bytes, { oldText: 'one', newText: '1' }, { oldText: 'four', newText: '4' });
    expect(failed).toMatchObject({ ok: false, code: 'not_found', edit: 1 });
  });

  it('IDE-52 gives the changed bytes of the original', async () => {
    const result = await apply(Buffer.from('\ufeffé😀 x\n'), { oldText: 'x', newText: 'y' });
    expect(result).toMatchObject({ ok: true, edits: [{ rung: 'exact', ranges: [{ start: 10, end: 11 }] }] });
  });
});
