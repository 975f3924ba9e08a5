import { createMockModelServer, type Script, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { ProviderRegistry } from './provider-registry.ts';
import { streamTurn, type TurnOutcome } from './stream-turn.ts';

const WIRES = ['openai', 'anthropic'] as const;

interface Asked {
  outcome: TurnOutcome;
  text: string;
  thinking: string;
}

async function ask(
  wire: (typeof WIRES)[number],
  script: Script,
  options: { key?: string; signal?: AbortSignal } = {},
): Promise<Asked> {
  const server = await createMockModelServer(script, { apiKey: 'right' });
  const key = options.key ?? 'right';
  const providers = new ProviderRegistry({
    OPENAI_API_KEY: key,
    ANTHROPIC_API_KEY: key,
    OPENAI_BASE_URL: server.openaiUrl,
    ANTHROPIC_BASE_URL: server.anthropicUrl,
  });
  const heard = { text: '', thinking: '' };
  try {
    const model = await providers.resolve(`${wire}/mock`);
    const outcome = await streamTurn(
      model,
      {
        prompt: [
          { role: 'system', content: 'You are a test.' },
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        ],
        maxOutputTokens: 1_000,
        abortSignal: options.signal ?? new AbortController().signal,
      },
      {
        onText: (text) => {
          heard.text += text;
        },
        onThinking: (text) => {
          heard.thinking += text;
        },
      },
      () => 0,
    );
    return { outcome, ...heard };
  } finally {
    providers.dispose();
    await server.close();
  }
}

function answered({ outcome }: Asked) {
  if (!outcome.ok) throw new Error(outcome.failure.error.message);
  return outcome.message;
}

describe.each(WIRES)('the %s wire', (wire) => {
  it('IDE-25 streams text, thinking and parallel tool calls, split at awkward places', async () => {
    const turn: Turn = {
      thinking: 'hmm — 😀',
      text: 'Grüße, বাংলা 😀',
      toolCalls: [
        { id: 'c1', name: 'read_file', args: { path: 'a "b" \n.ts' } },
        { id: 'c2', name: 'constructor', args: {} },
      ],
      split: 'awkward',
      usage: { input: 120, output: 30, cacheRead: 80, cacheWrite: wire === 'anthropic' ? 7 : 0 },
    };
    const asked = await ask(wire, [turn]);
    const message = answered(asked);
    expect(asked.text).toBe('Grüße, বাংলা 😀');
    expect(asked.thinking).toBe('hmm — 😀');
    expect(message.content.filter((block) => block.type === 'toolCall')).toEqual([
      { type: 'toolCall', id: 'c1', name: 'read_file', arguments: { path: 'a "b" \n.ts' } },
      { type: 'toolCall', id: 'c2', name: 'constructor', arguments: {} },
    ]);
    expect(message.stopReason).toBe('toolUse');
    const cacheWrite = wire === 'anthropic' ? 7 : 0;
    expect(message.usage).toMatchObject({ input: 120, output: 30, cacheRead: 80, cacheWrite });
  });

  it('IDE-15 arguments that are no JSON object keep their text for the answer to the model', async () => {
    const message = answered(
      await ask(wire, [{ toolCalls: [{ id: 'c1', name: 'read_file', rawArgs: '{"path": "a' }] }]),
    );
    expect(message.content).toEqual([
      { type: 'toolCall', id: 'c1', name: 'read_file', arguments: {}, invalidArguments: '{"path": "a' },
    ]);
  });

  it('IDE-20 a wrong key is an auth failure that says what to do', async () => {
    const { outcome } = await ask(wire, [{ text: 'never' }], { key: 'wrong' });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'auth', error: { code: 'auth' } } });
    if (!outcome.ok) expect(outcome.failure.error.next).toMatch(/_API_KEY/);
  });

  it.each([
    [429, { 'retry-after': '3' }, 'rate_limit', 3_000],
    [429, { 'retry-after-ms': '150' }, 'rate_limit', 150],
    [529, {}, 'overloaded', undefined],
    [500, {}, 'network', undefined],
    [400, {}, 'invalid', undefined],
  ] as const)('IDE-20 status %i with %o is sorted as %s', async (status, headers, kind, retryAfterMs) => {
    const { outcome } = await ask(wire, [{ error: { status, headers } }]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind } });
    if (!outcome.ok) expect(outcome.failure.retryAfterMs).toBe(retryAfterMs);
  });

  it('IDE-20 a stream cut in the middle, reset, or ended without a reason is dropped, and its text is not an answer', async () => {
    for (const cut of [
      { cutAfterEvents: 4 },
      { cutAfterEvents: 4, cutHow: 'reset' },
      { cutAfterEvents: 4, cutHow: 'end' },
    ] as const) {
      const { outcome } = await ask(wire, [{ text: 'a long answer that never ends', split: 'chars', ...cut }]);
      expect(outcome).toMatchObject({ ok: false, failure: { kind: expect.stringMatching(/dropped|network/) } });
    }
  });

  it('IDE-20 garbage inside the stream is a dropped stream, never a crash', async () => {
    const { outcome } = await ask(wire, [{ text: 'hello', garbage: ['data: {not json', ''] }]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'dropped' } });
  });

  it('IDE-18 an aborted stream keeps its text and is no failure of the model', async () => {
    const abort = new AbortController();
    const server = await createMockModelServer([
      { text: 'partial and more', split: 'chars', gate: { name: 'g', afterEvents: 8 } },
    ]);
    const providers = new ProviderRegistry({
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
      OPENAI_BASE_URL: server.openaiUrl,
      ANTHROPIC_BASE_URL: server.anthropicUrl,
    });
    const model = await providers.resolve(`${wire}/mock`);
    const heard = Promise.withResolvers<void>();
    const running = streamTurn(
      model,
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        maxOutputTokens: 100,
        abortSignal: abort.signal,
      },
      { onText: () => heard.resolve(), onThinking: () => undefined },
      () => 0,
    );
    await heard.promise;
    await server.reached('g');
    abort.abort(new Error('stop'));
    const outcome = await running;
    providers.dispose();
    await server.close();
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'aborted' }, partial: { stopReason: 'aborted' } });
    expect(
      outcome.ok ? '' : outcome.partial.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ).toMatch(/^pa/);
  });
});

describe('ProviderRegistry', () => {
  it('IDE-20 names what is missing: an unknown provider, a key', async () => {
    const providers = new ProviderRegistry({});
    await expect(providers.resolve('nobody/x')).rejects.toMatchObject({ code: 'unknown_provider' });
    await expect(providers.resolve('constructor/x')).rejects.toMatchObject({ code: 'unknown_provider' });
    await expect(providers.resolve('anthropic/x')).rejects.toMatchObject({ code: 'missing_key' });
    expect(providers.defaultModel()).toBe('offline/offline');
    expect(new ProviderRegistry({ OPENAI_API_KEY: 'k' }).defaultModel()).toMatch(/^openai\//);
  });
});
