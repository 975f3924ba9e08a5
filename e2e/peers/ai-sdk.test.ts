import { createMockModelServer, type MockModelServer, type Turn, type Wire } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { importPeer } from './import-peer.ts';

/** The AI SDK's providers, which the engine speaks through, read the mock model server whatever way it sends. */

type Json = Record<string, unknown>;
interface LanguageModel {
  doStream(options: Json): PromiseLike<{ stream: ReadableStream<Json> }>;
}

const TURN: Turn = {
  thinking: 'Hm 🤔',
  text: 'Both, then — é.',
  toolCalls: [
    { id: 'call_a', name: 'read', args: { path: 'ä.txt', text: 'a\n"b"\\' } },
    { id: 'call_b', name: 'list', args: {} },
  ],
  usage: { input: 10, output: 20, cacheRead: 30 },
};
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TOOLS = ['read', 'list'].map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', properties: {} },
}));

/** By computed name: these packages belong to the engine's own dependencies. */
async function load(name: string): Promise<Json> {
  return (await import(`@ai-sdk/${name}`)) as Json;
}

type Factory<T> = (options: Json) => T;
type Models = (id: string) => LanguageModel;

async function modelFor(wire: Wire, server: MockModelServer): Promise<LanguageModel> {
  const options = { name: 'mock', apiKey: 'mock-key', includeUsage: true };
  if (wire === 'anthropic') {
    const { createAnthropic } = (await load('anthropic')) as { createAnthropic: Factory<Models> };
    return createAnthropic({ ...options, baseURL: `${server.anthropicUrl}/v1` })('mock-model');
  }
  if (wire === 'responses') {
    const { createOpenAI } = await importPeer<{ createOpenAI: Factory<Models> }>('@ai-sdk/openai');
    return createOpenAI({ ...options, baseURL: server.openaiUrl })('gpt-5');
  }
  if (wire === 'google') {
    const { createGoogleGenerativeAI } = await importPeer<{ createGoogleGenerativeAI: Factory<Models> }>(
      '@ai-sdk/google',
    );
    return createGoogleGenerativeAI({ ...options, baseURL: `${server.googleUrl}/v1beta` })('gemini-3-mock');
  }
  if (wire === 'openrouter') {
    const { createOpenRouter } = await importPeer<{ createOpenRouter: Factory<{ chat: Models }> }>(
      '@openrouter/ai-sdk-provider',
    );
    return createOpenRouter({ ...options, baseURL: server.openrouterUrl }).chat('mock-model');
  }
  const { createOpenAICompatible } = (await load('openai-compatible')) as {
    createOpenAICompatible: Factory<{ chatModel: Models }>;
  };
  const baseURL = wire === 'chat' ? server.openaiUrl : `${server.ollamaUrl}/v1`;
  return createOpenAICompatible({ ...options, baseURL }).chatModel('mock-model');
}

const HELLO = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
const PROVIDER_OPTIONS = {
  openai: { reasoningSummary: 'auto', store: false, include: ['reasoning.encrypted_content'] },
  google: { thinkingConfig: { includeThoughts: true } },
};

async function readAll(model: LanguageModel, prompt: unknown[]): Promise<Json[]> {
  const { stream } = await model.doStream({ prompt, tools: TOOLS, providerOptions: PROVIDER_OPTIONS });
  const parts: Json[] = [];
  for await (const part of stream) parts.push(part);
  expect(parts.filter((part) => part.type === 'error')).toEqual([]);
  return parts;
}

function joined(parts: Json[], type: string): string {
  return parts
    .filter((part) => part.type === type)
    .map((part) => String(part.delta))
    .join('');
}

const WIRES = ['chat', 'anthropic', 'responses', 'google', 'ollama-chat', 'openrouter'] as const;
/** Ollama tells no cache figures. */
const INPUT = { total: 40, cacheRead: 30 };

describe.each(WIRES)('the AI SDK over the %s wire', (wire) => {
  it.each(['whole', 'awkward'] as const)('reads replies sent %s', async (split) => {
    await using server = await createMockModelServer([{ ...TURN, split }]);
    const model = await modelFor(wire, server);
    const parts = await readAll(model, [HELLO]);
    expect(joined(parts, 'text-delta')).toBe('Both, then — é.');
    expect(joined(parts, 'reasoning-delta')).toBe('Hm 🤔');
    const calls = parts.filter((part) => part.type === 'tool-call');
    expect(calls.map((call) => [call.toolCallId, call.toolName, JSON.parse(String(call.input))])).toEqual([
      ['call_a', 'read', { path: 'ä.txt', text: 'a\n"b"\\' }],
      ['call_b', 'list', {}],
    ]);
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'tool-calls' },
      usage: { inputTokens: wire === 'ollama-chat' ? { total: 40 } : INPUT, outputTokens: { total: 20 } },
    });
  });

  it('gives a reply back with its thinking and an image, and is not refused', async () => {
    await using server = await createMockModelServer([TURN, { text: 'Done.' }]);
    const model = await modelFor(wire, server);
    const parts = await readAll(model, [HELLO]);
    const reasoning = parts.find((part) => part.type === 'reasoning-end');
    const thinking = { type: 'reasoning', text: 'Hm 🤔', providerOptions: reasoning?.providerMetadata };
    const calls = parts
      .filter((part) => part.type === 'tool-call')
      .map(({ input, providerMetadata, ...call }) => ({
        ...call,
        input: JSON.parse(String(input)),
        ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
      }));
    const results = calls.map((call) => {
      const { toolCallId, toolName } = call as Json;
      return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'ok' } };
    });
    const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } };
    await readAll(model, [
      { role: 'user', content: [...HELLO.content, image] },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Both, then — é.' }, ...calls] },
      { role: 'tool', content: results },
    ]);
    const { request } = server.modelCalls()[1]!;
    expect(request!.messages[0]!.images).toEqual([{ mediaType: 'image/png', data: Buffer.from(PNG) }]);
    expect(request!.lastToolResults.map((result) => result.text)).toEqual(['ok', 'ok']);
    expect(request!.messages[1]).toMatchObject({ text: 'Both, then — é.', toolCalls: [{}, {}] });
  });
});

it('OpenRouter’s provider tells the cost, and an error within a reply of status 200', async () => {
  await using server = await createMockModelServer({
    turns: [
      { text: 'x', usage: { input: 1000, output: 500 } },
      { text: 'never whole', error: { status: 502, afterEvents: 2 } },
    ],
    models: [{ id: 'mock-model', price: { input: 3, output: 10 } }],
  });
  const model = await modelFor('openrouter', server);
  const finish = (await readAll(model, [HELLO])).at(-1);
  expect(finish).toMatchObject({ providerMetadata: { openrouter: { provider: 'Mock', usage: { cost: 0.008 } } } });
  const { stream } = await model.doStream({ prompt: [HELLO] });
  const parts: Json[] = [];
  for await (const part of stream) parts.push(part);
  expect(server.modelCalls()[1]!.status).toBe(200);
  expect(parts.find((part) => part.type === 'error')).toBeDefined();
});
