import type { ThinkingLevel } from '@black-ide/protocol';
import {
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  type TempWorkspace,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyWire } from './fixtures/every-wire.ts';
import { ProviderRegistry } from './provider-registry.ts';
import { streamTurn } from './stream-turn.ts';
import { type TurnWishes, turnOptions } from './thinking.ts';
import { PromptConverter } from './to-prompt.ts';

let home: TempWorkspace;
let server: MockModelServer;
let providers: ProviderRegistry;

beforeEach(async () => {
  home = await createTempWorkspace({});
  server = await createMockModelServer({ turns: [], fallback: { text: 'ok' } });
  providers = new ProviderRegistry(everyWire(server, home.path), { home: home.path });
});

afterEach(async () => {
  providers.dispose();
  await server.close();
  await home[Symbol.asyncDispose]();
});

/** The body of one request. */
async function sent(name: string, wishes: TurnWishes = {}): Promise<Record<string, unknown>> {
  const model = await providers.resolve(name);
  const user = { role: 'user', content: 'hi', timestamp: 0 } as const;
  const prompt = new PromptConverter(model).convert('You are a test.', [user]);
  const signal = new AbortController().signal;
  const outcome = await streamTurn(
    model,
    { prompt, abortSignal: signal, maxOutputTokens: 20_000, ...turnOptions(model, wishes) },
    { onText: () => undefined, onThinking: () => undefined },
    () => 0,
  );
  if (!outcome.ok) throw new Error(outcome.failure.error.message);
  return server.modelCalls().at(-1)?.body as Record<string, unknown>;
}

const LEVELS: ThinkingLevel[] = ['off', 'low', 'medium', 'high'];

/** What the body says of thinking at each level, and where nothing is asked for. */
async function levels(name: string, field: (body: Record<string, unknown>) => unknown): Promise<unknown[]> {
  const said: unknown[] = [];
  for (const thinking of [undefined, ...LEVELS]) {
    said.push(field(await sent(name, thinking ? { thinking } : {})) ?? null);
  }
  return said;
}

describe('how much to think', () => {
  it('IDE-25 is a budget or an effort for Anthropic', async () => {
    const old = await levels('anthropic/claude-sonnet-4-5', (body) => body.thinking);
    expect(old.slice(0, 2)).toEqual([null, { type: 'disabled' }]);
    const budgets = old.slice(2).map((thinking) => (thinking as { budget_tokens: number }).budget_tokens);
    expect(budgets.toSorted((a, b) => a - b)).toEqual(budgets);
    expect(new Set(budgets).size).toBe(3);
    const effort = await levels(
      'anthropic/claude-opus-4-6',
      (body) => (body.output_config as { effort?: string })?.effort,
    );
    expect(effort).toEqual([null, null, 'low', 'medium', 'high']);
  });

  it('IDE-25 is an effort for OpenAI, OpenRouter and compatible servers', async () => {
    const reasoning = (body: Record<string, unknown>) => (body.reasoning as { effort?: string })?.effort;
    expect(await levels('responses/gpt-5.4', reasoning)).toEqual([null, 'none', 'low', 'medium', 'high']);
    expect(await levels('responses/gpt-4.1', (body) => body.reasoning)).toEqual([null, null, null, null, null]);
    expect(await levels('openrouter/anthropic/claude-sonnet-5.5', (body) => body.reasoning)).toEqual([
      null,
      { enabled: false },
      { effort: 'low' },
      { effort: 'medium' },
      { effort: 'high' },
    ]);
    const effort = (body: Record<string, unknown>) => body.reasoning_effort;
    expect(await levels('mine/local', effort)).toEqual([null, 'none', 'low', 'medium', 'high']);
    expect(await levels('ollama/qwen3', effort)).toEqual([null, 'none', 'low', 'medium', 'high']);
  });

  it('IDE-25 is a level or a budget for Google, with the thoughts shown', async () => {
    const config = (body: Record<string, unknown>) =>
      (body.generationConfig as { thinkingConfig?: { thinkingLevel?: string; includeThoughts?: boolean } })
        ?.thinkingConfig;
    const said = await levels('google/gemini-3.5-flash', config);
    expect(said[0]).toBeNull();
    expect(said.slice(2)).toMatchObject(
      ['low', 'medium', 'high'].map((thinkingLevel) => ({ thinkingLevel, includeThoughts: true })),
    );
    expect(await levels('google/gemini-2.5-flash', config)).toMatchObject([
      null,
      { thinkingBudget: 0 },
      { thinkingBudget: expect.any(Number), includeThoughts: true },
      {},
      {},
    ]);
  });
});

describe('caching', () => {
  it('IDE-25 is asked for on Anthropic’s wire behind system and tools, and behind the newest message', async () => {
    const body = await sent('anthropic/claude-sonnet-4-5');
    expect(body.cache_control).toEqual({ type: 'ephemeral' });
    expect(body.system).toEqual([{ type: 'text', text: 'You are a test.', cache_control: { type: 'ephemeral' } }]);
    expect(JSON.stringify(body.messages)).not.toContain('cache_control');
    const openrouter = await sent('openrouter/anthropic/claude-sonnet-5.5');
    expect(openrouter.cache_control).toEqual({ type: 'ephemeral' });
    expect(await sent('openrouter/openai/gpt-5')).not.toHaveProperty('cache_control');
  });

  it('IDE-25 finds its way by the session on OpenAI’s, and nothing is kept there', async () => {
    const body = await sent('responses/gpt-5', { cacheKey: 'session-1' });
    expect(body).toMatchObject({
      prompt_cache_key: 'session-1',
      store: false,
      include: ['reasoning.encrypted_content'],
    });
  });
});
