import { describe, expect, it } from 'vitest';
import type { Json } from './json.ts';
import { createMockModelServer, type MockModelServer } from './mock-model-server.ts';
import { WIRES } from './model-request.ts';
import { callModel } from './reference-client.ts';
import type { Turn } from './script.ts';

/** What is particular to a wire; what holds for all of them is in the server's own tests. */

const CALL: Turn = { thinking: 'Hm.', text: 'Reading.', toolCalls: [{ name: 'read', args: { path: 'é' } }] };
const BEARER = { authorization: 'Bearer k' };

async function get(server: MockModelServer, path: string, headers: Record<string, string> = {}): Promise<unknown> {
  return await (await fetch(`${server.url}${path}`, { headers })).json();
}

async function post(server: MockModelServer, path: string, body: Json, headers: Record<string, string>): Promise<Json> {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await (await fetch(`${server.url}${path}`, init)).json()) as Json;
}

it.each(WIRES)('knows the %s wire by where it is asked', async (wire) => {
  await using server = await createMockModelServer([
    { text: 'no', when: { wire: 'chat', system: 'x' } },
    { text: 'yes', when: { wire } },
  ]);
  expect((await callModel(server.url, wire)).text).toBe('yes');
  expect(server.modelCalls()[0]).toMatchObject({ wire, request: { wire, model: 'mock-model', lastUserText: 'Hello' } });
});

it.each(WIRES)('tells no usage on the %s wire where the script wants none', async (wire) => {
  await using server = await createMockModelServer(() => ({ text: 'x', noUsage: true }));
  for (const stream of [true, false]) {
    const reply = await callModel(server.url, wire, { stream });
    expect(reply).toMatchObject({ text: 'x', finished: true });
    expect(reply.raw.toString()).not.toMatch(/(prompt|input|total)_tokens|TokenCount|eval_count/);
  }
});

describe('thinking is shown to who asks', () => {
  it('Responses: a summary and sealed content, or neither', async () => {
    await using server = await createMockModelServer([CALL, CALL]);
    expect(await callModel(server.url, 'responses')).toMatchObject({
      thinking: 'Hm.',
      signature: expect.stringMatching(/^.+$/),
    });
    const body = { reasoning: {}, include: [] };
    const silent = await callModel(server.url, 'responses', { body, stream: false });
    expect(silent.thinking).toBe('');
    expect(silent.signature).toBe('undefined');
  });

  it('Gemini: thoughts where they are included, the signature always', async () => {
    await using server = await createMockModelServer([CALL, CALL]);
    expect((await callModel(server.url, 'google')).thinking).toBe('Hm.');
    const silent = await callModel(server.url, 'google', { body: { generationConfig: {} } });
    expect(silent).toMatchObject({ thinking: '', signature: expect.stringMatching(/^.+$/) });
  });

  it('Ollama: unless it is switched off', async () => {
    await using server = await createMockModelServer([CALL, CALL]);
    expect((await callModel(server.url, 'ollama', { body: { think: undefined } })).thinking).toBe('Hm.');
    expect((await callModel(server.url, 'ollama', { body: { think: false } })).thinking).toBe('');
  });
});

it('sends a Responses call to a custom tool as free text', async () => {
  await using server = await createMockModelServer([{ toolCalls: [{ name: 'patch', args: { input: '*** Begin' } }] }]);
  const body = { model: 'm', input: 'x', tools: [{ type: 'custom', name: 'patch' }] };
  expect(await post(server, '/v1/responses', body, BEARER)).toMatchObject({
    output: [{ type: 'custom_tool_call', name: 'patch', input: '*** Begin' }],
  });
});

it('streams Gemini replies as one JSON array where no events are asked for', async () => {
  await using server = await createMockModelServer([{ text: 'abc', split: 'chars' }]);
  const body = { contents: [{ role: 'user', parts: [{ text: 'x' }] }] };
  const path = '/v1beta/models/m:streamGenerateContent?key=k';
  const chunks = (await post(server, path, body, {})) as unknown as {
    candidates: { content: { parts: { text: string }[] } }[];
  }[];
  expect(chunks.map((chunk) => chunk.candidates[0]!.content.parts[0]!.text)).toEqual(['a', 'b', 'c', '']);
});

it('a call that is no JSON ends a Gemini reply with a reason of its own', async () => {
  await using server = await createMockModelServer([{ toolCalls: [{ name: 'read', rawArgs: '{"path": ' }] }]);
  expect(await callModel(server.url, 'google')).toMatchObject({ finish: 'MALFORMED_FUNCTION_CALL', calls: [] });
});

