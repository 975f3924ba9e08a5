import { createMockModelServer, type Turn, type Wire } from '@black-ide/testkit';
import { expect, it } from 'vitest';

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
const TOOLS = ['read', 'list'].map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', properties: {} },
}));

/** By computed name: these packages belong to the engine's own dependencies. */
async function load(name: string): Promise<Json> {
  return (await import(`@ai-sdk/${name}`)) as Json;
}

async function modelFor(wire: Wire, url: string): Promise<LanguageModel> {
  if (wire === 'anthropic') {
    const { createAnthropic } = (await load('anthropic')) as {
      createAnthropic: (options: Json) => (id: string) => LanguageModel;
    };
    return createAnthropic({ baseURL: `${url}/v1`, apiKey: 'mock-key' })('mock-model');
  }
  const { createOpenAICompatible } = (await load('openai-compatible')) as {
    createOpenAICompatible: (options: Json) => { chatModel: (id: string) => LanguageModel };
  };
  const options = { name: 'mock', baseURL: `${url}/v1`, apiKey: 'mock-key', includeUsage: true };
  return createOpenAICompatible(options).chatModel('mock-model');
}

it.each([
  ['chat', 'whole'],
  ['chat', 'awkward'],
  ['anthropic', 'whole'],
  ['anthropic', 'awkward'],
] as const)('the AI SDK over the %s wire, replies sent %s', async (wire, split) => {
  await using server = await createMockModelServer([{ ...TURN, split }]);
  const model = await modelFor(wire, server.url);
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: TOOLS,
  });
  const parts: Json[] = [];
  for await (const part of stream) parts.push(part);
  const joined = (type: string): string =>
    parts
      .filter((part) => part.type === type)
      .map((part) => String(part.delta))
      .join('');
  expect(parts.filter((part) => part.type === 'error')).toEqual([]);
  expect(joined('text-delta')).toBe('Both, then — é.');
  expect(joined('reasoning-delta')).toBe('Hm 🤔');
  const calls = parts.filter((part) => part.type === 'tool-call');
  expect(calls.map((call) => [call.toolCallId, call.toolName, JSON.parse(String(call.input))])).toEqual([
    ['call_a', 'read', { path: 'ä.txt', text: 'a\n"b"\\' }],
    ['call_b', 'list', {}],
  ]);
  expect(parts.at(-1)).toMatchObject({
    type: 'finish',
    finishReason: { unified: 'tool-calls' },
    usage: { inputTokens: { total: 40, cacheRead: 30 }, outputTokens: { total: 20 } },
  });
});
