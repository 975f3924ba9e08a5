import { createMockModelServer, type MockModelServer, type Turn } from '@black-ide/testkit';
import { expect, it } from 'vitest';
import { importPeer } from './import-peer.ts';

/** Google's own SDK takes the mock model server for the Gemini API. */

type Json = Record<string, unknown>;
interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: Json;
}
interface GoogleReply {
  candidates: { content: { role: string; parts?: Part[] }; finishReason?: string }[];
  usageMetadata: Json;
}
interface GoogleClient {
  models: {
    generateContent(options: Json): Promise<GoogleReply>;
    generateContentStream(options: Json): Promise<AsyncIterable<GoogleReply>>;
    list(): Promise<AsyncIterable<Json>>;
    get(options: Json): Promise<Json>;
    countTokens(options: Json): Promise<Json>;
  };
}

async function client(server: MockModelServer, apiKey = 'mock-key'): Promise<GoogleClient> {
  const { GoogleGenAI } = await importPeer<{ GoogleGenAI: new (options: Json) => GoogleClient }>('@google/genai');
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.googleUrl } });
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
const OPTIONS = {
  model: 'gemini-3-mock',
  contents: 'Hello',
  config: {
    systemInstruction: 'Be brief.',
    tools: [
      {
        functionDeclarations: ['read', 'list'].map((name) => ({
          name,
          parametersJsonSchema: { type: 'object', properties: {} },
        })),
      },
    ],
    thinkingConfig: { includeThoughts: true },
  },
};

async function read(stream: AsyncIterable<GoogleReply>): Promise<{ parts: Part[]; last: GoogleReply }> {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { parts: chunks.flatMap((chunk) => chunk.candidates[0]?.content.parts ?? []), last: chunks.at(-1)! };
}

function textOf(parts: Part[], thought: boolean): string {
  return parts
    .filter((part) => (part.thought ?? false) === thought)
    .map((part) => part.text ?? '')
    .join('');
}

function expectReply(parts: Part[], last: GoogleReply): void {
  expect(textOf(parts, true)).toBe('Hm 🤔');
  expect(textOf(parts, false)).toBe('Both, then — é.');
  const calls = parts.filter((part) => part.functionCall);
  expect(calls).toMatchObject([
    { functionCall: { id: 'call_a', name: 'read', args: { path: 'ä.txt', lines: [1, 2] } } },
    { functionCall: { id: 'call_b', name: 'list', args: {} } },
  ]);
  expect(calls.map((part) => typeof part.thoughtSignature)).toEqual(['string', 'undefined']);
  expect(last.candidates[0]?.finishReason).toBe('STOP');
  expect(last.usageMetadata).toMatchObject({
    promptTokenCount: 40,
    cachedContentTokenCount: 30,
    candidatesTokenCount: 15,
    thoughtsTokenCount: 5,
    totalTokenCount: 60,
  });
}

it.each(['whole', 'chars', 'awkward'] as const)('the SDK reads a stream sent %s', async (split) => {
  await using server = await createMockModelServer([{ ...TURN, split }]);
  const { models } = await client(server);
  const { parts, last } = await read(await models.generateContentStream(OPTIONS));
  expectReply(parts, last);
});

it('goes on from a whole reply, and is refused without its signature', async () => {
  await using server = await createMockModelServer([TURN, { text: 'Done.' }]);
  const { models } = await client(server);
  const reply = await models.generateContent(OPTIONS);
  const parts = reply.candidates[0]!.content.parts!;
  expectReply(parts, reply);
  const results = ['read', 'list'].map((name, index) => ({
    functionResponse: { id: index === 0 ? 'call_a' : 'call_b', name, response: { output: `${name} ok` } },
  }));
  const contents = (model: Part[]) => [
    { role: 'user', parts: [{ text: 'Hello' }] },
    { role: 'model', parts: model },
    { role: 'user', parts: results },
  ];
  const unsigned = parts.map(({ thoughtSignature: _unused, ...part }) => part);
  await expect(models.generateContent({ ...OPTIONS, contents: contents(unsigned) })).rejects.toThrow(
    'Function call is missing a thought_signature',
  );
  expect(await models.generateContent({ ...OPTIONS, contents: contents(parts) })).toMatchObject({
    candidates: [{ content: { parts: [{ text: 'Done.' }, { text: '', thoughtSignature: expect.any(String) }] } }],
  });
  const { request } = server.modelCalls().at(-1)!;
  expect(request).toMatchObject({ system: 'Be brief.', lastUserText: 'Hello', assistantCount: 1, stream: false });
  expect(request!.lastToolResults.map((result) => result.text)).toEqual(['read ok', 'list ok']);
});

it('knows the kinds of errors, before a reply and in its middle', async () => {
  await using server = await createMockModelServer({
    turns: [
      { error: { status: 429 } },
      { text: 'never whole', split: 'chars', error: { status: 503, afterEvents: 2 } },
    ],
    apiKey: 'mock-key',
  });
  const { models } = await client(server);
  await expect(models.generateContent(OPTIONS)).rejects.toMatchObject({ status: 429 });
  const stream = await models.generateContentStream(OPTIONS);
  await expect(read(stream)).rejects.toThrow('overloaded');
  const stranger = await client(server, 'another-key');
  await expect(stranger.models.generateContent(OPTIONS)).rejects.toThrow('API key not valid');
  await expect(models.generateContent({ ...OPTIONS, contents: [{ role: 'user', parts: [] }] })).rejects.toThrow(
    'contents.parts must not be empty',
  );
});

it('lists models, looks one up, counts, takes images', async () => {
  const list = Array.from({ length: 60 }, (_, index) => ({ id: `gemini-${index}`, contextWindow: 1000 + index }));
  await using server = await createMockModelServer({ turns: [{ text: 'A dot.' }], models: list });
  const { models } = await client(server);
  const found = [];
  for await (const model of await models.list()) found.push(model);
  expect(found).toHaveLength(60);
  expect(found[59]).toMatchObject({ name: 'models/gemini-59', inputTokenLimit: 1059 });
  expect(await models.get({ model: 'gemini-7' })).toMatchObject({ name: 'models/gemini-7' });
  await expect(models.get({ model: 'other' })).rejects.toMatchObject({ status: 404 });
  expect(await models.countTokens({ model: 'gemini-7', contents: 'Hello' })).toMatchObject({
    totalTokens: expect.any(Number),
  });
  const data = 'iVBORw0KGgo=';
  const parts = [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data } }];
  await models.generateContent({ ...OPTIONS, contents: [{ role: 'user', parts }] });
  expect(server.modelCalls()[0]!.request!.messages[0]!.images).toEqual([
    { mediaType: 'image/png', data: Buffer.from(data, 'base64') },
  ]);
});
