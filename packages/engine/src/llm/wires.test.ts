import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMockModelServer, createTempWorkspace, type Script, type Turn } from '@black-ide/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EVERY_WIRE, everyWire } from './fixtures/every-wire.ts';
import { ProviderRegistry } from './provider-registry.ts';
import { streamTurn, type TurnOutcome } from './stream-turn.ts';
import { turnOptions } from './thinking.ts';

interface Asked {
  outcome: TurnOutcome;
  text: string;
  thinking: string;
}

async function ask(
  name: string,
  script: Script,
  options: { key?: string; apiKey?: string; signal?: AbortSignal } = {},
): Promise<Asked> {
  const server = await createMockModelServer(script, { apiKey: options.apiKey ?? 'right' });
  const home = await createTempWorkspace({});
  const providers = new ProviderRegistry(everyWire(server, home.path, options.key), { home: home.path });
  const heard = { text: '', thinking: '' };
  try {
    const model = await providers.resolve(name);
    const outcome = await streamTurn(
      model,
      {
        prompt: [
          { role: 'system', content: 'You are a test.' },
          { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        ],
        maxOutputTokens: 1_000,
        abortSignal: options.signal ?? new AbortController().signal,
        ...turnOptions(model, { thinking: 'low' }),
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
    await home[Symbol.asyncDispose]();
  }
}

/** Asks a server of the test's own making once. */
async function askServer(name: string, listener: RequestListener): Promise<TurnOutcome> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const home = await createTempWorkspace({});
  const urls = { url, anthropicUrl: url, openaiUrl: url, googleUrl: url, openrouterUrl: url, ollamaUrl: url };
  const providers = new ProviderRegistry(everyWire(urls, home.path), { home: home.path });
  onTestFinished(async () => {
    providers.dispose();
    http.close();
    await home[Symbol.asyncDispose]();
  });
  return await streamTurn(
    await providers.resolve(name),
    {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      abortSignal: new AbortController().signal,
    },
    { onText: () => undefined, onThinking: () => undefined },
    () => 0,
  );
}

function answered({ outcome }: Asked) {
  if (!outcome.ok) throw new Error(outcome.failure.error.message);
  return outcome.message;
}

describe.each(EVERY_WIRE)('the wire of $name', ({ model: name, wire }) => {
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
    const asked = await ask(name, [turn]);
    const message = answered(asked);
    expect(asked.text).toBe('Grüße, বাংলা 😀');
    expect(asked.thinking).toBe('hmm — 😀');
    expect(message.content.filter((block) => block.type === 'toolCall')).toMatchObject([
      { type: 'toolCall', id: 'c1', name: 'read_file', arguments: { path: 'a "b" \n.ts' } },
      { type: 'toolCall', id: 'c2', name: 'constructor', arguments: {} },
    ]);
    expect(message.stopReason).toBe('toolUse');
    const cacheWrite = wire === 'anthropic' ? 7 : 0;
    // Ollama tells no cache apart.
    const read = wire === 'ollama-chat' ? { input: 200, cacheRead: 0 } : { input: 120, cacheRead: 80 };
    expect(message.usage).toMatchObject({ ...read, output: 30, cacheWrite });
  });

  // Gemini's wire has objects as arguments, never text.
  if (wire !== 'google')
    it('IDE-15 arguments that are no JSON object keep their text for the answer to the model', async () => {
      const message = answered(
        await ask(name, [{ toolCalls: [{ id: 'c1', name: 'read_file', rawArgs: '{"path": "a' }] }]),
      );
      expect(message.content).toEqual([
        { type: 'toolCall', id: 'c1', name: 'read_file', arguments: {}, invalidArguments: '{"path": "a' },
      ]);
    });

  it('IDE-15 brackets in a string nest nothing: a file full of terminal colours can be written', async () => {
    const args = { path: 'a.txt', content: `${'\u001b[31m{"\\'.repeat(300)}\n` };
    const message = answered(await ask(name, [{ toolCalls: [{ id: 'c1', name: 'write_file', args }] }]));
    expect(message.content).toEqual([expect.objectContaining({ type: 'toolCall', arguments: args })]);
  });

  it('IDE-23 an answer without any usage is an answer', async () => {
    const message = answered(await ask(name, [{ text: 'fine', noUsage: true }]));
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'fine' }], stopReason: 'stop' });
    expect(message.usage.totalTokens).toBe(0);
  });

  it('IDE-20 a wrong key is an auth failure that says what to do', async () => {
    const { outcome } = await ask(name, [{ text: 'never' }], { key: 'wrong' });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'auth', error: { code: 'auth' } } });
    if (!outcome.ok) expect(outcome.failure.error.next).toMatch(/black auth set/);
  });

  it.each([
    [429, { 'retry-after': '3' }, 'rate_limit', 3_000],
    [429, { 'retry-after-ms': '150' }, 'rate_limit', 150],
    [529, {}, 'overloaded', undefined],
    [500, {}, 'network', undefined],
    [400, {}, 'invalid', undefined],
  ] as const)('IDE-20 status %i with %o is sorted as %s', async (status, headers, kind, retryAfterMs) => {
    const { outcome } = await ask(name, [{ error: { status, headers } }]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind } });
    if (!outcome.ok) expect(outcome.failure.retryAfterMs).toBe(retryAfterMs);
  });

  it('IDE-20 a stream cut in the middle, reset, or ended without a reason is dropped, and its text is not an answer', async () => {
    for (const cut of [
      { cutAfterEvents: 4 },
      { cutAfterEvents: 4, cutHow: 'reset' },
      { cutAfterEvents: 4, cutHow: 'end' },
    ] as const) {
      const { outcome } = await ask(name, [{ text: 'a long answer that never ends', split: 'chars', ...cut }]);
      expect(outcome).toMatchObject({ ok: false, failure: { kind: expect.stringMatching(/dropped|network/) } });
    }
  });

  it('IDE-20 garbage inside the stream is a dropped stream, never a crash', async () => {
    const { outcome } = await ask(name, [{ text: 'hello', garbage: ['data: {not json', ''] }]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'dropped' } });
  });

  // Ollama's server filters nothing.
  if (wire !== 'ollama-chat')
    it('IDE-20 an answer that the provider stopped is half an answer, told as such and not asked for again', async () => {
      const turn: Turn = { text: 'half of it', stopReason: 'refusal', usage: { input: 5, output: 7 } };
      const { outcome } = await ask(name, [turn]);
      expect(outcome).toMatchObject({
        ok: false,
        failure: { kind: 'invalid', error: { code: 'answer_stopped', message: expect.stringMatching(/\(\w+\)/) } },
        partial: { content: [{ type: 'text', text: 'half of it' }], stopReason: 'error', usage: { output: 7 } },
      });
    });

  it('IDE-18 an aborted stream keeps its text and is no failure of the model', async () => {
    const abort = new AbortController();
    const server = await createMockModelServer([
      { text: 'partial and more', split: 'chars', gate: { name: 'g', afterEvents: 8 } },
    ]);
    const home = await createTempWorkspace({});
    const providers = new ProviderRegistry(everyWire(server, home.path), { home: home.path });
    const model = await providers.resolve(name);
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
    await home[Symbol.asyncDispose]();
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'aborted' }, partial: { stopReason: 'aborted' } });
    expect(
      outcome.ok ? '' : outcome.partial.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ).toMatch(/^pa/);
  });
});

