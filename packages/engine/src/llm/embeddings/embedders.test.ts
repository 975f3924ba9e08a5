import { createMockModelServer, createTempWorkspace, FakeClock, type ScriptObject } from '@black-ide/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everyWire } from '../fixtures/every-wire.ts';
import { ProviderRegistry } from '../provider-registry.ts';

type Embeddings = NonNullable<ScriptObject['embeddings']>;

async function begin(embeddings: Embeddings = {}, key = 'right') {
  const home = await createTempWorkspace({});
  const server = await createMockModelServer({ turns: [], embeddings }, { apiKey: 'right' });
  const registry = new ProviderRegistry(everyWire(server, home.path, key), { home: home.path });
  const clock = new FakeClock();
  onTestFinished(async () => {
    registry.dispose();
    await server.close();
    await home[Symbol.asyncDispose]();
  });
  const open = (name: string) => registry.embedder(name, { clock, random: () => 0.5 });
  return { open, server, clock };
}

/** Lets a clock run on until something has ended. */
async function withTime<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let ended = false;
  const done = work.finally(() => {
    ended = true;
  });
  done.catch(() => undefined);
  while (!ended) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advanceToNext();
  }
  return await done;
}

function likeness(x: Float32Array | undefined, y: Float32Array | undefined): number {
  return x!.reduce((sum, value, i) => sum + value * y![i]!, 0);
}

const PROVIDERS = [
  { name: 'openai', wire: 'OpenAI', path: '/v1/embeddings' },
  { name: 'ollama', wire: 'Ollama', path: '/ollama/api/embed' },
];

describe.each(PROVIDERS)('embeddings by $wire', ({ name, path }) => {
  it('INT-9 come one a text, in their order, with the key and the usual model', async () => {
    const { open, server } = await begin();
    const embedder = await open(name);
    const texts = ['open the file', 'draw a circle', 'file to open'];
    const [file, circle, again] = await embedder.embed(texts, 'document');
    expect(file).toHaveLength(32);
    expect(likeness(file, again)).toBeGreaterThan(likeness(file, circle));
    const [{ body, headers, path: asked }] = server.requests as [(typeof server.requests)[number]];
    expect(asked).toBe(path);
    expect(headers.authorization).toBe('Bearer right');
    expect(body).toMatchObject({ input: texts.map((text) => expect.stringContaining(text)) });
    expect(embedder.id).toBe(`${name}/${(body as { model: string }).model}`);
  });

  it('INT-9 wait as a server asks that limits the rate, then go on', async () => {
    const limit = { error: { status: 429, headers: { 'retry-after': '7' } } };
    const { open, server, clock } = await begin({ answers: [limit, { error: { status: 503 } }] });
    const embedder = await open(name);
    expect(await withTime(clock, embedder.embed(['one'], 'document'))).toEqual([expect.any(Float32Array)]);
    expect(server.requests).toHaveLength(3);
    expect(clock.sleeps[0]).toBe(7_000);
  });

  it('INT-9 say what is wrong when a server goes on failing, refuses the key, or answers something else', async () => {
    const failing = await begin({ answers: Array.from({ length: 9 }, () => ({ error: { status: 500 } })) });
    const asleep = withTime(failing.clock, (await failing.open(name)).embed(['one'], 'document'));
    await expect(asleep).rejects.toMatchObject({ code: 'server_error' });
    expect(failing.server.requests.length).toBeLessThan(9);
    const wrong = await begin({}, 'wrong');
    await expect((await wrong.open(name)).embed(['one'], 'query')).rejects.toMatchObject({ code: 'auth' });
    const odd = await begin({ answers: [{ body: '<html>' }, { body: { data: 7, embeddings: 7 } }] });
    for (const _ of [1, 2]) {
      await expect((await odd.open(name)).embed(['one'], 'query')).rejects.toMatchObject({ code: 'unreadable_answer' });
    }
  });

  it('INT-9 leave a text without a vector where the answer has none, or one of another width', async () => {
    const data = [[1, 2], [1, 2, 3], [], ['x'], [2, 1]];
    const body = { data: data.map((embedding, index) => ({ index, embedding })), embeddings: data };
    const { open } = await begin({ answers: [{ body }] });
    const vectors = await (await open(name)).embed(['a', 'b', 'c', 'd', 'e'], 'document');
    expect(vectors.map((vector) => vector?.length)).toEqual([2, undefined, undefined, undefined, 2]);
  });

  it('INT-9 are given up when they are cancelled, in the request and while waiting', async () => {
    const limit = { error: { status: 429, headers: { 'retry-after': '60' } } };
    const { open, server, clock } = await begin({ answers: [{ hang: true }, limit] });
    const embedder = await open(name);
    for (const until of [() => server.reached('hang'), () => clock.waitForSleepers(1)]) {
      const cancel = new AbortController();
      const asked = embedder.embed(['one'], 'document', cancel.signal);
      asked.catch(() => undefined);
      await until();
      cancel.abort(new Error('enough'));
      await expect(asked).rejects.toThrow('enough');
    }
  });
});

