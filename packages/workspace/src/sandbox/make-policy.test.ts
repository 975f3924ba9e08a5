import { accessSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';
import { makePolicy, type PolicyFacts } from './make-policy.ts';
import { orderedRules } from './sandbox-policy.ts';

const { here, put } = useSandbox();

function policy(more: Partial<PolicyFacts> = {}): Map<string, string> {
  const facts: PolicyFacts = {
    root: here.root,
    home: here.home,
    stateHome: here.stateHome,
    env: { HOME: here.home },
    folders: { temporary: '/p/tmp', home: '/p/home', filtered: new Map() },
    workspace: [{ access: 'write', path: more.root ?? here.root }],
    mask: [],
    readable: [],
    programs: [],
    ...more,
  };
  return new Map(orderedRules(makePolicy(facts)).map(({ path, access }) => [path, access]));
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder);
    return true;
  } catch {
    // Not there, or not for us.
    return false;
  }
}

describe('makePolicy', () => {
  it('IDE-65 the workspace stays writable wherever it lies: right in the home, in a temporary or a hidden folder', () => {
    for (const root of [join(here.home, 'app'), join(here.base, 'tmp/app'), join(here.stateHome, 'worktrees/a')]) {
      mkdirSync(root, { recursive: true });
      expect(policy({ root, env: { HOME: here.home, PATH: `${root}/bin` } }).get(root)).toBe('write');
    }
  });

  it('IDE-65 a cache stays writable that the environment puts right in the home', () => {
    put('me/pip-cache/file');
    const env = { HOME: here.home, PIP_CACHE_DIR: join(here.home, 'pip-cache') };
    expect(policy({ env }).get(join(here.home, 'pip-cache'))).toBe('write');
  });

  it('IDE-65 hides the state home, other homes and what is masked, by any name', () => {
    put('me/vault/key');
    symlinkSync(join(here.home, 'vault'), join(here.base, 'alias'));
    const rules = policy({ mask: [join(here.base, 'alias')] });
    expect(rules.get(here.stateHome)).toBe('none');
    expect(rules.get(realpathSync(join(here.home, 'vault')))).toBe('none');
    expect(rules.get('/root')).toBe('none');
    expect(rules.get('/etc/shadow')).toBe('none');
  });

  it('IDE-65 a home that is the state home itself is a private one with nothing in it', () => {
    put('state/projects/x');
    const rules = policy({ home: here.stateHome, env: { HOME: here.stateHome } });
    expect(rules.get(here.stateHome)).toBe('private');
    expect([...rules.keys()].filter((path) => dirname(path) === here.stateHome)).toEqual([]);
  });

  it('IDE-65 shows programs of the PATH that lie in another home, and nothing beside them that is secret', () => {
    const bin = '/root/.cargo/bin';
    const rules = policy({ env: { HOME: here.home, PATH: `/usr/bin:${bin}:/root:/root/.ssh/bin:/root/.local/bin` } });
    expect(rules.get('/root')).toBe('none');
    expect(rules.get('/root/.cargo')).toBeUndefined();
    // Where there is one, and it is not for its owner alone.
    expect([isReadable(bin) ? 'read' : undefined]).toContain(rules.get(bin));
    expect(rules.get('/root/.ssh/bin')).toBeUndefined();
  });

  it('IDE-65 shows programs of the PATH, and its own, that lie in a temporary folder', () => {
    const tools = realpathSync(mkdtempSync('/tmp/black-tools-'));
    try {
      for (const path of ['a/bin', 'b/bin', 'secret']) mkdirSync(join(tools, path), { recursive: true });
      const rules = policy({
        env: { HOME: here.home, PATH: `${tools}/a/bin:/tmp` },
        programs: [`${tools}/b/bin/node`],
      });
      const shown = [...rules].filter(([path]) => path.startsWith(tools));
      expect(Object.fromEntries(shown)).toEqual({ [`${tools}/a`]: 'read', [`${tools}/b`]: 'read' });
      expect(rules.get('/tmp')).toBe('private');
    } finally {
      rmSync(tools, { recursive: true });
    }
  });
});
