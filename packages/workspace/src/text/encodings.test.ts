import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { codecOf, decodeFile, showStrayBytes } from './encodings.ts';
import { encodeFile, type TextCodec, UnencodableError } from './text-codec.ts';

async function text(bytes: Buffer): Promise<{ text: string; codec: TextCodec }> {
  const decoded = await decodeFile(bytes);
  if (decoded.kind !== 'text') throw new Error(decoded.why);
  return decoded;
}

const BOM16LE = Buffer.from([0xff, 0xfe]);
const BOM16BE = Buffer.from([0xfe, 0xff]);
const BOM8 = Buffer.from([0xef, 0xbb, 0xbf]);
const SAMPLE = 'const grüße = "déjà vu";\r\n// 😀 done\n';
const WESTERN = 'const grüße = "déjà vu";\n// façade, naïve, coöperate\n';

describe('decodeFile', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'utf-8', false],
    ['ASCII', Buffer.from('int x;\n'), 'utf-8', false],
    ['UTF-8', Buffer.from(SAMPLE), 'utf-8', false],
    ['UTF-8 with a mark', Buffer.concat([BOM8, Buffer.from(SAMPLE)]), 'utf-8', true],
    ['UTF-16 LE with a mark', Buffer.concat([BOM16LE, iconv.encode(SAMPLE, 'utf-16le')]), 'utf-16le', true],
    ['UTF-16 BE with a mark', Buffer.concat([BOM16BE, iconv.encode(SAMPLE, 'utf-16be')]), 'utf-16be', true],
    ['UTF-16 LE without', iconv.encode(SAMPLE, 'utf-16le'), 'utf-16le', false],
    ['UTF-16 BE without', iconv.encode(SAMPLE, 'utf-16be'), 'utf-16be', false],
    [
      'UTF-32 LE with a mark',
      Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), iconv.encode(SAMPLE, 'utf-32le')]),
      'utf-32le',
      true,
    ],
  ])('IDE-52 recognises %s', async (_, bytes, encoding, bom) => {
    const decoded = await text(bytes);
    expect(decoded.codec).toMatchObject({ encoding, bom });
    expect(decoded.text).toBe(bytes.length === 0 ? '' : encoding === 'utf-8' && bytes.length < 8 ? 'int x;\n' : SAMPLE);
    expect(encodeFile(decoded.codec, decoded.text).equals(bytes)).toBe(true);
  });

  it.each([
    ['iso-8859-1', WESTERN],
    ['windows-1252', 'let s = “naïve” + ‘déjà’; // 10 €\nlet t = "the quick brown fox of the façade";\n'],
    [
      'shift_jis',
      '// 日本語のコメントをここに書きます。これは長い文章です。\nint main() { return 0; }\n// 終わりです\n'.repeat(4),
    ],
    ['gb18030', '// 这是一个中文注释，用来测试编码检测的结果是否正确。\nint main() { return 0; }\n'.repeat(4)],
    [
      'windows-1251',
      '// Это комментарий на русском языке, чтобы проверить кодировку.\nint main() { return 0; }\n'.repeat(4),
    ],
    ['euc-kr', '// 이것은 인코딩 감지를 시험하기 위한 한국어 주석입니다.\nint main() { return 0; }\n'.repeat(4)],
  ])('IDE-52 recognises %s and gives its bytes back', async (encoding, content) => {
    const bytes = iconv.encode(content, encoding);
    const decoded = await text(bytes);
    expect(decoded.codec.encoding).toBe(encoding);
    expect(decoded.text).toBe(content);
    expect(encodeFile(decoded.codec, decoded.text).equals(bytes)).toBe(true);
  });

  it('IDE-52 takes a short Western text for Western, not for what the statistics fancy', async () => {
    for (const content of ['café', 'ñ', 'Größe = 3;\n']) {
      expect(await text(iconv.encode(content, 'iso-8859-1'))).toMatchObject({ text: content });
    }
  });

  it('IDE-52 keeps stray bytes in a file that is UTF-8 otherwise', async () => {
    const bytes = Buffer.concat([
      Buffer.from('// grüße 😀 日本\nconst a = "'),
      Buffer.from([0xe9, 0xff]),
      Buffer.from('";\n'),
    ]);
    const decoded = await text(bytes);
    expect(decoded.codec.encoding).toBe('utf-8-bytes');
    expect(showStrayBytes(decoded.text)).toBe('// grüße 😀 日本\nconst a = "\ufffd\ufffd";\n');
    expect(encodeFile(decoded.codec, decoded.text).equals(bytes)).toBe(true);
    expect(JSON.parse(JSON.stringify(decoded.text))).toBe(decoded.text);
  });

  it.each([
    ['a NUL byte', Buffer.from('PNG\0\0abc'), 'it holds NUL bytes'],
    ['a NUL byte after a mark', Buffer.concat([BOM8, Buffer.from('a\0b')]), 'it holds NUL bytes'],
    [
      'control characters',
      Buffer.from([...Array(64).keys()].map((n) => (n % 8) + 1).concat(0xff, 0xfe)),
      'it holds control characters',
    ],
    ['half a UTF-16 unit', Buffer.concat([BOM16LE, Buffer.from('abc')]), 'it starts like utf-16le but is not'],
  ])('IDE-52 takes %s for binary', async (_, bytes, why) => {
    expect(await decodeFile(bytes)).toEqual({ kind: 'binary', why });
  });

  it('IDE-52 refuses characters that the encoding cannot hold, naming them', async () => {
    const { codec } = await text(iconv.encode(WESTERN, 'iso-8859-1'));
    expect(() => codec.encode('“quoted” 😀')).toThrow(UnencodableError);
    expect(() => codec.encode('“')).toThrow('iso-8859-1 cannot hold "“" (U+201C)');
    const utf8 = await text(Buffer.from('é'));
    expect(() => utf8.codec.encode('a\ud800')).toThrow('U+D800');
  });

  it('IDE-52 finds a stored format again', async () => {
    for (const encoding of ['utf-8', 'utf-8-bytes', 'utf-16be', 'windows-1252', 'shift_jis', 'utf-32le']) {
      expect(await codecOf({ encoding, bom: false })).toMatchObject({ encoding, bom: false });
    }
    expect(await codecOf({ encoding: 'constructor', bom: false })).toBeUndefined();
  });

  it('IDE-52 property: whatever counts as text gives its own bytes back, also piece by piece', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((s) => Buffer.from(s)),
      fc.string({ unit: 'binary' }).map((s) => Buffer.from(s, 'utf16le')),
      fc.uint8Array({ maxLength: 12 }).map((b) => Buffer.from(b)),
      fc.string({ unit: fc.constantFrom('a', 'é', 'ü', 'ß', ' ', '\n', '\r\n') }).map((s) => Buffer.from(s, 'latin1')),
      fc.constantFrom(BOM8, BOM16LE, BOM16BE),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 4 }), fc.nat(), async (pieces, cut) => {
        const bytes = Buffer.concat(pieces);
        const decoded = await decodeFile(bytes);
        if (decoded.kind !== 'text') return;
        expect(encodeFile(decoded.codec, decoded.text).equals(bytes)).toBe(true);
        const points = [...decoded.text];
        const at = cut % (points.length + 1);
        const [head, tail] = [points.slice(0, at).join(''), points.slice(at).join('')];
        const joined = Buffer.concat([decoded.codec.encode(head), decoded.codec.encode(tail)]);
        expect(joined.equals(bytes.subarray(decoded.codec.bomLength))).toBe(true);
      }),
    );
  });
});
