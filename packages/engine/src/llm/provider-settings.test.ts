import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ProviderRegistry } from './provider-registry.ts';
import { providerSettings } from './provider-settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const write = (text: string) => writeFileSync(join(home, 'settings.json'), text);

function problem(text: string): string {
  write(text);
  try {
    providerSettings(home);
  } catch (cause) {
    return (cause as Error).message.replace(home, '~');
  }
  return 'accepted';
}

describe('providerSettings', () => {
  it('IDE-25 reads kind, address, headers and the key’s variable; other settings are not its business', () => {
    const mine = { kind: 'anthropic', baseURL: 'https://a/v1', headers: { 'x-a': 'b' }, apiKeyEnv: 'MINE_API_KEY' };
    write(`\uFEFF${JSON.stringify({ theme: 'dark', providers: { mine, openai: { headers: { 'x-org': '1' } } } })}`);
    expect(Object.fromEntries(providerSettings(home))).toEqual({ mine, openai: { headers: { 'x-org': '1' } } });
    expect(providerSettings(join(home, 'none')).size).toBe(0);
    expect(providerSettings(undefined).size).toBe(0);
  });

  it.each([
    ['{\n  "providers": {\n', '~/settings.json:3: this is no JSON: close brace expected.'],
    ['{\n  "a": 1\n "b": 2\n}', '~/settings.json:3: this is no JSON: comma expected.'],
    ['[]', '~/settings.json:1: `settings` must be of type object.'],
    ['{\n"providers": []}', '~/settings.json:2: `providers` must be of type record.'],
    ['{"providers": {\n"x": {}}}', '~/settings.json:2: `x` needs a `baseURL`.'],
    [
      '{"providers": {\n"x": {\n"baseURL": "ftp://x"}}}',
      '~/settings.json:3: `providers.x.baseURL` is no http(s) address.',
    ],
    [
      '{"providers": {\n"x": {\n"baseUrl": "http://x"}}}',
      '~/settings.json:3: `providers.x.baseUrl` is no setting of a provider.',
    ],
    ['{"providers": {\n"X y": {}}}', '~/settings.json:2: `providers.X y` is no id: small letters, digits, . _ -.'],
    ['{"providers": {\n"offline": {}}}', '~/settings.json:2: `offline` is built in and has no settings.'],
    ['{"providers": {\n"antropics": {}}}', '~/settings.json:2: `antropics` is called `anthropic`.'],
    [
      '{"providers": {"x": {"baseURL": "http://x",\n"apiKeyEnv": "MINE"}}}',
      '~/settings.json:2: `providers.x.apiKeyEnv` must be named like a secret, e.g. …_API_KEY.',
    ],
    [
      '{"providers": {"x": {"baseURL": "http://x",\n"headers": {"a\\nb": "c"}}}}',
      '~/settings.json:2: `providers.x.headers.a\nb` is no name of a header.',
    ],
  ])('IDE-25 says where %s is wrong', (text, message) => {
    expect(problem(text)).toBe(message);
  });

  it('IDE-25 stops every model until it is mended, but not the offline one', async () => {
    write('{');
    const providers = new ProviderRegistry({ ANTHROPIC_API_KEY: 'k' }, { home });
    await expect(providers.resolve('anthropic/x')).rejects.toMatchObject({ code: 'bad_settings' });
    expect(() => providers.defaultModel()).toThrow('settings.json:1');
    await expect(providers.resolve('offline')).resolves.toMatchObject({ provider: 'offline' });
    write('{}');
    await expect(providers.resolve('anthropic/x')).resolves.toMatchObject({ provider: 'anthropic' });
  });
});
