import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedOutput } from './bounded-output.ts';

function collect(limit: number, chunks: readonly (string | Uint8Array)[]): BoundedOutput {
  const output = new BoundedOutput(limit);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  return output;
}

describe('BoundedOutput', () => {
  it('IDE-75 keeps everything that fits', () => {
    const output = collect(10, ['01234', '56789']);
    expect(output.text()).toEqual({ text: '0123456789', cutBytes: 0 });
    expect(output.whole?.toString()).toBe('0123456789');
  });

  it('IDE-75 keeps the beginning and the end and says what is missing', () => {
    const output = collect(9, ['abc', 'd'.repeat(1000), 'efghij']);
    expect(output.text()).toEqual({ text: 'abc\n[1000 bytes cut here]\nefghij', cutBytes: 1000 });
    expect(output.totalBytes).toBe(1009);
    expect(output.whole).toBeUndefined();
  });

  it('cuts between lines where that is near', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${String(index).padStart(2, '0')}\n`);
    const { text } = collect(90, lines).text();
    expect(text).toMatch(/^(line \d\d\n)+\[\d+ bytes cut here\]\n(line \d\d\n)+$/);
    expect(text.startsWith('line 00\n')).toBe(true);
    expect(text.endsWith('line 99\n')).toBe(true);
  });

  it('keeps nothing when nothing may be kept', () => {
    expect(collect(0, ['abc']).text()).toEqual({ text: '[3 bytes cut here]\n', cutBytes: 3 });
    expect(collect(1, ['abc']).text()).toEqual({ text: '[2 bytes cut here]\nc', cutBytes: 2 });
  });

  it('IDE-75 tears no character and adds up, however the output arrives', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\n', ' '), maxLength: 40 }));
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 7 }), (parts, limit, size) => {
        const all = Buffer.from(parts.join(''));
        const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
          all.subarray(index * size, (index + 1) * size),
        );
        const output = collect(limit, chunks);
        const { text, cutBytes } = output.text();
        expect(output.totalBytes).toBe(all.length);
        if (cutBytes === 0) {
          expect(text).toBe(all.toString());
          return;
        }
        expect(text).not.toContain('\ufffd');
        const [head = '', tail = ''] = text.split(`[${cutBytes} bytes cut here]\n`);
        const start = head.replace(/\n$/, '');
        expect(all.toString().startsWith(start)).toBe(true);
        expect(all.toString().endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(start) + Buffer.byteLength(tail)).toBeLessThanOrEqual(limit);
        expect(all.length - cutBytes).toBeLessThanOrEqual(limit);
        expect([0, 1]).toContain(all.length - cutBytes - Buffer.byteLength(start) - Buffer.byteLength(tail));
      }),
    );
  });
});