it('IDE-66 a key that a server sends back is not told on', async () => {
  const body = { error: { message: 'bad key sk-secret-1' } };
  const { outcome } = await ask('mine/local', [{ error: { status: 400, body } }], {
    key: 'sk-secret-1',
    apiKey: 'sk-secret-1',
  });
  expect(outcome).toMatchObject({ ok: false, failure: { error: { message: expect.stringMatching(/bad key …\.$/) } } });
  expect(JSON.stringify(outcome)).not.toContain('secret');
});

describe('ProviderRegistry', () => {
  it('IDE-20 names what is missing: an unknown provider, a key', async () => {
    const providers = new ProviderRegistry({});
    await expect(providers.resolve('nobody/x')).rejects.toMatchObject({ code: 'unknown_provider' });
    await expect(providers.resolve('constructor/x')).rejects.toMatchObject({ code: 'unknown_provider' });
    await expect(providers.resolve('anthropic/x')).rejects.toMatchObject({ code: 'missing_key' });
    expect(providers.defaultModel()).toBe('offline/offline');
    expect(new ProviderRegistry({ OPENAI_API_KEY: 'k' }).defaultModel()).toMatch(/^openai\//);
    const set = (usual: string) => new ProviderRegistry({ OPENAI_API_KEY: 'k' }, { usual: () => usual }).defaultModel();
    expect(set('ollama/qwen3:8b')).toBe('ollama/qwen3:8b');
    expect(() => set('nowhere/x')).toThrow('nowhere');
  });
});

describe.each(EVERY_WIRE)('a server of $name that is none', ({ model: name }) => {
  it.each<[string, RequestListener, object]>([
    [
      'a page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Welcome</title>'),
      {
        kind: 'invalid',
        error: { code: 'unreadable_answer', message: expect.stringMatching(/text\/html.*: Welcome\.$/) },
      },
    ],
    [
      'an endless page',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = (): void =>
          void (response.destroyed || response.write('x'.repeat(16_384), () => setImmediate(more)));
        more();
      },
      { kind: 'invalid', error: { code: 'unreadable_answer' } },
    ],
    [
      'a whole answer',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}'),
      { kind: 'invalid', error: { message: expect.stringContaining('application/json') } },
    ],
    [
      'a wrong key, told with status 200',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"error":{"message":"Who are you?","code":"invalid_api_key"}}'),
      { kind: 'auth', error: { message: expect.stringContaining('Who are you?') } },
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      { kind: 'invalid', error: { code: 'redirected', message: expect.stringContaining('http://127.0.0.1:1/') } },
    ],
    [
      'a bad request that is called the server’s own fault',
      (_, response) =>
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"does not support tools","code":"server_error","type":"api_error"}}'),
      { kind: 'invalid', error: { message: expect.stringContaining('does not support tools') } },
    ],
    [
      'a connection that breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '99' });
        response.write('<', () => response.destroy());
      },
      { kind: expect.stringMatching(/^(dropped|network)$/) },
    ],
  ])('IDE-20 answers with %s: it is said in words', async (_, listener, failure) => {
    expect(await askServer(name, listener)).toMatchObject({ ok: false, failure });
  });
});

