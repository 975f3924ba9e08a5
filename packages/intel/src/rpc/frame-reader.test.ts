import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';
import { FrameReader } from './frame-reader.ts';
import { parseObject } from './parse-object.ts';

/** A deep run tries a million ways to cut the streams up: 500 of each of its 2,000. */
const CHUNKINGS = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 500 : 20;

interface Read {
  messages: unknown[];
  noise: string;
  oversized: number[];
}

/** What a reader makes of the pieces; `end` tells it that the stream is over. */
function read(pieces: readonly (string | Buffer)[], { maxBody, end }: { maxBody?: number; end?: boolean } = {}): Read {
  const messages: unknown[] = [];
  const oversized: number[] = [];
  const noise: Buffer[] = [];
  const reader = new FrameReader({
    onFrame: (body) => {
      const message = parseObject(body);
      if (message) messages.push(message);
      return message !== undefined;
    },
    onNoise: (bytes) => noise.push(Buffer.from(bytes)),
    onOversized: (length) => oversized.push(length),
    ...(maxBody === undefined ? {} : { maxBody }),
  });
  for (const piece of pieces) reader.push(Buffer.from(piece));
  if (end) reader.end();
  return { messages, noise: Buffer.concat(noise).toString('utf8'), oversized };
}

const frame = (body: string, length = Buffer.byteLength(body)) => `Content-Length: ${length}\r\n\r\n${body}`;
const ONE = { method: 'one', text: 'é 日本 🦊' };
const TWO = { method: 'two' };

