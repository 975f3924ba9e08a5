import { createMockModelServer, type MockModelServer, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { importPeer } from './import-peer.ts';

/** Ollama's own client takes the mock model server for Ollama, and OpenAI's SDK for its imitation of the Chat wire. */

type Json = Record<string, unknown>;
interface OllamaMessage {
  content: string;
  thinking?: string;
  tool_calls?: { id?: string; function: { name: string; arguments: Json } }[];
}
interface OllamaReply extends Json {
  message: OllamaMessage;
  done: boolean;
}
interface OllamaClient {
  chat(request: Json & { stream: true }): Promise<AsyncIterable<OllamaReply>>;
  chat(request: Json): Promise<OllamaReply>;
  list(): Promise<{ models: Json[] }>;
  show(request: Json): Promise<Json>;
  ps(): Promise<{ models: Json[] }>;
  version(): Promise<Json>;
}

async function client(server: MockModelServer): Promise<OllamaClient> {
  const { Ollama } = await importPeer<{ Ollama: new (options: Json) => OllamaClient }>('ollama');
  return new Ollama({ host: server.ollamaUrl });
}

const TURN: Turn = {
  thinking: 'Hm 🤔',
  text: 'Both, then — é.',
  toolCalls: [
    { id: 'call_a', name: 'read', args: { path: 'ä.txt', lines: [1, 2] } },
    { name: 'list', args: {} },
  ],
  usage: { input: 10, output: 20 },
};
const TOOLS = ['read', 'list'].map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: {} } },
}));
const USER = { role: 'user', content: 'Hello' };
const REQUEST = { model: 'mock-model', messages: [USER], tools: TOOLS };

function expectCalls(message: OllamaMessage): void {
  expect(message.tool_calls?.map((call) => call.function)).toMatchObject([
    { name: 'read', arguments: { path: 'ä.txt', lines: [1, 2] } },
    { name: 'list', arguments: {} },
  ]);
}

describe('the Ollama client', () => {
  it.each(['whole', 'chars', 'awkward'] as const)('reads a stream sent %s', async (split) => {
    await using server = await createMockModelServer([{ ...TURN, split }]);
    const ollama = await client(server);
    const lines = [];
    for await (const line of await ollama.chat({ ...REQUEST, stream: true, think: true })) lines.push(line);
    expect(lines.map((line) => line.message.thinking ?? '').join('')).toBe('Hm 🤔');
    expect(lines.map((line) => line.message.content).join('')).toBe('Both, then — é.');
    expectCalls({ content: '', tool_calls: lines.flatMap((line) => line.message.tool_calls ?? []) });
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 20 });
  });

  it('goes on from a whole reply, with thinking off, with an image', async () => {
    await using server = await createMockModelServer([TURN, { thinking: 'Not shown.', text: 'Done.' }]);
    const ollama = await client(server);
    const { message } = await ollama.chat(REQUEST);
    expect(message).toMatchObject({ thinking: 'Hm 🤔', content: 'Both, then — é.' });
    expectCalls(message);
    const results = ['read', 'list'].map((name) => ({ role: 'tool', tool_name: name, content: `${name} ok` }));
    const messages = [{ ...USER, images: ['iVBORw0KGgo='] }, message, ...results];
    const reply = await ollama.chat({ ...REQUEST, messages, think: false });
    expect(reply.message).toEqual({ role: 'assistant', content: 'Done.' });
    const { request } = server.modelCalls()[1]!;
    expect(request!.lastToolResults.map((result) => result.toolCallId)).toEqual(['read', 'list']);
    expect(request!.messages[0]!.images).toEqual([
      { mediaType: 'image/png', data: Buffer.from('iVBORw0KGgo=', 'base64') },
    ]);
  });

  it('knows errors before a reply and in its middle', async () => {
    await using server = await createMockModelServer([
      { error: { status: 404, message: "model 'mock-model' not found" } },
      { text: 'never whole', error: { status: 500, afterEvents: 1 } },
      { toolCalls: [{ name: 'read', rawArgs: '{"path": ' }] },
    ]);
    const ollama = await client(server);
    await expect(ollama.chat(REQUEST)).rejects.toMatchObject({ status_code: 404 });
    const stream = await ollama.chat({ ...REQUEST, stream: true });
    const read = async () => {
      for await (const line of stream) expect(line.done).toBe(false);
    };
    await expect(read()).rejects.toThrow('an error was encountered while running the model');
    await expect(ollama.chat(REQUEST)).rejects.toThrow('error parsing tool call');
    const orphan = { role: 'tool', tool_name: 'read', content: 'ok' };
    await expect(ollama.chat({ ...REQUEST, messages: [USER, orphan] })).rejects.toThrow('answers no call');
  });

  it('lists and shows models', async () => {
    const models = [{ id: 'small', tools: false, thinking: false, contextWindow: 4096 }, { id: 'big:70b' }];
    await using server = await createMockModelServer({ turns: [], models });
    const ollama = await client(server);
    expect((await ollama.list()).models).toMatchObject([{ name: 'small:latest' }, { name: 'big:70b' }]);
    expect(await ollama.show({ model: 'small' })).toMatchObject({
      capabilities: ['completion', 'vision'],
      model_info: { 'general.architecture': 'mock', 'mock.context_length': 4096 },
    });
    expect(await ollama.ps()).toEqual({ models: [] });
    expect(await ollama.version()).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/) });
    await expect(ollama.show({ model: 'other' })).rejects.toThrow("model 'other' not found");
    const withTools = { ...REQUEST, model: 'small' };
    await expect(ollama.chat(withTools)).rejects.toThrow('small:latest does not support tools');
    await expect(ollama.chat({ ...withTools, tools: [], think: true })).rejects.toThrow('does not support thinking');
  });
});

it('OpenAI’s SDK reads the Chat wire below Ollama’s address', async () => {
  await using server = await createMockModelServer([{ ...TURN, split: 'awkward' }]);
  interface OpenAIClient {
    chat: { completions: { stream(body: Json): { finalChatCompletion(): Promise<Json> } } };
    models: { list(): Promise<{ data: Json[] }> };
  }
  const { default: OpenAI } = await importPeer<{ default: new (options: Json) => OpenAIClient }>('openai');
  const openai = new OpenAI({ baseURL: `${server.ollamaUrl}/v1`, apiKey: 'ollama' });
  expect(await openai.chat.completions.stream(REQUEST).finalChatCompletion()).toMatchObject({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: { content: 'Both, then — é.', reasoning: expect.any(String), tool_calls: [{}, {}] },
      },
    ],
  });
  expect((await openai.models.list()).data).toMatchObject([{ id: 'mock-model:latest', owned_by: 'library' }]);
});
