import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { canonicalProvider } from './canonical-provider.ts';
import { KeyStore } from './key-store.ts';
import type { Keyring } from './keyring.ts';

const KEY = 'sk-very-secret-1';

class MemoryKeyring implements Keyring {
  readonly entries = new Map<string, string>();
  broken: string | undefined;

  async get(account: string): Promise<string | undefined> {
    this.#check();
    return this.entries.get(account);
  }

  async set(account: string, secret: string): Promise<void> {
    this.#check();
    this.entries.set(account, secret);
  }

  async remove(account: string): Promise<void> {
    this.#check();
    this.entries.delete(account);
  }

  #check(): void {
    if (this.broken) throw new Error(this.broken);
  }
}

let home: string;
let path: string;
let keyring: MemoryKeyring;
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'black-test-')), 'home');
  path = join(home, 'keys.json');
  keyring = new MemoryKeyring();
  onTestFinished(() => rmSync(join(home, '..'), { recursive: true, force: true }));
});

const open = () => new KeyStore({ home, keyring });

describe('KeyStore', () => {
  it('IDE-66 keeps a key in the keyring; the file only knows that it is there', async () => {
    expect(await open().set('anthropic', ` ${KEY}\n`)).toBe('keyring');
    expect(keyring.entries).toEqual(new Map([['black-ide-anthropic-key', KEY]]));
    expect(readFileSync(path, 'utf8')).not.toContain(KEY);
    expect(await open().get('anthropic')).toBe(KEY);
    expect(open().list()).toEqual([{ provider: 'anthropic', where: 'keyring' }]);
    expect(await open().remove('anthropic')).toBe(true);
    expect(keyring.entries.size).toBe(0);
    expect(await open().get('anthropic')).toBeUndefined();
    expect(await open().remove('anthropic')).toBe(false);
  });

  it('IDE-66 keeps it in a file for its owner alone where no keyring takes it', async () => {
    keyring.broken = 'No such interface';
    expect(await open().set('openai', KEY)).toBe('file');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(await open().get('openai')).toBe(KEY);
    chmodSync(path, 0o644);
    expect(open().has('openai')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('IDE-66 moves a key from the keyring to the file when asked, and leaves none behind', async () => {
    await open().set('openai', KEY);
    expect(await open().set('openai', KEY, { inFile: true })).toBe('file');
    expect(keyring.entries.size).toBe(0);
    expect(await open().get('openai')).toBe(KEY);
  });

  it('IDE-66 moves a key that is there under a legacy name only', async () => {
    expect(canonicalProvider(' Antropics ')).toBe('anthropic');
    expect(canonicalProvider('constructor')).toBe('constructor');
    await open().set('openai', 'other');
    const keys = { antropics: { where: 'keyring' }, openai: { where: 'keyring' } };
    writeFileSync(path, JSON.stringify({ version: 1, keys }), { mode: 0o600 });
    keyring.entries.set('black-ide-antropics-key', KEY);
    expect(
      open()
        .list()
        .map(({ provider }) => provider),
    ).toEqual(['anthropic', 'openai']);
    expect(await open().get('anthropic')).toBe(KEY);
    expect([...keyring.entries.keys()].sort()).toEqual(['black-ide-anthropic-key', 'black-ide-openai-key']);
    expect(readFileSync(path, 'utf8')).not.toContain('antropics');
  });

  it('IDE-66 a new key wins over one under a legacy name', async () => {
    await open().set('anthropic', KEY, { inFile: true });
    const keys = { anthropic: { where: 'file', key: KEY }, antropics: { where: 'file', key: 'old' } };
    writeFileSync(path, JSON.stringify({ version: 1, keys }), { mode: 0o600 });
    expect(await open().get('antropics')).toBe(KEY);
    expect(readFileSync(path, 'utf8')).not.toContain('old');
  });

  it.each(['', '  ', 'two words', 'a\u0000b', 'schlüssel', 'x'.repeat(9_000)])('IDE-66 refuses %j', async (key) => {
    await expect(open().set('openai', key)).rejects.toMatchObject({ code: 'bad_key' });
    expect(existsSync(path)).toBe(false);
  });

  it('IDE-66 a damaged file is told of without what is in it, and never overwritten', async () => {
    await open().set('openai', KEY, { inFile: true });
    for (const text of [`{"${KEY}`, '[]', `{"version":1,"keys":{"x":{"where":"file","kye":"${KEY}"}}}`]) {
      writeFileSync(path, text);
      const refused = await open()
        .set('google', 'k', { inFile: true })
        .catch((cause: Error) => cause);
      expect(refused).toMatchObject({ code: 'bad_key_file' });
      expect(String(refused)).not.toContain(KEY);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it('IDE-66 a locked keyring is a failure with a way out, not a missing key', async () => {
    await open().set('openai', KEY);
    keyring.broken = 'locked';
    await expect(open().get('openai')).rejects.toMatchObject({
      code: 'keyring_failed',
      next: expect.stringContaining('--file'),
    });
  });
});
