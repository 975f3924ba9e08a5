import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMockModelServer, createTempWorkspace, type ScriptModel } from '@black-ide/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shippedInfo, shippedModels } from './catalogue.ts';
import { EVERY_WIRE, everyWire } from './fixtures/every-wire.ts';
import { ProviderRegistry } from './provider-registry.ts';

const MODELS: ScriptModel[] = [
  { id: 'gpt-5', name: 'GPT-5' },
  { id: 'new-model', name: 'New', contextWindow: 64_000 },
];

async function begin(models: ScriptModel[] = MODELS) {
  const home = await createTempWorkspace({});
  const server = await createMockModelServer({ turns: [], models }, { apiKey: 'right' });
  let time = 0;
  const open = (key = 'right') => {
    const registry = new ProviderRegistry(everyWire(server, home.path, key), { home: home.path, now: () => time });
    onTestFinished(() => registry.dispose());
    return registry;
  };
  onTestFinished(() => server.close().then(() => home[Symbol.asyncDispose]()));
  return { open, server, home, wait: (ms: number) => (time += ms) };
}

/** A server that answers every request in its own way. */
async function odd(answer: (end: (status: number, body: string) => void) => void): Promise<string> {
  const server = createServer((_request, response) => answer((status, body) => response.writeHead(status).end(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('lists of models', () => {
  it.each(EVERY_WIRE)('IDE-26 come live from $name', async ({ model }) => {
    const { open } = await begin();
    const provider = model.slice(0, model.indexOf('/'));
    const list = await open().models(provider);
    expect(list).toMatchObject({ provider, source: 'live' });
    expect(list.models.map(({ id }) => id.replace(':latest', ''))).toEqual(['gpt-5', 'new-model']);
  });

  it('IDE-26 are what a person chooses from: the catalogue, and what servers of their own tell', async () => {
    const { open } = await begin();
    const choices = await open().choices();
    expect(choices).toEqual(
      expect.arrayContaining(['mine/new-model', 'responses/gpt-5', 'anthropic/claude-sonnet-5-5']),
    );
    expect(choices.some((name) => name.startsWith('ollama/new-model'))).toBe(true);
  });

  it('IDE-26 are kept for a day, and asked for anew with refresh or for another address', async () => {
    const { open, server, wait } = await begin();
    const asked = () => server.requests.length;
    expect((await open().models('openai')).source).toBe('live');
    expect((await open().models('openai')).source).toBe('kept');
    expect(asked()).toBe(1);
    expect((await open().models('openai', { refresh: true })).source).toBe('live');
    wait(25 * 3600 * 1000);
    expect((await open().models('openai')).source).toBe('live');
    expect(asked()).toBe(3);
  });

  it('IDE-26 fall back to the last list, then to what is shipped, and say why', async () => {
    const { open } = await begin();
    const wrong = open('wrong');
    const shipped = await wrong.models('anthropic');
    expect(shipped).toMatchObject({ source: 'catalogue', problem: { message: expect.stringContaining('401') } });
    expect(shipped.models.find(({ id }) => id === 'claude-sonnet-4-5')?.info).toMatchObject({
      contextWindow: 200_000,
      images: true,
      prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    });
    await open().models('anthropic');
    expect(await wrong.models('anthropic', { refresh: true })).toMatchObject({ source: 'kept', models: [{}, {}] });
    const none = await new ProviderRegistry({}).models('anthropic');
    expect(none).toMatchObject({ source: 'catalogue', problem: { code: 'missing_key' } });
  });

  it.each([
    ['no JSON', 200, '<html>'],
    ['no list', 200, '{"data": 7}'],
    ['a page of an error', 502, 'Bad Gateway'],
  ])('IDE-26 survive %s', async (_name, status, body) => {
    const OPENAI_BASE_URL = await odd((end) => end(status, body));
    const registry = new ProviderRegistry({ OPENAI_BASE_URL });
    onTestFinished(() => registry.dispose());
    expect(await registry.models('openai')).toMatchObject({ source: 'catalogue', problem: { code: 'no_list' } });
  });

  it('IDE-26 survive a server that is not there, odd items, and one that never answers when the person leaves', async () => {
    const gone = await new ProviderRegistry({ OLLAMA_HOST: '127.0.0.1:9' }).models('ollama');
    expect(gone).toMatchObject({ source: 'catalogue', models: [], problem: { code: 'no_list' } });
    const items = [
      null,
      7,
      {},
      { id: '' },
      { id: 'a', context_length: -5 },
      { id: 'a' },
      { id: 'b', pricing: { prompt: '-1' } },
    ];
    const address = await odd((end) => end(200, JSON.stringify({ data: items })));
    const registry = new ProviderRegistry({ OPENAI_BASE_URL: address });
    expect((await registry.models('openai')).models).toEqual([
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
    ]);
    const leave = new AbortController();
    const silent = new ProviderRegistry({ OPENAI_BASE_URL: await odd(() => leave.abort()) });
    expect(await silent.models('openai', { signal: leave.signal })).toMatchObject({ source: 'catalogue' });
  });

  it('IDE-26 tell the context of a model that is not in the catalogue', async () => {
    const { open } = await begin();
    const info = async () => (await open().resolve('google/new-model')).info.contextWindow;
    expect(await info()).toBe(128_000);
    await open().models('google');
    expect(await info()).toBe(64_000);
  });
});

describe('the shipped catalogue', () => {
  it.each(['anthropic', 'openai', 'google', 'openrouter'])('IDE-26 has sane numbers for %s', (provider) => {
    const models = shippedModels(provider);
    expect(models.length).toBeGreaterThan(10);
    for (const { id, info } of models) {
      expect(info.contextWindow, id).toBeGreaterThan(1_000);
      expect(info.maxOutput, id).toBeGreaterThan(0);
      if (info.prices) expect(info.prices.output, id).toBeGreaterThanOrEqual(0);
    }
  });

  it('IDE-26 knows the usual models, a model at a date, another offer without its price; and invents none', () => {
    const registry = new ProviderRegistry({});
    for (const provider of ['anthropic', 'openai', 'google', 'openrouter']) {
      expect(shippedInfo(...registry.parse(provider))?.contextWindow, provider).toBeGreaterThan(100_000);
    }
    expect(shippedInfo('anthropic', 'claude-opus-4-6-20270101')).toEqual(shippedInfo('anthropic', 'claude-opus-4-6'));
    const nitro = shippedInfo('openrouter', 'openai/gpt-5:nitro');
    expect(nitro?.contextWindow).toBe(400_000);
    expect(nitro?.prices).toBeUndefined();
    expect(shippedInfo('anthropic', 'constructor')).toBeUndefined();
    expect(shippedInfo('mine', 'gpt-5')).toBeUndefined();
    expect(shippedInfo('openrouter', 'openrouter/auto')?.prices).toBeUndefined();
  });
});
