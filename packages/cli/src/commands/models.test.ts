import type { ProviderModels } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack, type TestWorldOptions } from '../testing/test-world.ts';

const LIST: ProviderModels = {
  provider: 'anthropic',
  source: 'catalogue',
  problem: { code: 'no_list', message: 'anthropic gave no list of its models: it answered 401.' },
  models: [
    {
      id: 'claude-x',
      name: 'Claude X',
      info: {
        contextWindow: 1_000_000,
        maxOutput: 128_000,
        images: true,
        thinking: true,
        prices: { input: 2, output: 10.5 },
      },
    },
    { id: 'no\u001b[31mbody-knows', name: 'n' },
  ],
};

const black = (args: string[], providers: ProviderModels[], options: TestWorldOptions = {}) =>
  runBlack(args, { engine: new FakeEngine({ listModels: () => ({ providers }) }), ...options });

describe('black models', () => {
  it('IDE-26 lists names with what is known, and says on stderr where the list is from', async () => {
    const { code, out, err, world } = await black(['models', '--provider', 'anthropic', '--refresh'], [LIST]);
    expect(code).toBe(0);
    const facts = '1M context · 128k answer · images · thinking · $2 in, $10.5 out a million';
    expect(out.split('\n')[0]).toMatch(/^anthropic\/claude-x +1M context/);
    expect(out).toContain(facts);
    expect(out).not.toContain('\u001b');
    expect(err).toBe('black: anthropic gave no list of its models: it answered 401. This is what came with black.\n');
    expect(world.engine.commands).toEqual([{ type: 'listModels', provider: 'anthropic', refresh: true }]);
  });

  it('IDE-26 prints JSON, fits a narrow terminal, and says when there is nothing', async () => {
    expect(JSON.parse((await black(['models', '--json'], [LIST])).out)).toEqual([LIST]);
    const narrow = await black(['models'], [LIST], { terminal: true, columns: 30 });
    for (const line of narrow.out.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
    const none = await black(['models'], []);
    expect(none).toMatchObject({ code: 1, out: '', err: expect.stringContaining('black auth set') });
  });

  it('IDE-27 a run takes how much to think', async () => {
    const { world } = await runBlack(['-p', '--thinking', 'high', 'hi'], { engine: FakeEngine.answering('x') });
    expect(world.engine.commands).toContainEqual(expect.objectContaining({ type: 'startAgentTask', thinking: 'high' }));
    expect(await runBlack(['-p', '--thinking', 'hihg', 'hi'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean --thinking high?'),
    });
  });
});
