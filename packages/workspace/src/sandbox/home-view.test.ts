import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';
import { cachesOfEnvironment, homeView, withoutSecrets } from './home-view.ts';

const { here, put } = useSandbox();
const at = (path: string): string => join(here.home, path);

function view(env: Record<string, string> = {}): Record<string, string> {
  const rules = homeView({ home: here.home, env, privateHome: '/private' });
  return Object.fromEntries(rules.map(({ path, access }) => [path.slice(here.home.length + 1), access]));
}

describe('homeView', () => {
  it('IDE-65 shows programs and ordinary folders, writes to caches, and nothing else', () => {
    for (const path of [
      '.ssh/id',
      '.cargo/bin/cargo',
      '.cargo/registry/x',
      '.cargo/credentials.toml',
      'go/pkg/x',
      'go/src/y',
    ])
      put(`me/${path}`);
    for (const path of [
      '.m2/repository/x',
      '.cache/pip/x',
      '.cache/browser/x',
      '.config/gh/hosts.yml',
      'projects/a',
      'me.pem',
      '.unknown/x',
    ])
      put(`me/${path}`);
    expect(view()).toEqual({
      '': 'private',
      go: 'read',
      projects: 'read',
      '.cargo/bin': 'read',
      '.cargo/registry': 'write',
      'go/pkg': 'write',
      '.m2/repository': 'write',
      '.cache/pip': 'write',
    });
  });

  it('IDE-65 finds programs that the PATH names, but takes no secret place and no whole home for one', () => {
    for (const path of ['.tool/bin/x', '.tool/lib/y', '.ssh/x', '.local/x', '.odd/x']) put(`me/${path}`);
    const PATH = [at('.tool/bin'), at('.ssh'), here.home, at('.local'), at('.odd'), '/usr/bin', 'rel', at('bin')].join(
      ':',
    );
    expect(Object.keys(view({ PATH })).sort()).toEqual(['', '.odd', '.tool']);
  });

  it('IDE-65 takes caches from the environment where they are no wider than that', () => {
    const cache = put('caches/pip/file').replace('/file', '');
    put('cargo/registry/x');
    const env = {
      PIP_CACHE_DIR: cache,
      CARGO_HOME: join(here.base, 'cargo'),
      UV_CACHE_DIR: '/',
      GOCACHE: here.base,
      GOPATH: 'rel',
    };
    const paths = cachesOfEnvironment(env, [here.root]).map(({ path }) => path);
    expect(paths).toEqual([cache, join(here.base, 'cargo/registry')]);
  });

  it('IDE-65 a home that cannot be read is empty', () => {
    chmodSync(here.home, 0o000);
    expect(view()[''] ?? '').toBe('private');
    chmodSync(here.home, 0o700);
  });
});

describe('withoutSecrets', () => {
  it('IDE-65 leaves what tools need and takes what people hide', () => {
    const text = [
      'registry=https://npm.example/',
      '//npm.example/:_authToken=abc',
      '_password=abc',
      '[url "https://me:abc@host/"]',
      'index-url = https://pypi.example/simple',
      'extra-index-url = https://u:p@pypi.example/simple',
      'helper = store',
      '  <password>abc</password>',
      'name = Me',
    ];
    expect(withoutSecrets(text.join('\n'))).toBe([text[0], text[4], text[8]].join('\n'));
  });
});
