import { PassThrough } from 'node:stream';
import type { ProviderSummary } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { main } from '../main.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack, TestWorld, type TestWorldOptions } from '../testing/test-world.ts';

const KEY = 'sk-very-secret-1';

function provider(id: string, more: Partial<ProviderSummary> = {}): ProviderSummary {
  const variables = [`${id.toUpperCase()}_API_KEY`];
  return { id, kind: id, address: `https://${id}.example/v1`, variables, needsKey: true, ...more };
}

const engine = () =>
  new FakeEngine({
    listProviders: () => ({
      providers: [
        provider('anthropic', { key: 'keyring' }),
        provider('openai', { key: 'environment' }),
        provider('ollama', { needsKey: false, variables: [] }),
        provider('mine'),
      ],
    }),
  });

const black = (args: string[], options: TestWorldOptions = {}) => runBlack(args, { engine: engine(), ...options });

/** `black` at a terminal, with what a person types. */
async function typed(args: string[], text: string) {
  const input = Object.assign(new PassThrough(), {
    raw: [] as boolean[],
    setRawMode: (on: boolean) => input.raw.push(on),
  });
  input.write(text);
  const world = new TestWorld({ engine: engine(), input, inputKind: 'terminal', terminal: true });
  const code = await main(args, world);
  return { code, err: world.stderr.text, out: world.stdout.text, keys: world.keys, raw: input.raw };
}

describe('black auth set', () => {
  it('IDE-66 takes the key from standard input and keeps it in the keyring; it is never printed', async () => {
    const { code, out, err, world } = await black(['auth', 'set', 'anthropic'], { input: `${KEY}\nmore\n` });
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'The key for anthropic is stored in the keyring.\n' });
    expect(world.keys).toEqual(new Map([['black-ide-anthropic-key', KEY]]));
    const file = await black(['auth', 'set', 'mine', '--file'], { input: KEY });
    expect(file.err).toBe('The key for mine is stored in a file that only you can read.\n');
    expect(file.world.keys.size).toBe(0);
  });

  it('IDE-66 asks at a terminal without showing what is typed', async () => {
    const { code, out, err, keys, raw } = await typed(['auth', 'set', 'antropics'], `wrong\u0015${KEY}x\u007f\r`);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe('Key for anthropic: \nThe key for anthropic is stored in the keyring.\n');
    expect(keys.get('black-ide-anthropic-key')).toBe(KEY);
    expect(raw).toEqual([true, false]);
  });

  it('IDE-66 gives up at Ctrl+C and keeps nothing', async () => {
    const { code, keys, raw } = await typed(['auth', 'set', 'mine'], 'abc\u0003');
    expect({ code, size: keys.size, raw }).toEqual({ code: 130, size: 0, raw: [true, false] });
  });

  it('IDE-66 says what is wrong: no such provider, no key, one that is none, an argument', async () => {
    const typo = await black(['auth', 'set', 'opnai'], { input: KEY });
    expect(typo).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean black auth set openai?') });
    const unknown = await black(['auth', 'set', 'somewhere'], { input: KEY });
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('settings.json') });
    expect(await black(['auth', 'set', 'mine'], { input: '\n' })).toMatchObject({ code: 2 });
    const odd = await black(['auth', 'set', 'mine'], { input: 'two words' });
    expect(odd).toMatchObject({ code: 1, err: expect.stringContaining('This is no key') });
    expect(odd.err).not.toContain('two words');
    expect(await black(['auth', 'set', 'mine', KEY])).toMatchObject({ code: 2 });
  });

  it('IDE-66 says that a variable comes first', async () => {
    const { err } = await black(['auth', 'set', 'openai'], { input: KEY });
    expect(err).toContain('OPENAI_API_KEY is set and comes first.');
  });
});

describe('black auth list and remove', () => {
  it('IDE-66 list where the keys are, never what they are', async () => {
    const { code, out } = await black(['auth', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^anthropic +in the keyring +https:\/\/anthropic\.example\/v1$/m);
    expect(out).toMatch(/^openai +in the environment \(OPENAI_API_KEY\)/m);
    expect(out).toMatch(/^ollama +needs no key/m);
    expect(out).toMatch(/^mine +no key/m);
    expect(JSON.parse((await black(['auth', 'list', '--json'])).out)).toHaveLength(4);
  });

  it('IDE-66 forget a key, or say that there is none', async () => {
    const world = new TestWorld({ engine: engine(), input: KEY });
    await main(['auth', 'set', 'mine'], world);
    const again = new TestWorld({ engine: engine(), env: { BLACKIDE_HOME: world.home } });
    again.keys.set('black-ide-mine-key', KEY);
    expect(await main(['auth', 'remove', 'mine'], again)).toBe(0);
    expect(again.keys.size).toBe(0);
    expect(await black(['auth', 'remove', 'mine'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no stored key'),
    });
  });
});