it('OpenRouter: reasoning details come back as they were signed', async () => {
  await using server = await createMockModelServer([CALL, { text: 'Done.' }]);
  const user = { role: 'user', content: 'x' };
  const first = await post(server, '/api/v1/chat/completions', { model: 'm', messages: [user] }, BEARER);
  expect(first).toMatchObject({ provider: 'Mock', usage: { cost: expect.any(Number) } });
  const { message } = (first.choices as { message: Json }[])[0]!;
  const calls = message.tool_calls as { id: string }[];
  const ask = async (assistant: Json): Promise<Json> => {
    const messages = [user, assistant, { role: 'tool', tool_call_id: calls[0]!.id, content: 'ok' }];
    return await post(server, '/api/v1/chat/completions', { model: 'm', messages }, BEARER);
  };
  const details = message.reasoning_details as Json[];
  const changed = { ...message, reasoning_details: details.map((detail) => ({ ...detail, text: 'Ha.' })) };
  expect(await ask(changed)).toMatchObject({ error: { code: 400, metadata: { provider_name: 'Mock' } } });
  expect(await ask(message)).toMatchObject({ choices: [{ message: { content: 'Done.' } }] });
});

it('OpenRouter: a provider that fails in a whole reply leaves status 200', async () => {
  await using server = await createMockModelServer([{ text: 'never', error: { status: 502, afterEvents: 1 } }]);
  const body = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
  const reply = await post(server, '/api/v1/chat/completions', body, BEARER);
  expect(reply).toMatchObject({ error: { code: 502, message: 'Provider returned error' } });
  expect(server.modelCalls()[0]!.status).toBe(200);
});

it('OpenRouter: a model without tools or eyes is not found for them', async () => {
  await using server = await createMockModelServer({ turns: [], models: [{ id: 'm', tools: false, images: false }] });
  const user = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] };
  const ask = async (more: Json): Promise<Json> =>
    await post(server, '/api/v1/chat/completions', { model: 'm', messages: [user], ...more }, BEARER);
  expect(await ask({})).toMatchObject({ error: { code: 404, message: expect.stringContaining('image input') } });
  const tools = [{ type: 'function', function: { name: 'read' } }];
  expect(await ask({ tools })).toMatchObject({ error: { code: 404, message: expect.stringContaining('tool use') } });
});

it('lists its models in every maker’s shape', async () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const models = [{ id: 'a/b', name: 'AB', contextWindow: 1000, maxOutput: 100, thinking: false, price }];
  await using server = await createMockModelServer({ turns: [], models });
  expect(await get(server, '/api/v1/models')).toMatchObject({
    data: [
      {
        id: 'a/b',
        context_length: 1000,
        pricing: {
          prompt: '0.000003',
          completion: '0.000015',
          input_cache_read: '0.0000003',
          input_cache_write: '0.00000375',
        },
        top_provider: { max_completion_tokens: 100 },
        supported_parameters: expect.arrayContaining(['tools']),
      },
    ],
  });
  const google = { models: [{ name: 'models/a/b', inputTokenLimit: 1000, outputTokenLimit: 100 }] };
  expect(await get(server, '/v1beta/models?key=k')).toMatchObject(google);
  expect(await get(server, '/v1/models', { 'x-goog-api-key': 'k' })).toMatchObject(google);
  expect(await get(server, '/v1beta/models')).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  expect(await get(server, '/v1beta/models/c?key=k')).toMatchObject({ error: { status: 'NOT_FOUND' } });
  expect(await get(server, '/api/tags')).toMatchObject({
    models: [{ name: 'a/b:latest', details: { format: 'gguf' } }],
  });
  expect(await get(server, '/ollama/v1/models')).toMatchObject({ data: [{ id: 'a/b:latest', owned_by: 'library' }] });
});

it('asks for keys as each maker does', async () => {
  await using server = await createMockModelServer({ turns: [{ text: 'ok', times: 'always' }], apiKey: 'right' });
  const denied = await Promise.all(
    WIRES.map(async (wire) => {
      const headers = { authorization: 'Bearer wrong', 'x-api-key': 'wrong', 'x-goog-api-key': 'wrong' };
      return [wire, (await callModel(server.url, wire, { headers })).status];
    }),
  );
  expect(Object.fromEntries(denied)).toEqual({
    chat: 401,
    responses: 401,
    anthropic: 401,
    google: 400,
    ollama: 401,
    'ollama-chat': 401,
    openrouter: 401,
  });
});
