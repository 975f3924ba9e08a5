import { expect, it } from 'vitest';
import { FakeClock } from '../clock/fake-clock.ts';
import { createMockModelServer } from './mock-model-server.ts';
import { WIRES, type Wire } from './model-request.ts';
import { callModel, type Reply } from './reference-client.ts';
import { signThinking } from './sign-thinking.ts';

/** Bodies for a rate limit, and what an error in mid-stream looks like. */
const LIMITS: Record<Wire, unknown> = {
  chat: { error: { type: 'requests' } },
  'ollama-chat': { error: { type: 'api_error' } },
  openrouter: { error: { code: 429, metadata: { provider_name: 'Mock' } } },
  anthropic: { error: { type: 'rate_limit_error' } },
  responses: { error: { type: 'requests' } },
  google: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{}, {}] } },
  ollama: { error: 'too many requests' },
};
const FAILURES: Record<Wire, unknown> = {
  chat: { message: expect.any(String) },
  'ollama-chat': { message: expect.any(String) },
  openrouter: { code: 529 },
  anthropic: { type: 'error' },
  responses: { error: { type: 'server_error' } },
  google: { status: 'INTERNAL' },
  ollama: expect.stringContaining('error'),
};

async function broken(promise: Promise<Reply>): Promise<Reply> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || !('partial' in error))
    throw new Error('the reply did not break off', { cause: error });
  return error.partial as Reply;
}

it('frames an Anthropic stream as the provider does, ping, thinking and signature included', async () => {
  await using server = await createMockModelServer([
    {
      thinking: 'Let me see.',
      text: 'Reading.',
      toolCalls: [{ id: 'toolu_1', name: 'read', args: { path: 'é' } }],
      usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 },
    },
  ]);
  const reply = await callModel(server.url, 'anthropic');
  expect(reply.events).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(reply.signature).toBe(signThinking('Let me see.'));
  expect(reply.calls).toEqual([{ id: 'toolu_1', name: 'read', rawArgs: '{"path":"é"}' }]);
  expect(reply.finish).toBe('tool_use');
  expect(reply.usage).toMatchObject({
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 40,
  });
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reply.headers.get('request-id')).toMatch(/^req_/);
});

it('frames a Chat stream as the provider does, usage only where it was asked for', async () => {
  const turn = {
    thinking: 'Hm.',
    text: 'Two at once.',
    toolCalls: [
      { name: 'a', args: { n: 1 } },
      { name: 'b', args: { n: 2 } },
    ],
    usage: { input: 10, output: 20, cacheRead: 30, reasoning: 5 },
  };
  await using server = await createMockModelServer([turn, turn]);
  const reply = await callModel(server.url, 'chat');
  expect(reply.events.at(-1)).toBe('[DONE]');
  expect(reply.finish).toBe('tool_calls');
  expect(reply.thinking).toBe('Hm.');
  expect(reply.calls.map((call) => call.rawArgs)).toEqual(['{"n":1}', '{"n":2}']);
  expect(reply.usage).toMatchObject({
    prompt_tokens: 40,
    completion_tokens: 20,
    total_tokens: 60,
    prompt_tokens_details: { cached_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 5 },
  });
  const without = await callModel(server.url, 'chat', { body: { stream_options: { include_usage: false } } });
  expect(without.usage).toBeUndefined();
  expect(without.finished).toBe(true);
});

it('speaks in tongues of base paths: with and without v1, below a prefix', async () => {
  await using server = await createMockModelServer(() => ({ text: 'ok' }));
  const bases = [server.url, `${server.url}/v1`, `${server.url}/proxy/openai/v1`];
  const statuses = bases.map(async (base) => {
    const headers = { authorization: 'Bearer k' };
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
    const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
    return [response.status, await response.json()];
  });
  for (const [status, body] of await Promise.all(statuses)) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: 'ok' } }] });
  }
});

