import { expect, it } from 'vitest';
import { createMockModelServer } from '../mock-model-server.ts';

async function post(url: string, body: unknown, key?: string): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

it('answers embeddings in the shapes of OpenAI and Ollama', async () => {
  await using server = await createMockModelServer({ turns: [], embeddings: { width: 3 } });
  const openai = await post(`${server.openaiUrl}/embeddings`, { model: 'm', input: ['a b', 'b a'] }, 'any');
  const vector = [expect.any(Number), expect.any(Number), expect.any(Number)];
  expect(openai).toEqual({
    status: 200,
    body: {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: vector },
        { object: 'embedding', index: 1, embedding: vector },
      ],
      model: 'm',
      usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    },
  });
  const ollama = await post(`${server.ollamaUrl}/api/embed`, { model: 'm', input: 'a b' });
  expect(ollama).toMatchObject({ status: 200, body: { model: 'm', embeddings: [vector] } });
  const bytes = await post(
    `${server.openaiUrl}/embeddings`,
    { model: 'm', input: 'a', encoding_format: 'base64', dimensions: 5 },
    'any',
  );
  const [{ embedding }] = (bytes.body as { data: [{ embedding: string }] }).data;
  expect(Buffer.from(embedding, 'base64')).toHaveLength(20);
});

it('refuses embeddings as the real servers do', async () => {
  await using server = await createMockModelServer({ turns: [], embeddings: { maxLength: 5 }, apiKey: 'right' });
  const openai = `${server.openaiUrl}/embeddings`;
  const refusals: [body: unknown, status: number, words: string][] = [
    [{ input: ['a'] }, 400, 'model parameter'],
    [{ model: 'm' }, 400, "'input'"],
    [{ model: 'm', input: [] }, 400, 'empty array'],
    [{ model: 'm', input: ['a', ''] }, 400, "'$.input' is invalid"],
    [{ model: 'm', input: [7] }, 400, 'Invalid type'],
    [{ model: 'm', input: 'longer' }, 400, 'maximum context length is 5'],
    [{ model: 'm', input: 'a', purpose: 'x' }, 400, 'Unrecognized request argument'],
  ];
  for (const [body, status, words] of refusals) {
    const answer = await post(openai, body, 'right');
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
  }
  expect((await post(openai, { model: 'm', input: 'a' }, 'wrong')).status).toBe(401);
  const ollama = `${server.ollamaUrl}/api/embed`;
  expect((await post(ollama, { input: 'a' }, 'right')).body).toEqual({ error: 'model is required' });
  expect((await post(ollama, { model: 'm', input: 'longer' }, 'right')).status).toBe(200);
  const whole = await post(ollama, { model: 'm', input: 'longer', truncate: false }, 'right');
  expect(whole).toEqual({ status: 400, body: { error: 'the input length exceeds the context length' } });
});

it('fails, leaves out and answers oddly as its script says, then answers as usual', async () => {
  const limit = { error: { status: 429, headers: { 'retry-after': '2' } } };
  const answers = [limit, { leaveOut: 1 }, { width: 2 }, { body: { odd: true } }];
  await using server = await createMockModelServer({ turns: [], embeddings: { width: 4, answers } });
  const ask = () => post(`${server.ollamaUrl}/api/embed`, { model: 'm', input: ['a', 'b'] });
  const widths = async () => ((await ask()).body as { embeddings: number[][] }).embeddings.map((each) => each.length);
  expect(await ask()).toEqual({ status: 429, body: { error: 'too many requests' } });
  expect(await widths()).toEqual([4]);
  expect(await widths()).toEqual([2, 2]);
  expect((await ask()).body).toEqual({ odd: true });
  expect(await widths()).toEqual([4, 4]);
});