describe('embeddings', () => {
  it('INT-9 cost no other text its vector when one is too long', async () => {
    const { open, server } = await begin({ maxLength: 40 });
    const texts = Array.from({ length: 16 }, (_, i) => (i === 5 ? 'long '.repeat(20) : `text ${i}`));
    const vectors = await (await open('openai')).embed(texts, 'document');
    expect(vectors.map((vector) => vector !== undefined)).toEqual(texts.map((_, i) => i !== 5));
    expect(server.requests.length).toBeLessThan(10);
  });

  it('INT-9 are not asked for one by one when it is not the texts that are refused', async () => {
    const { open, server } = await begin({ maxLength: 2 });
    const texts = Array.from({ length: 64 }, (_, i) => `text ${i}`);
    await expect((await open('openai')).embed(texts, 'document')).rejects.toMatchObject({ code: 'context_overflow' });
    expect(server.requests.length).toBeLessThan(20);
  });

  it('INT-9 belong to the texts that a server names, in any order, and to none it leaves out', async () => {
    const data = [
      { index: 2, embedding: [3, 0] },
      { index: 0, embedding: [1, 0] },
      { index: 9, embedding: [9, 9] },
    ];
    const { open } = await begin({ answers: [{ body: { data } }, { leaveOut: 1 }] });
    const [first, second, third] = await (await open('openai')).embed(['a', 'b', 'c'], 'document');
    expect([first?.[0], second, third?.[0]]).toEqual([1, undefined, 3]);
    expect(await (await open('openai')).embed(['a', 'b'], 'document')).toEqual([expect.anything(), undefined]);
  });

  it('INT-9 of Ollama belong to nobody when their number is another', async () => {
    const { open } = await begin({ answers: [{ leaveOut: 1 }] });
    expect(await (await open('ollama')).embed(['a', 'b'], 'document')).toEqual([undefined, undefined]);
  });

  it('INT-9 of nomic-embed-text are asked for with the words that it was taught, of others without', async () => {
    const { open, server } = await begin();
    await (await open('ollama')).embed(['find it'], 'query');
    await (await open('ollama/nomic-embed-text:v1.5')).embed(['it'], 'document');
    await (await open('ollama/mxbai-embed-large')).embed(['it'], 'query');
    const inputs = server.requests.map(({ body }) => (body as { input: string[] }).input[0]);
    expect(inputs).toEqual(['search_query: find it', 'search_document: it', 'it']);
  });

  it('INT-9 come also from a server of one’s own, and of large answers nothing is lost', async () => {
    const { open, server } = await begin({ width: 4_096 });
    const embedder = await open('mine/bge-small');
    const vectors = await embedder.embed(
      Array.from({ length: 64 }, (_, i) => `text ${i}`),
      'document',
    );
    expect(vectors.every((vector) => vector?.length === 4_096)).toBe(true);
    expect(server.requests[0]!.headers['x-team']).toBe('blue');
  });

  it('INT-9 are refused with the way on where a provider has none, or no model is named', async () => {
    const { open } = await begin();
    await expect(open('anthropic/claude')).rejects.toMatchObject({ code: 'no_embeddings' });
    await expect(open('mine')).rejects.toMatchObject({ code: 'no_model' });
    await expect(open('nobody/x')).rejects.toMatchObject({ code: 'unknown_provider' });
    const keyless = new ProviderRegistry({}).embedder('openai', { clock: new FakeClock(), random: () => 0 });
    await expect(keyless).rejects.toMatchObject({ code: 'missing_key' });
  });
});
