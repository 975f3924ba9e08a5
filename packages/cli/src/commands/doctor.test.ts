import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../doctor/check.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { runBlack, type TestWorldOptions } from '../testing/test-world.ts';

async function diagnose(options: TestWorldOptions = {}) {
  const env = { PATH: process.env.PATH, ...options.env };
  const { code, out, world } = await runBlack(['doctor', '--json'], { ...options, env });
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
  return { code, ok, out, world, check: (name: string) => checks.find((each) => each.name === name)! };
}

describe('black doctor', () => {
  it('IDE-84 says what works, with 0 when the basics do', async () => {
    const { code, ok, check, world } = await diagnose();
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(check('Node')).toMatchObject({ state: 'ok', detail: expect.stringContaining('24.1.0') });
    expect(check('bash').detail).toMatch(/^GNU bash.*\(\/.*bash\)$/);
    expect(check('ripgrep').detail).toContain('ripgrep');
    expect(check('State folder')).toMatchObject({ state: 'ok', detail: expect.stringContaining(world.home) });
    expect(check('Sessions')).toMatchObject({ state: 'ok', detail: 'none yet' });
    expect(check('Google')).toBeUndefined();
    expect(check('Anthropic')).toMatchObject({
      state: 'warn',
      fix: 'export ANTHROPIC_API_KEY=…, or black auth set anthropic',
    });
    expect(check('Offline provider').state).toBe('ok');
  });

  it('IDE-84 says what does not work and the command that mends it, with 1', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, ok, check } = await diagnose({ env: { BLACKIDE_HOME: join(file, 'x'), PATH: '' }, cwd: undefined });
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    for (const name of ['State folder', 'bash', 'Working folder']) {
      expect(check(name)).toMatchObject({ state: 'fail', fix: expect.any(String) });
    }
    expect(check('git')).toMatchObject({ state: 'warn', fix: expect.stringContaining('install -y git') });
  });

  it('IDE-66 never prints a key or what hides in an address', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'sk-secret-1',
      OPENAI_API_KEY: 'sk-secret-2 ',
      OPENAI_BASE_URL: 'http://user:secret-3@host:8080/v1?key=secret-4',
    };
    const { out, check } = await diagnose({ env });
    expect(out).not.toContain('secret');
    expect(check('Anthropic')).toMatchObject({ state: 'ok', detail: 'ANTHROPIC_API_KEY is set' });
    expect(check('OpenAI')).toMatchObject({ state: 'warn', detail: expect.stringContaining('at http://host:8080/v1') });
    expect((await diagnose({ env: { OPENAI_BASE_URL: 'secret-5' } })).check('OpenAI')).toMatchObject({ state: 'fail' });
  });

  it('IDE-66 tells where a key is stored, and of a damaged list of keys, without the key', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keys.json');
    const keys = { google: { where: 'file', key: 'sk-secret-1' }, openai: { where: 'keyring' } };
    writeFileSync(file, JSON.stringify({ version: 1, keys }));
    const told = await diagnose({ env: { BLACKIDE_HOME: folder } });
    expect(told.check('Google')).toMatchObject({
      state: 'ok',
      detail: 'its key is stored in a file that only you can read',
    });
    expect(told.check('OpenAI')).toMatchObject({ state: 'ok', detail: 'its key is stored in the keyring' });
    writeFileSync(file, '{"sk-secret-2');
    const damaged = await diagnose({ env: { BLACKIDE_HOME: folder } });
    expect(damaged.check('Stored keys')).toMatchObject({
      state: 'fail',
      fix: expect.stringContaining('black auth set'),
    });
    expect(told.out + damaged.out).not.toContain('secret');
  });

  it('§5a runs no program of the project', async () => {
    const cwd = temporaryFolder();
    const bin = join(cwd, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    const proof = join(cwd, 'ran');
    for (const name of ['git', 'bash']) {
      writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${proof}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const { check } = await diagnose({ cwd, env: { PATH: `${bin}:node_modules/.bin:.:${process.env.PATH}` } });
    expect(check('bash').state).toBe('ok');
    expect(check('bash').detail).not.toContain(cwd);
    expect(existsSync(proof)).toBe(false);
  });

  it('IDE-84 tells of sessions that cannot be read', async () => {
    const error = { code: 'unreadable', message: 'The sessions cannot be read.', next: 'chmod u+r x' };
    const { check } = await diagnose({ engine: new FakeEngine({ listSessions: () => ({ ok: false, error }) }) });
    expect(check('Sessions')).toEqual({ name: 'Sessions', state: 'fail', detail: error.message, fix: error.next });
  });

  it('IDE-84 tells which standing rules are read, and what of them is not', async () => {
    const notes = ['@../x.md was not read: it lies outside'];
    const told = (files: object[]) => new FakeEngine({ listRules: () => ({ files }) });
    expect((await diagnose()).check('Standing rules')).toMatchObject({ state: 'ok' });
    const fine = told([{ path: 'AGENTS.md', bytes: 2048, notes: [] }]);
    expect((await diagnose({ engine: fine })).check('Standing rules')).toEqual({
      name: 'Standing rules',
      state: 'ok',
      detail: 'AGENTS.md (2.0 KB)',
    });
    const partly = told([{ path: 'AGENTS.md', bytes: 10, notes }]);
    expect((await diagnose({ engine: partly })).check('Standing rules')).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('@../x.md was not read'),
      fix: "grep -n '@' AGENTS.md",
    });
  });

  it('IDE-65 IDE-84 tells whether commands are contained, and how to mend it', async () => {
    const { check, world } = await diagnose();
    expect(check('sandbox')).toMatchObject({ state: 'ok', detail: expect.stringContaining('bwrap') });
    expect(existsSync(join(world.home, 'sandbox'))).toBe(false);
    const engine = new FakeEngine({ listConfigProblems: () => ({ problems: [], sandbox: 'off' }) });
    const off = await diagnose({ engine });
    expect(off.check('sandbox')).toMatchObject({ state: 'warn', detail: expect.stringContaining('`off`') });
    const planted = join(temporaryFolder(), 'bwrap');
    writeFileSync(planted, '#!/bin/sh\necho "bwrap: no permissions" >&2\nexit 1\n');
    chmodSync(planted, 0o755);
    const broken = await diagnose({ env: { PATH: `${join(planted, '..')}:${process.env.PATH}` } });
    expect(broken.check('sandbox')).toMatchObject({ state: 'warn', detail: expect.stringContaining('no permissions') });
  });

  it('IDE-84 tells whether commands are judged, and whether the terminal speaks UTF-8', async () => {
    const { check } = await diagnose({ terminal: true, env: { LANG: 'en_GB.UTF-8' } });
    expect(check('Shell grammar')).toMatchObject({ state: 'ok' });
    expect(check('Terminal')).toMatchObject({ state: 'ok' });
    const bare = await diagnose({ terminal: true, env: { LC_ALL: 'C', LANG: 'en_GB.UTF-8' } });
    expect(bare.check('Terminal')).toMatchObject({ state: 'warn', fix: 'export LC_ALL=C.UTF-8' });
  });

  it('INT-20 IDE-84 tells which language servers there are, which half of the others is missing, and how to get it', async () => {
    expect((await diagnose()).check('Language servers')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^none/),
    });
    const servers = [
      { title: 'gopls', program: '/usr/bin/gopls', folder: 'api' },
      {
        title: 'Pyright',
        program: 'pyright-langserver',
        folder: '',
        lack: '`x` is not installed: npm install -g pyright',
      },
      { title: 'ESLint', program: 'x', folder: 'web', lack: 'the folder is not trusted: black trust' },
    ];
    const { check } = await diagnose({ engine: new FakeEngine({ listLanguageServers: () => ({ servers }) }) });
    expect(check('Language servers')).toEqual({
      name: 'Language servers',
      state: 'ok',
      detail: 'gopls in api (/usr/bin/gopls)',
    });
    expect(check('Pyright')).toEqual({
      name: 'Pyright',
      state: 'warn',
      detail: '`x` is not installed',
      fix: 'npm install -g pyright',
    });
    expect(check('ESLint')).toMatchObject({ detail: 'the folder is not trusted in web', fix: 'black trust' });
  });

  it('INT-20 IDE-84 tells which debuggers there are, and how to get the others', async () => {
    const folder = temporaryFolder();
    for (const name of ['node', 'bash', 'gdb']) {
      writeFileSync(join(folder, name), '#!/bin/sh\n');
      chmodSync(join(folder, name), 0o755);
    }
    const { check } = await diagnose({ env: { PATH: folder } });
    const { state, detail, fix } = check('Debuggers');
    expect(detail).toContain(`Node.js, JavaScript and TypeScript (our own, over the inspector: ${folder}/node)`);
    expect(detail).toContain('Go: Delve (go install');
    // A GDB that does not speak the protocol is none.
    expect(detail).toContain('compiled programs: lldb-dap (');
    expect({ state, fix }).toEqual({ state: 'warn', fix: expect.stringMatching(/install/) });
  });

  it('IDE-84 speaks to a person, too', async () => {
    const env = { PATH: process.env.PATH, TERM: 'dumb' };
    const { out } = await runBlack(['doctor'], { env, terminal: true, columns: 40 });
    expect(out).toContain('✓ Node: 24.1.0');
    expect(out).toContain(
      '! Anthropic: ANTHROPIC_API_KEY is not set\n    export ANTHROPIC_API_KEY=…, or black auth set anthropic\n',
    );
    expect(out).toContain('Terminal: dumb, 40 columns, no colours');
    expect(out).toMatch(/The basics work\.\n$/);
  });
});
