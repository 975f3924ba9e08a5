import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenCount, UsageMender } from './mend-usage.ts';
import { usageOf } from './usage.ts';

function mend(text: string, cuts: readonly number[] = [], wire?: 'anthropic'): string {
  const bytes = Buffer.from(text);
  const mender = new UsageMender(wire);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const parts = edges.slice(1).map((edge, index) => mender.push(bytes.subarray(edges[index], edge)));
  return Buffer.concat([...parts, mender.end()]).toString('utf8');
}

const event = (text: string) => JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as Record<string, Record<string, unknown>>;

describe('UsageMender', () => {
  it('IDE-23 passes every byte of a sane stream, wherever it is cut', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ')),
      fc.constant('data: {"choices":[{"delta":{"content":"“usage”"}}],"usage":null}'),
      fc.constant(
        'data: {"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}}',
      ),
      fc.constant('data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.array(fc.nat()), (lines, end, cuts) => {
        const text = lines.join(end);
        expect(mend(text, cuts)).toBe(text);
      }),
    );
  });

  it.each([
    ['"12"', 12],
    ['-5', 0],
    ['1e300', 0],
    ['NaN', 0],
    ['-Infinity', 0],
    ['"many"', 0],
    ['null', 0],
    ['2.6', 3],
    ['{}', undefined],
  ])('IDE-23 a count of %s becomes %s', (value, count) => {
    const mended = event(mend(`data: {"choices":[],"usage":{"prompt_tokens":${value},"cached_tokens":1}}\n\n`));
    if (count === undefined) expect(mended.usage).toBeDefined();
    else expect(mended.usage).toEqual({ prompt_tokens: count, cached_tokens: 1 });
  });

  it('IDE-23 adds what a wire always has, and takes away what is no usage', () => {
    expect(event(mend('data: {"type":"message_start","message":{"id":"m"}}\n')).message).toEqual({
      id: 'm',
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect(event(mend('data: {"type":"message_delta","delta":{},"usage":{}}\n')).usage).toEqual({ output_tokens: 0 });
    expect(event(mend('data: {"choices":[],"usage":"none"}\n'))).toEqual({ choices: [] });
    expect(event(mend('data: {"candidates":[],"usageMetadata":{"promptTokenCount":"7"}}\n')).usageMetadata).toEqual({
      promptTokenCount: 7,
    });
  });

  it('IDE-23 passes a line of many megabytes on as it comes, and mends the next', () => {
    const mender = new UsageMender();
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let size = 0;
    let most = 0;
    for (let n = 0; n < 800; n++) {
      size += mender.push(chunk).length;
      most = Math.max(most, n * chunk.length - size);
    }
    expect(most).toBeLessThan(2 * 1024 * 1024);
    const end = mender.push(Buffer.from('\ndata: {"choices":[],"usage":{"prompt_tokens":"7"}}\n')).toString('utf8');
    expect(size + end.indexOf('\n')).toBe(800 * chunk.length);
    expect(event(end).usage).toEqual({ prompt_tokens: 7 });
    expect(mender.end()).toHaveLength(0);
  });

  it('IDE-25 leaves what Anthropic’s library knows as it is, wherever it is cut', () => {
    const lines = [
      'event: message_start',
      'data: {"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}',
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}',
      'data: {"delta":{"type":"thinking_delta","thinking":"x"},"index":0,"type":"content_block_delta"}',
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}',
      'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}}',
      'data: {"type":"error","error":{"type":"overloaded_error","message":"x"}}',
      'data: {"error":{"message":"odd"}}',
      'data: [DONE]',
      'data: {no json',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(lines), fc.array(fc.nat()), (some, cuts) => {
        const text = some.join('\n');
        expect(mend(text, cuts, 'anthropic')).toBe(text);
      }),
    );
  });
});

describe('usageOf', () => {
  const tokens = (input: unknown, output: unknown, cacheRead?: unknown) =>
    ({ inputTokens: { noCache: input, cacheRead }, outputTokens: { total: output } }) as never;

  it('IDE-23 is never anything but finite counts and money', () => {
    const odd = fc.oneof(fc.anything(), fc.double(), fc.constantFrom('12', -1, Number.NaN, 1e99, null, undefined));
    fc.assert(
      fc.property(odd, odd, odd, odd, (input, output, cacheRead, billed) => {
        const usage = usageOf(tokens(input, output, cacheRead), { input: 3, output: 15 }, billed);
        const { cost, ...counts } = usage;
        for (const count of Object.values(counts)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        for (const money of Object.values(cost)) expect(Number.isFinite(money) && money >= 0).toBe(true);
      }),
    );
    expect(usageOf(undefined).totalTokens).toBe(0);
    expect(tokenCount('')).toBe(0);
  });

  it('IDE-23 takes the rates of the request’s size, the input’s for an unknown cache price, and the bill over the list', () => {
    const prices = { input: 1, output: 2, tiers: [{ above: 1_000, input: 10, output: 20 }] };
    expect(usageOf(tokens(1_000, 0), prices).cost.total).toBeCloseTo(0.001);
    expect(usageOf(tokens(1_001, 0), prices).cost.total).toBeCloseTo(0.01001);
    expect(usageOf(tokens(0, 0, 500), prices).cost.cacheRead).toBeCloseTo(0.0005);
    expect(usageOf(tokens(5, 5), prices, 0.25).cost.total).toBe(0.25);
    expect(usageOf(tokens(5, 5)).cost.total).toBe(0);
  });
});
