import { createMockModelServer, type MockModelServer, type Turn } from '@black-ide/testkit';
import { expect, it } from 'vitest';
import { importPeer } from './import-peer.ts';

/** OpenAI's own SDK takes the mock model server for its Responses API. */

type Json = Record<string, unknown>;

interface ResponsesClient {
  responses: {
    create(body: Json): Promise<Json>;
    stream(body: Json): AsyncIterable<Json> & { finalResponse(): Promise<Json> };
  };
}

async function client(server: MockModelServer): Promise<ResponsesClient> {
  const { default: OpenAI } = await importPeer<{ default: new (options: Json) => ResponsesClient }>('openai');
  return new OpenAI({ baseURL: server.openaiUrl, apiKey: 'mock-key', maxRetries: 2 });
}

const TURN: Turn = {
  thinking: 'Hm 🤔',
  text: 'Both, then — é.',
  toolCalls: [
    { id: 'call_a', name: 'read', args: { path: 'ä.txt', lines: [1, 2] } },
    { id: 'call_b', name: 'list', args: {} },
  ],
  usage: { input: 10, output: 20, cacheRead: 30, reasoning: 5 },
};
const TOOLS = ['read', 'list'].map((name) => ({
  type: 'function',
  name,
  parameters: { type: 'object', properties: {} },
  strict: false,
}));
const BODY = {
  model: 'mock-model',
  input: 'Hello',
  tools: TOOLS,
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
};
const REPLY = {
  status: 'completed',
  output: [
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm 🤔' }],
      encrypted_content: expect.stringMatching(/./),
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Both, then — é.' }] },
    { type: 'function_call', call_id: 'call_a', name: 'read', arguments: '{"path":"ä.txt","lines":[1,2]}' },
    { type: 'function_call', call_id: 'call_b', name: 'list', arguments: '{}' },
  ],
  output_text: 'Both, then — é.',
  usage: {
    input_tokens: 40,
    output_tokens: 20,
    total_tokens: 60,
    input_tokens_details: { cached_tokens: 30 },
    output_tokens_details: { reasoning_tokens: 5 },
  },
};
const RESULTS = ['call_a', 'call_b'].map((id) => ({ type: 'function_call_output', call_id: id, output: 'ok' }));

it.each(['whole', 'chars', 'awkward'] as const)('the SDK reads a stream sent %s', async (split) => {
  await using server = await createMockModelServer([{ ...TURN, split }]);
  const { responses } = await client(server);
  expect(await responses.stream(BODY).finalResponse()).toMatchObject(REPLY);
});

it('goes on from a whole reply: given back, left to the server, referred to', async () => {
  await using server = await createMockModelServer([TURN, { text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const { responses } = await client(server);
  const first = await responses.create(BODY);
  expect(first).toMatchObject(REPLY);
  const output = first.output as Json[];
  const user = { role: 'user', content: 'Hello' };
  const references = output.map((item) => ({ type: 'item_reference', id: item.id }));
  const rest = { model: 'mock-model', tools: TOOLS };
  const again = [
    await responses.create({ ...rest, store: false, input: [user, ...output, ...RESULTS] }),
    await responses.create({ ...rest, previous_response_id: first.id, input: RESULTS }),
    await responses.create({ ...rest, input: [user, ...references, ...RESULTS] }),
  ];
  expect(again.map((reply) => reply.output_text)).toEqual(['one', 'two', 'three']);
  for (const call of server.modelCalls().slice(1)) {
    expect(call.request).toMatchObject({ lastUserText: 'Hello', assistantCount: 1 });
    expect(call.request!.lastToolResults.map((result) => result.toolCallId)).toEqual(['call_a', 'call_b']);
  }
});

it('retries as it is told and knows the kinds of errors', async () => {
  await using server = await createMockModelServer([
    { error: { status: 429, headers: { 'retry-after-ms': '1' } } },
    { text: 'second time' },
    { text: 'never whole', error: { status: 500, message: 'It broke.', afterEvents: 3 } },
    { text: 'cut short', stopReason: 'length' },
  ]);
  const { responses } = await client(server);
  expect(await responses.create(BODY)).toMatchObject({ output_text: 'second time' });
  await expect(responses.stream(BODY).finalResponse()).rejects.toThrow('It broke.');
  expect(await responses.stream(BODY).finalResponse()).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  });
  await expect(responses.create({ ...BODY, input: RESULTS })).rejects.toMatchObject({
    status: 400,
    param: 'input',
    message: expect.stringContaining('No tool call found for function call output with call_id call_a.'),
  });
});

it('takes images of a person and of a tool', async () => {
  await using server = await createMockModelServer([{ text: 'A dot.' }]);
  const { responses } = await client(server);
  const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' };
  const call = { type: 'function_call', call_id: 'call_a', name: 'read', arguments: '{}' };
  await responses.create({
    ...BODY,
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, image] },
      call,
      { type: 'function_call_output', call_id: 'call_a', output: [image] },
    ],
  });
  const images = server.modelCalls()[0]!.request!.messages.map((message) => message.images);
  const png = { mediaType: 'image/png', data: Buffer.from('iVBORw0KGgo=', 'base64') };
  expect(images).toEqual([[png], [], [png]]);
});
