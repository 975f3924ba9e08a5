import { describe, expect, it } from 'vitest';
import { endpointOf } from './endpoint.ts';
import { ProviderRegistry } from './provider-registry.ts';

const at = (provider: string, env: Record<string, string>, setting?: Parameters<typeof endpointOf>[2]) => {
  const { kind, baseURL, needsKey } = endpointOf(provider, env, setting)!;
  return [kind, baseURL, needsKey];
};

describe('endpointOf', () => {
  it('IDE-25 knows each provider’s own address', () => {
    expect(at('anthropic', {})).toEqual(['anthropic', 'https://api.anthropic.com/v1', true]);
    expect(at('openai', {})).toEqual(['openai-responses', 'https://api.openai.com/v1', true]);
    expect(at('google', {})).toEqual(['google', 'https://generativelanguage.googleapis.com/v1beta', true]);
    expect(at('openrouter', {})).toEqual(['openrouter', 'https://openrouter.ai/api/v1', true]);
    expect(at('ollama', {})).toEqual(['ollama', 'http://127.0.0.1:11434/v1', false]);
    expect(endpointOf('mine', {}, undefined)).toBeUndefined();
    expect(endpointOf('constructor', {}, undefined)).toBeUndefined();
  });

  it('IDE-25 takes an address from the environment before the settings, and completes it as its convention has it', () => {
    expect(at('anthropic', { ANTHROPIC_BASE_URL: 'http://a/' })[1]).toBe('http://a/v1');
    expect(at('anthropic', { ANTHROPIC_BASE_URL: 'http://a/x/v1' })[1]).toBe('http://a/x/v1');
    expect(at('google', { GOOGLE_GEMINI_BASE_URL: 'http://g' })[1]).toBe('http://g/v1beta');
    expect(at('openai', { OPENAI_BASE_URL: 'http://o/v1/' })).toEqual(['openai-compatible', 'http://o/v1', false]);
    expect(at('openai', {}, { baseURL: 'http://o/v1', kind: 'openai-responses' })).toEqual([
      'openai-responses',
      'http://o/v1',
      true,
    ]);
    expect(at('openai', { OPENAI_BASE_URL: 'http://env/v1' }, { baseURL: 'http://set/v1' })[1]).toBe('http://env/v1');
    expect(at('mine', {}, { baseURL: 'http://m/v1' })).toEqual(['openai-compatible', 'http://m/v1', false]);
  });

  it.each([
    ['box', 'http://box:11434/v1'],
    ['box:80', 'http://box/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:9999', 'http://127.0.0.1:9999/v1'],
    ['https://ollama.example', 'https://ollama.example/v1'],
    ['http://box:1/', 'http://box:1/v1'],
    ['[::1]:7', 'http://[::1]:7/v1'],
  ])('IDE-25 reads OLLAMA_HOST=%s as Ollama does', (host, baseURL) => {
    expect(at('ollama', { OLLAMA_HOST: host })[1]).toBe(baseURL);
  });

  it('IDE-25 refuses an address that is none', () => {
    expect(() => at('openai', { OPENAI_BASE_URL: 'nonsense' })).toThrow(
      'OPENAI_BASE_URL of openai is no http(s) address',
    );
  });
});

describe('keys', () => {
  const store = (keys: Record<string, string>) => ({
    get: async (id: string) => keys[id],
    has: (id: string) => id in keys,
    list: () => Object.keys(keys).map((provider) => ({ provider, where: 'file' as const })),
  });

  it('IDE-66 come from the environment, then from the key store; white space around them goes', async () => {
    const registry = new ProviderRegistry({ GOOGLE_API_KEY: ' k ' }, { keys: store({ anthropic: 'stored' }) });
    expect(registry.defaultModel()).toMatch(/^google\//);
    expect(new ProviderRegistry({}, { keys: store({ openrouter: 'stored' }) }).defaultModel()).toMatch(/^openrouter\//);
    await expect(registry.resolve('anthropic')).resolves.toMatchObject({ modelId: 'claude-sonnet-5-5' });
    await expect(registry.resolve('antropics/x')).resolves.toMatchObject({ provider: 'anthropic', modelId: 'x' });
    await expect(registry.resolve('openai/x')).rejects.toMatchObject({ code: 'missing_key' });
    await expect(registry.resolve('ollama')).rejects.toMatchObject({ code: 'no_model' });
    expect(registry.summaries().map(({ id, key }) => [id, key])).toEqual([
      ['anthropic', 'file'],
      ['openai', undefined],
      ['google', 'environment'],
      ['openrouter', undefined],
      ['ollama', undefined],
    ]);
  });
});
