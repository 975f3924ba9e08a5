import { createMockModelServer, type MockModelServer, signThinking, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { importPeer } from './import-peer.ts';

/** The providers' own SDKs take the mock model server for the real thing: framing, errors, lists. */

type Json = Record<string, unknown>;

interface OpenAIClient {
  chat: {
    completions: {
      create(body: Json): Promise<Json>;
      stream(body: Json): { finalChatCompletion(): Promise<Json> };
    };
  };
  models: { list(): Promise<{ data: Json[] }> };
}

interface AnthropicClient {
  messages: {
    create(body: Json): Promise<Json>;
    stream(body: Json): { finalMessage(): Promise<Json> };
  };
  models: { list(): Promise<{ data: Json[] }> };
}

type ClientClass<T> = new (options: Json) => T;

async function openai(server: MockModelServer): Promise<OpenAIClient> {
  const { default: OpenAI } = await importPeer<{ default: ClientClass<OpenAIClient> }>('openai');
  return new OpenAI({ baseURL: server.openaiUrl, apiKey: 'mock-key', maxRetries: 2 });
}

async function anthropic(server: MockModelServer): Promise<AnthropicClient> {
  const { default: Anthropic } = await importPeer<{ default: ClientClass<AnthropicClient> }>('@anthropic-ai/sdk');
  return new Anthropic({ baseURL: server.anthropicUrl, apiKey: 'mock-key', maxRetries: 2 });
}

const TURN: Turn = {
  thinking: 'Hm 🤔',
  text: 'Both, then — é.',
  toolCalls: [
    { id: 'call_a', name: 'read', args: { path: 'ä.txt', lines: [1, 2] } },
    { id: 'call_b', name: 'list', args: {} },
  ],
  usage: { input: 10, output: 20, cacheRead: 30 },
};
const QUESTION = { model: 'mock-model', messages: [{ role: 'user', content: 'Hello' }] };
const TOOLS = ['read', 'list'].map((name) => ({ name, schema: { type: 'object', properties: {} } }));

const CHAT_REPLY = {
  choices: [
    {
      finish_reason: 'tool_calls',
      message: {
        content: 'Both, then — é.',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"ä.txt","lines":[1,2]}' } },
          { id: 'call_b', type: 'function', function: { name: 'list', arguments: '{}' } },
        ],
      },
    },
  ],
  usage: { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60, prompt_tokens_details: { cached_tokens: 30 } },
};

const ANTHROPIC_REPLY = {
  type: 'message',
  stop_reason: 'tool_use',
  content: [
    { type: 'thinking', thinking: 'Hm 🤔', signature: signThinking('Hm 🤔') },
    { type: 'text', text: 'Both, then — é.' },
    { type: 'tool_use', id: 'call_a', name: 'read', input: { path: 'ä.txt', lines: [1, 2] } },
    { type: 'tool_use', id: 'call_b', name: 'list', input: {} },
  ],
  usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 30 },
};

describe('the OpenAI SDK', () => {
  const body = {
    ...QUESTION,
    tools: TOOLS.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
  };

  it.each(['whole', 'chars', 'awkward'] as const)('reads a stream sent %s', async (split) => {
    await using server = await createMockModelServer([{ ...TURN, split, interleave: split === 'awkward' }]);
    const client = await openai(server);
    const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
    expect(await stream.finalChatCompletion()).toMatchObject(CHAT_REPLY);
  });

  it('reads a whole reply and the model list', async () => {
    await using server = await createMockModelServer([TURN]);
    const client = await openai(server);
    expect(await client.chat.completions.create(body)).toMatchObject(CHAT_REPLY);
    expect((await client.models.list()).data).toMatchObject([{ id: 'mock-model', object: 'model' }]);
  });

  it('retries as it is told and knows the kinds of errors', async () => {
    await using server = await createMockModelServer([
      { error: { status: 429, headers: { 'retry-after-ms': '1' } } },
      { error: { status: 500, headers: { 'retry-after-ms': '1' } } },
      { text: 'third time' },
      { error: { status: 401 } },
    ]);
    const client = await openai(server);
    expect(await client.chat.completions.create(QUESTION)).toMatchObject({
      choices: [{ message: { content: 'third time' }, finish_reason: 'stop' }],
    });
    await expect(client.chat.completions.create(QUESTION)).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    const orphan = { ...QUESTION, messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] };
    await expect(client.chat.completions.create(orphan)).rejects.toMatchObject({
      status: 400,
      param: 'messages.[0].role',
    });
  });
});

describe('the Anthropic SDK', () => {
  const body = {
    ...QUESTION,
    max_tokens: 1000,
    tools: TOOLS.map(({ name, schema }) => ({ name, input_schema: schema })),
  };

  it.each(['whole', 'chars', 'awkward'] as const)('reads a stream sent %s', async (split) => {
    await using server = await createMockModelServer([{ ...TURN, split }]);
    const client = await anthropic(server);
    expect(await client.messages.stream(body).finalMessage()).toMatchObject(ANTHROPIC_REPLY);
  });

  it('reads a whole reply and the model list', async () => {
    await using server = await createMockModelServer([TURN]);
    const client = await anthropic(server);
    expect(await client.messages.create(body)).toMatchObject(ANTHROPIC_REPLY);
    expect((await client.models.list()).data).toMatchObject([{ id: 'mock-model', type: 'model' }]);
  });

  it('retries as it is told and knows the kinds of errors', async () => {
    await using server = await createMockModelServer([
      { error: { status: 529, headers: { 'retry-after-ms': '1' } } },
      { error: { status: 429, headers: { 'retry-after-ms': '1' } } },
      { text: 'third time' },
      { text: 'never whole', error: { status: 529, afterEvents: 3 } },
    ]);
    const client = await anthropic(server);
    expect(await client.messages.create(body)).toMatchObject({ content: [{ type: 'text', text: 'third time' }] });
    await expect(client.messages.stream(body).finalMessage()).rejects.toThrow(/overloaded_error/);
    const doubled = { ...body, messages: [...QUESTION.messages, ...QUESTION.messages] };
    await expect(client.messages.create(doubled)).rejects.toThrow(/roles must alternate/);
  });
});