it('lists its models in the shape of the wire that asks', async () => {
  await using server = await createMockModelServer({
    turns: [],
    models: [{ id: 'a/b', name: 'AB', contextWindow: 1000 }],
  });
  const get = async (path: string, headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`${server.url}${path}`, { headers });
    return await response.json();
  };
  const anthropic = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
  const chat = { authorization: 'Bearer k' };
  expect(await get('/v1/models', chat)).toMatchObject({ object: 'list', data: [{ id: 'a/b', object: 'model' }] });
  expect(await get('/v1/models', anthropic)).toMatchObject({ has_more: false, data: [{ id: 'a/b', type: 'model' }] });
  expect(await get('/v1/models/a%2Fb', chat)).toMatchObject({ id: 'a/b' });
  expect(await get('/v1/models/other', anthropic)).toMatchObject({ error: { type: 'not_found_error' } });
  expect(await get('/v1/models', {})).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it('cuts bytes within characters when asked for awkward writes', async () => {
  await using server = await createMockModelServer([{ text: '日本語'.repeat(20), split: 'awkward', seed: 7 }]);
  const reply = await callModel(server.url, 'chat');
  expect(reply.text).toBe('日本語'.repeat(20));
  let at = 0;
  const ends = reply.pieces.map((size) => {
    at += size;
    return at;
  });
  const withinCharacter = ends.filter((end) => ((reply.raw[end] ?? 0) & 0b1100_0000) === 0b1000_0000);
  expect(withinCharacter.length).toBeGreaterThan(0);
});

it('sends the same bytes for the same seed and request', async () => {
  await using server = await createMockModelServer(() => ({ text: 'some words', split: 'awkward', seed: 3 }));
  const [first, second] = [await callModel(server.url, 'anthropic'), await callModel(server.url, 'anthropic')];
  expect(second.raw.equals(first.raw)).toBe(true);
});

for (const wire of WIRES) {
  it(`answers the ${wire} wire with scripted errors, headers and all`, async () => {
    await using server = await createMockModelServer([
      { error: { status: 429, headers: { 'retry-after': '2', 'retry-after-ms': '1500' } } },
      { error: { status: 529, body: { strange: true } } },
      { error: { status: 502, body: '<html>Bad gateway</html>' } },
      { text: 'at last' },
    ]);
    const limited = await callModel(server.url, wire);
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('2');
    expect(limited.headers.get('retry-after-ms')).toBe('1500');
    expect(limited.error).toMatchObject(LIMITS[wire] as object);
    expect((await callModel(server.url, wire)).error).toEqual({ strange: true });
    await expect(callModel(server.url, wire)).rejects.toThrow(SyntaxError);
    expect((await callModel(server.url, wire)).text).toBe('at last');
    expect(server.modelCalls().map((call) => call.status)).toEqual([429, 529, 502, 200]);
  });

  it(`breaks off the ${wire} stream: after bytes, after events, politely, and with an error event`, async () => {
    await using server = await createMockModelServer([
      { text: 'never whole', split: 'chars', cutAfterBytes: 40 },
      { text: 'never whole', split: 'chars', cutAfterEvents: 2 },
      { text: 'never whole', split: 'chars', cutAfterEvents: 2, cutHow: 'end' },
      { text: 'never whole', split: 'chars', error: { status: 529, afterEvents: 2 } },
    ]);
    const byBytes = await broken(callModel(server.url, wire));
    expect(byBytes.raw.length).toBe(40);
    const byEvents = await broken(callModel(server.url, wire));
    expect(byEvents.events).toHaveLength(2);
    const polite = await callModel(server.url, wire);
    expect(polite.events).toHaveLength(2);
    expect(polite.finished).toBe(false);
    const failed = await callModel(server.url, wire);
    expect(failed.status).toBe(200);
    expect({ error: failed.error }).toMatchObject({ error: FAILURES[wire] });
    expect(failed.finished).toBe(wire === 'openrouter');
    expect(server.modelCalls().map((call) => call.broken)).toEqual([true, true, true, false]);
  });

  it(`cuts a whole ${wire} body and resets a connection`, async () => {
    await using server = await createMockModelServer([
      { text: 'x', cutAfterBytes: 10 },
      { text: 'x'.repeat(100), split: 'chars', cutAfterEvents: 50, cutHow: 'reset' },
    ]);
    expect((await broken(callModel(server.url, wire, { stream: false }))).raw.length).toBe(10);
    await expect(callModel(server.url, wire)).rejects.toThrow();
  });
}

it('mixes garbage lines into the stream', async () => {
  await using server = await createMockModelServer([
    { text: 'ok', garbage: [': OPENROUTER PROCESSING', { at: 2, line: 'no field' }] },
  ]);
  const reply = await callModel(server.url, 'chat');
  expect(reply.text).toBe('ok');
  expect(reply.strayLines).toEqual([': OPENROUTER PROCESSING', 'no field']);
});

it('holds replies at gates, before the headers and in mid-stream', async () => {
  await using server = await createMockModelServer([
    { text: 'late', hang: true },
    { text: 'abc', split: 'chars', gate: { name: 'middle', afterEvents: 2 } },
  ]);
  const late = callModel(server.url, 'chat');
  await server.reached('hang');
  expect(server.modelCalls()[0]?.status).toBeUndefined();
  server.release('hang');
  expect((await late).text).toBe('late');

  const slow = callModel(server.url, 'chat');
  await server.reached('middle');
  expect(server.modelCalls()[1]?.endedAt).toBeUndefined();
  const released = await fetch(`${server.url}/__mock/gates/middle/release`, { method: 'POST' });
  expect(await released.json()).toEqual({ released: 'middle' });
  expect((await slow).text).toBe('abc');
});

it('drips on the clock it is given', async () => {
  const clock = new FakeClock();
  await using server = await createMockModelServer([{ text: 'abc', split: 'chars', dripMs: 1000 }], { clock });
  const reply = callModel(server.url, 'chat');
  // Six events follow the first: three deltas, the finish, the usage, the end mark.
  for (let pause = 0; pause < 6; pause++) {
    await clock.waitForSleepers();
    await clock.advance(1000);
  }
  expect((await reply).text).toBe('abc');
  expect(clock.sleeps).toEqual([1000, 1000, 1000, 1000, 1000, 1000]);
});

it('notices a client that leaves in mid-reply', async () => {
  const gone = Promise.withResolvers<void>();
  await using server = await createMockModelServer([{ text: 'abc', gate: { name: 'never', afterEvents: 1 } }]);
  server.subscribe((what) => what === 'reply' && gone.resolve());
  const leaving = new AbortController();
  const reply = callModel(server.url, 'chat', { signal: leaving.signal });
  await server.reached('never');
  leaving.abort();
  await expect(reply).rejects.toThrow();
  await gone.promise;
  expect(server.modelCalls()[0]?.broken).toBe(true);
});

it('records bytes, headers, times and the gap between turns', async () => {
  let time = 0;
  const server = await createMockModelServer(() => ({ text: 'ok' }), { now: () => time++ });
  await using _closing = server;
  await callModel(server.url, 'chat', { headers: { 'x-extra': 'yes' } });
  await callModel(server.url, 'chat');
  const [first, second] = server.modelCalls();
  expect(first?.gapMs).toBeUndefined();
  expect(first?.headers['x-extra']).toBe('yes');
  expect(JSON.parse(first!.rawBody.toString())).toEqual(first?.body);
  expect(second?.gapMs).toBe(second!.arrivedAt - first!.endedAt!);
  expect(second?.request).toMatchObject({ wire: 'chat', lastUserText: 'Hello', assistantCount: 0 });
});

it('forgets old bodies when asked to', async () => {
  await using server = await createMockModelServer(() => ({ text: 'ok' }), { keepBodies: 2 });
  for (let call = 0; call < 4; call++) await callModel(server.url, 'chat');
  expect(server.modelCalls().map((call) => call.rawBody.length > 0)).toEqual([false, false, true, true]);
  expect(server.modelCalls().map((call) => call.request === undefined)).toEqual([true, true, false, false]);
});

it('tells what happens as it happens', async () => {
  await using server = await createMockModelServer([{ text: 'abc', split: 'chars' }]);
  const heard: string[] = [];
  const stop = server.subscribe((what, request) => heard.push(`${what} ${request.index}`));
  const ended = Promise.withResolvers<void>();
  server.subscribe((what) => what === 'reply' && ended.resolve());
  const reply = await callModel(server.url, 'chat');
  await ended.promise;
  stop();
  expect(heard).toEqual(['request 0', ...reply.events.map(() => 'event 0'), 'reply 0']);
  await callModel(server.url, 'chat');
  expect(heard).toHaveLength(reply.events.length + 2);
});

it('refuses missing and wrong keys with 401', async () => {
  await using server = await createMockModelServer({ turns: [{ text: 'ok' }], apiKey: 'sk-right' });
  const wrong = await callModel(server.url, 'chat', { headers: { authorization: 'Bearer sk-wrong-key' } });
  expect(wrong.status).toBe(401);
  expect(wrong.error).toMatchObject({ error: { code: 'invalid_api_key', type: 'invalid_request_error' } });
  expect(JSON.stringify(wrong.error)).not.toContain('wrong');
  const none = await callModel(server.url, 'anthropic', { headers: { 'x-api-key': '' } });
  expect(none.error).toMatchObject({
    error: { type: 'authentication_error', message: 'x-api-key header is required' },
  });
  const bearer = { 'x-api-key': '', authorization: 'Bearer sk-right' };
  expect((await callModel(server.url, 'anthropic', { headers: bearer })).text).toBe('ok');
});

it('refuses a body that is not JSON, a missing version header, an unknown path', async () => {
  await using server = await createMockModelServer([]);
  const post = async (path: string, headers: Record<string, string>, body: string) =>
    await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  expect((await post('/v1/chat/completions', { authorization: 'Bearer k' }, '{')).status).toBe(400);
  const noVersion = await post('/v1/messages', { 'x-api-key': 'k' }, '{}');
  expect(await noVersion.text()).toContain('anthropic-version: header is required');
  expect((await post('/v1/other', {}, '')).status).toBe(404);
});

it('does not use up a turn for a request that it refuses, and says when the script is at its end', async () => {
  await using server = await createMockModelServer([{ text: 'only' }]);
  expect((await callModel(server.url, 'anthropic', { body: { max_tokens: 0 } })).status).toBe(400);
  expect((await callModel(server.url, 'anthropic')).text).toBe('only');
  const beyond = await callModel(server.url, 'anthropic');
  expect(beyond.status).toBe(400);
  expect(JSON.stringify(beyond.error)).toContain('no turn for this request');
});

it('gives what a turn function throws to whoever closes the server', async () => {
  const server = await createMockModelServer(() => {
    throw new Error('an expectation failed');
  });
  await expect(callModel(server.url, 'chat')).rejects.toThrow();
  await expect(server.close()).rejects.toThrow('an expectation failed');
});

it('closes with replies still hanging', async () => {
  const server = await createMockModelServer([{ hang: true }]);
  const reply = callModel(server.url, 'chat').catch(() => 'broke off');
  await server.reached('hang');
  await server.close();
  expect(await reply).toBe('broke off');
});
