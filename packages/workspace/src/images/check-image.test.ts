import { GIF, JPEG, PNG, WEBP } from '@black-ide/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkImage } from './check-image.ts';
import { type ImageType, sniffImage } from './sniff-image.ts';

const IMAGES: [ImageType, Buffer][] = [
  ['image/png', PNG],
  ['image/jpeg', JPEG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
];

describe('checkImage', () => {
  it.each(IMAGES)('IDE-74 knows a whole %s and its size', (type, bytes) => {
    expect(sniffImage(bytes)).toBe(type);
    expect(checkImage(bytes, type)).toEqual({ ok: true, width: 1, height: 1 });
  });

  it.each(IMAGES)('IDE-74 refuses a %s that is cut anywhere', (type, bytes) => {
    for (let length = 12; length < bytes.length; length += 1) {
      expect(checkImage(bytes.subarray(0, length), type), `cut at ${length}`).toMatchObject({ ok: false });
    }
  });

  it('IDE-74 never throws, whatever follows the first bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...IMAGES),
        fc.uint8Array({ maxLength: 60 }),
        fc.nat(30),
        ([type, bytes], noise, keep) => {
          const mixed = Buffer.concat([bytes.subarray(0, Math.max(12, keep)), noise]);
          expect(typeof checkImage(mixed, type).ok).toBe('boolean');
        },
      ),
    );
  });

  it('IDE-74 refuses what a provider would: too many bytes, too many pixels', () => {
    expect(checkImage(Buffer.concat([PNG, Buffer.alloc(4_000_000)]), 'image/png')).toMatchObject({
      why: expect.stringContaining('at most'),
    });
    const wide = Buffer.from(GIF);
    wide.writeUInt16LE(9_000, 6);
    expect(checkImage(wide, 'image/gif')).toMatchObject({ why: expect.stringContaining('9000 × 1') });
  });
});
