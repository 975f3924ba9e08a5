import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMockModelServer } from './mock-model-server.ts';
import { WIRES, type Wire } from './model-request.ts';
import { callModel } from './reference-client.ts';
import { argumentText, type Turn } from './script.ts';

/** What each wire says at the end of an answer, and of a reply with calls. */
const FINISHES: Record<Wire, [stop: string, use: string]> = {
  chat: ['stop', 'tool_calls'],
  'ollama-chat': ['stop', 'tool_calls'],
  openrouter: ['stop', 'tool_calls'],
  anthropic: ['end_turn', 'tool_use'],
  responses: ['completed', 'completed'],
  google: ['STOP', 'STOP'],
  ollama: ['stop', 'stop'],
};
/** Their servers parse a call before they send it. */
const PARSED: Wire[] = ['google', 'ollama'];

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('é', '🌍👩‍👩‍👧', 'a\nb\r\n\n', 'data: x\n\nevent: y', '\u2028', '"\\"', 'ÿ\u00a0', '日本語'),
);

const toolCall = fc.oneof(
  fc.record({ name: fc.stringMatching(/^[a-z_]{1,12}$/), args: fc.dictionary(text, fc.oneof(text, fc.integer())) }),
  fc.record({ name: fc.stringMatching(/^[a-z_]{1,12}$/), rawArgs: text }),
);

const delivery = fc.record(
  {
    split: fc.oneof(
      fc.constantFrom('whole' as const, 'chars' as const, 'awkward' as const),
      fc.integer({ min: 1, max: 9 }),
    ),
    chunkBytes: fc.oneof(fc.constant('awkward' as const), fc.integer({ min: 1, max: 50 })),
    seed: fc.integer(),
    interleave: fc.boolean(),
    dripMs: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
);

const turn = fc
  .record({ text, thinking: text, toolCalls: fc.array(toolCall, { maxLength: 3 }) }, { requiredKeys: [] })
  .chain((content) => delivery.map((how): Turn => ({ ...content, ...how })));

for (const wire of WIRES) {
  it(`a reply on the ${wire} wire comes out as scripted, however it is cut and dripped`, async () => {
    let next: Turn = {};
    // Drips are scripted to take no time: the order of events is what counts here.
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    await using server = await createMockModelServer(() => next, { clock });
    await fc.assert(
      fc.asyncProperty(turn, async (scripted) => {
        const calls = (scripted.toolCalls ?? []).filter((call) => call.rawArgs === undefined || !PARSED.includes(wire));
        next = { ...scripted, toolCalls: calls };
        const reply = await callModel(server.url, wire);
        expect(reply.strayLines).toEqual([]);
        expect(reply.finished).toBe(true);
        expect(reply.text).toBe(scripted.text ?? '');
        expect(reply.thinking).toBe(scripted.thinking ?? '');
        // Parsed and written again, keys that look like numbers come first.
        const argsOf = (text: string): unknown => (PARSED.includes(wire) ? JSON.parse(text) : text);
        expect(reply.calls.map(({ name, rawArgs }) => [name, argsOf(rawArgs)])).toEqual(
          calls.map((call) => [call.name, argsOf(argumentText(call))]),
        );
        expect(new Set(reply.calls.map((call) => call.id)).size).toBe(calls.length);
        expect(reply.finish).toBe(FINISHES[wire][calls.length > 0 ? 1 : 0]);
      }),
    );
  });

  it(`a reply on the ${wire} wire means the same streamed and whole`, async () => {
    let next: Turn = {};
    await using server = await createMockModelServer(() => next);
    await fc.assert(
      fc.asyncProperty(turn, async ({ dripMs: _unused, ...scripted }) => {
        next = { ...scripted, toolCalls: (scripted.toolCalls ?? []).filter((call) => call.rawArgs === undefined) };
        const streamed = await callModel(server.url, wire);
        const whole = await callModel(server.url, wire, { stream: false });
        expect(whole.text).toBe(streamed.text);
        expect(whole.thinking).toBe(streamed.thinking);
        expect(whole.signature).toBe(streamed.signature);
        expect(whole.finish).toBe(streamed.finish);
        const meaning = (calls: typeof whole.calls) => calls.map((call) => [call.name, JSON.parse(call.rawArgs)]);
        expect(meaning(whole.calls)).toEqual(meaning(streamed.calls));
      }),
    );
  });
}