describe('FrameReader', () => {
  it('INT-35 reads a message that is split over chunks, at every border', () => {
    const bytes = Buffer.from(encodeFrame(ONE));
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual({
        messages: [ONE],
        noise: '',
        oversized: [],
      });
    }
  });

  it('INT-35 reads several messages of one chunk', () => {
    expect(read([encodeFrame(ONE) + encodeFrame(TWO) + encodeFrame(ONE)]).messages).toEqual([ONE, TWO, ONE]);
  });

  it.each([
    'Server v1.0\n',
    'Server v1.0\r\n',
    'ready',
    'Note: a line\r\n\r\n',
    'Content-Length: soon\r\n',
    '{"a":1}\n',
  ])('INT-35 skips a banner before the first frame: %j', (banner) => {
    const { messages, noise } = read([banner, encodeFrame(ONE), encodeFrame(TWO)]);
    expect(messages).toEqual([ONE, TWO]);
    expect(noise).toBe(banner);
  });

  it('INT-35 skips what is printed between frames, and tells it', () => {
    const { messages, noise } = read([encodeFrame(ONE), 'warning: slow\n', encodeFrame(TWO), 'done 100%']);
    expect(messages).toEqual([ONE, TWO]);
    expect(noise).toBe('warning: slow\ndone 100%');
  });

  it('INT-35 keeps characters whole over the border of a chunk', () => {
    const bytes = Buffer.from(encodeFrame(ONE));
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(read(pieces).messages).toEqual([ONE]);
  });

  it.each([-3, -1, 1, 3, 20])('INT-35 finds both messages although the first length is wrong by %i', (wrong) => {
    const body = JSON.stringify(ONE);
    const bytes = Buffer.from(frame(body, Buffer.byteLength(body) + wrong) + encodeFrame(TWO));
    expect(read([bytes]).messages).toEqual([ONE, TWO]);
    expect(read(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))).messages).toEqual([ONE, TWO]);
  });

  it('INT-35 counts characters instead of bytes as the sender does, also at the end of the stream', () => {
    const body = JSON.stringify(ONE);
    expect(read([frame(body, body.length)], { end: true }).messages).toEqual([ONE]);
  });

  it('INT-35 gives up a body that is no JSON, and goes on with the next frame', () => {
    const { messages, noise } = read([frame('{broken'), encodeFrame(TWO)]);
    expect(messages).toEqual([TWO]);
    expect(noise).toBe('{broken');
  });

  it.each(['Content-Type: application/json\r\n\r\n', 'Length: 16\r\n\r\n', 'Content-Length:\r\n\r\n'])(
    'INT-35 skips a message whose header has no length: %j',
    (header) => {
      const { messages, noise } = read([header + JSON.stringify(ONE), encodeFrame(TWO)]);
      expect(messages).toEqual([TWO]);
      expect(noise).toBe(header + JSON.stringify(ONE));
    },
  );

  it('INT-35 skips a gigantic body without keeping it', () => {
    const piece = Buffer.alloc(64 * 1024, 0x61);
    const pieces = [`Content-Length: ${piece.length * 160}\r\n\r\n`, ...Array.from({ length: 160 }, () => piece)];
    const { messages, noise, oversized } = read([...pieces, encodeFrame(TWO)], { maxBody: 1024 * 1024 });
    expect(oversized).toEqual([piece.length * 160]);
    expect(noise).toBe('');
    expect(messages).toEqual([TWO]);
  });

  it.each(['content-length', 'CONTENT-LENGTH', 'Content-length'])('INT-35 takes the header name as %s', (name) => {
    expect(read([encodeFrame(ONE).replace('Content-Length', name)]).messages).toEqual([ONE]);
  });

  it('INT-35 takes line feeds alone as line ends', () => {
    expect(read([encodeFrame(ONE).replaceAll('\r\n', '\n'), encodeFrame(TWO)]).messages).toEqual([ONE, TWO]);
  });

  it('INT-35 takes other header lines before and behind the length', () => {
    const type = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n';
    const behind = encodeFrame(ONE).replace('\r\n', `\r\n${type}`);
    expect(read([type + encodeFrame(ONE) + behind]).messages).toEqual([ONE, ONE]);
  });

  it('INT-35 takes no print of a header for one', () => {
    const banner = 'Content-Length: 12\nis what I write\nContent-Length: 3\n';
    const { messages, noise } = read([banner, encodeFrame(ONE)]);
    expect(messages).toEqual([ONE]);
    expect(noise).toBe(banner);
  });

  it('INT-35 gives back all of a stream that ends in the middle', () => {
    expect(read(['Content-Length: 40\r\n\r\n{"half"'], { end: true }).noise).toBe('{"half"');
    expect(read(['Content-Len'], { end: true }).noise).toBe('Content-Len');
  });

  it('INT-35 drops the bytes of endless broken frames in one go', () => {
    const header = 'Content-Length: 100000\n\n';
    const reader = new FrameReader({ onFrame: () => false });
    let offered = 0;
    const counting = new FrameReader({
      onFrame: (body) => {
        offered += body.length;
        return false;
      },
    });
    const bytes = Buffer.from(header.repeat(200_000));
    for (let at = 0; at < bytes.length; at += 65_536) counting.push(bytes.subarray(at, at + 65_536));
    // Looked through again for each header it would be 200,000 times 100,000 bytes.
    expect(offered).toBeLessThan(bytes.length * 8);
    reader.push(bytes);
  });

  it('INT-35 finds every message whatever is printed in between and however it is cut', () => {
    const message = fc.record({
      method: fc.string({ unit: 'grapheme' }),
      text: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('Content-Length: 5\r\n\r\n{}')),
      deep: fc.jsonValue({ maxDepth: 2 }),
    });
    // A print with a colon and digits behind the header's very name is not told from it; anything else is.
    const print = fc.oneof(
      fc.constantFrom('', '\n', 'Server v1.0\r\n', 'Content-Length', 'Content-Length: x\n\n', 'C', 'content-', '🦊'),
      fc.string({ unit: 'grapheme' }).filter((text) => !/content-length:\s*\d*\s*$/i.test(text)),
    );
    const style = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.replace('Content-Length', 'content-LENGTH'),
      (text: string) => text.replace('\r\n\r\n', '\n\n'),
      (text: string) => text.replace('\r\n', '\r\nContent-Type: x; charset=utf-8\r\n'),
    );
    const parts = fc.array(fc.tuple(print, message, style), { maxLength: 8 });
    fc.assert(
      fc.property(parts, print, fc.nat(), (all, last, seed) => {
        const bytes = Buffer.from(
          all.map(([text, value, styled]) => text + styled(encodeFrame(value))).join('') + last,
        );
        const expected = all.map(([, value]) => JSON.parse(JSON.stringify(value)));
        const random = randomNumbers(seed);
        for (let run = 0; run < CHUNKINGS; run++) {
          const most = [1, 3, 17, 300][run % 4]!;
          const pieces: Buffer[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = 1 + (random() % most);
            pieces.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(read(pieces).messages).toEqual(expected);
        }
      }),
    );
  });
});

/** A small generator (xorshift32): the same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
