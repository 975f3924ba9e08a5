import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeInput } from './decode-input.ts';

describe('decodeInput', () => {
  it('IDE-83 reads UTF-8, with and without a byte order mark, without a warning', () => {
    expect(decodeInput(Buffer.from('héllo 👋\n'))).toEqual({ text: 'héllo 👋\n', warnings: [] });
    expect(decodeInput(Buffer.from('\ufeffhi'))).toEqual({ text: 'hi', warnings: [] });
    expect(decodeInput(Buffer.of())).toEqual({ text: '', warnings: [] });
  });

  it('IDE-83 reads the UTF-16 that some shells pipe', () => {
    expect(decodeInput(Buffer.from('\ufeffhi', 'utf16le')).text).toBe('hi');
    expect(decodeInput(Buffer.from('\ufeffhi', 'utf16le').swap16()).text).toBe('hi');
  });

  it('IDE-88 replaces NUL and bytes that are no text, and says so', () => {
    expect(decodeInput(Buffer.from('a\0b'))).toEqual({
      text: 'a\ufffdb',
      warnings: ['NUL characters in standard input were replaced.'],
    });
    expect(decodeInput(Buffer.from([0x61, 0xff, 0x62])).warnings).toHaveLength(1);
  });

  it('IDE-88 never throws and never lets a NUL or half a character through', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { text } = decodeInput(bytes);
        expect(text.includes('\0')).toBe(false);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