it('IDE-25 takes a stream of events that does not say that it is one', async () => {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const whole = `: hello\n\n${chunk({ content: 'fine' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
  for (const pieces of [[whole], [whole.slice(0, 1), whole.slice(1, 40), whole.slice(40)]]) {
    const outcome = await askServer('openai/mock', async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      for (const piece of pieces) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      response.end();
    });
    expect(outcome).toMatchObject({ ok: true, message: { content: [{ type: 'text', text: 'fine' }] } });
  }
});

it('IDE-25 passes over kinds of events, blocks and deltas that Anthropic will have one day', async () => {
  const events = [
    { type: 'future_event', x: 1 },
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'hologram', data: 'x' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'no' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'novel_delta', z: 1 } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'fine' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
  const outcome = await askServer('anthropic/claude-x', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  });
  expect(outcome).toMatchObject({
    ok: true,
    message: { content: [{ type: 'text', text: 'fine' }], stopReason: 'stop' },
  });
});

it('IDE-20 an event of the wrong shape comes again, so it is not asked for again', async () => {
  const outcome = await askServer('openai/mock', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"id":"c","choices":null}\n\n');
  });
  expect(outcome).toMatchObject({ ok: false, failure: { kind: 'invalid', error: { code: 'unreadable_answer' } } });
});

it('IDE-66 a key of a few letters, as one’s own server is given, cuts no words out of messages', async () => {
  const body = { error: { message: 'no mixtral here' } };
  const { outcome } = await ask('mine/local', [{ error: { status: 400, body } }], { key: 'x', apiKey: 'x' });
  expect(outcome).toMatchObject({
    ok: false,
    failure: { error: { message: expect.stringContaining('no mixtral here') } },
  });
});

describe('usage that is none', () => {
  const events: Record<string, object[]> = {
    'anthropic/claude-x': [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'fine' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: '7' } },
      { type: 'message_stop' },
    ],
    'openai/mock': [
      { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'fine' } }] },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'c', choices: [], usage: { prompt_tokens: -3, completion_tokens: '7', total_tokens: 1e300 } },
    ],
    'google/gemini-x': [
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'fine' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 'x', candidatesTokenCount: '7', totalTokenCount: -1 },
      },
    ],
    'responses/gpt-5': [
      { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-5' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
      { type: 'response.output_text.delta', item_id: 'i', delta: 'fine' },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
      { type: 'response.completed', response: { usage: { input_tokens: null, output_tokens: '7' } } },
    ],
  };

  it.each(Object.keys(events))('IDE-23 does not cost %s its answer', async (name) => {
    const outcome = await askServer(name, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events[name]!.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    });
    const message = answered({ outcome, text: '', thinking: '' });
    expect(message.content).toMatchObject([{ type: 'text', text: 'fine' }]);
    expect(message.usage).toMatchObject({ input: 0, output: 7, totalTokens: 7 });
  });
});
