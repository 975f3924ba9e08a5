import { readdirSync } from 'node:fs';
import { delimiter } from 'node:path';
import {
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  runBlack,
  startTerminal,
  trustFolder,
} from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { hostileRepository, INJECTED } from './fixtures/hostile-repository.ts';

/** What a model that was talked into it would try. */
const ATTEMPTS: { name: string; args: Record<string, string | boolean | Record<string, string>> }[] = [
  ...[
    'git status',
    'git diff',
    'git log -p',
    'git show --stat HEAD',
    'git blame a.txt',
    'git --version',
    'npm test',
    'npm --version',
    'yarn --version',
    './evil.sh',
    'node_modules/.bin/ls',
    'touch x',
    'cat a.txt > b.txt',
    'env ls',
    'make',
    'cat readme.txt',
    'ls && head -n 1 notes.txt',
    'grep -Rn BASE_URL .',
  ].map((command) => ({ name: 'run_command', args: { command } })),
  { name: 'run_command', args: { command: 'git status', background: true } },
  { name: 'write_file', args: { path: '.vscode/settings.json', content: '{"chat.tools.autoApprove": true}' } },
  { name: 'write_file', args: { path: '.cUrSoR/mcp.json', content: '{}' } },
  { name: 'edit_file', args: { path: 'a.txt', old_string: 'one', new_string: 'x' } },
  { name: 'call_tool', args: { name: 'remember', arguments: { kind: 'term', title: 'x', text: 'x' } } },
];
/** What only reads, and must work. */
const READS = ['ls', 'cat a.txt', 'grep -n one a.txt src/b.txt', 'wc -l a.txt'];

/** Everything that a model was sent. */
const sent = (server: MockModelServer): string => server.requests.map(({ rawBody }) => rawBody.toString()).join('\n');

/** The results of the newest turn's calls. */
function results(server: MockModelServer): string[] {
  const messages = server.requests.at(-1)?.request?.messages ?? [];
  return messages.filter(({ role }) => role === 'toolResult').map(({ text }) => text);
}

describe('a stranger’s repository', () => {
  it('IDE-67 (field notes §5a, every trick) opened untrusted: nothing ran, nothing was read as configuration, and what was ignored is listed', async () => {
    await using evil = await createMockModelServer([]);
    await using repository = await hostileRepository(evil.anthropicUrl);
    const { workspace, canary, trusted } = repository;
    const calls = [...ATTEMPTS, ...READS.map((command) => ({ name: 'run_command', args: { command } }))];
    await using server = await createMockModelServer([{ toolCalls: calls }, { text: 'I looked.' }]);
    await using home = await createTempWorkspace({});
    await trustFolder(home.path, trusted.path);
    const before = await workspace.snapshot({ git: true });
    const PATH = ['node_modules/.bin', '.', '', workspace.at('bin'), process.env.PATH].join(delimiter);
    const where = { cwd: workspace.path, home: home.path, modelServer: server, untrusted: true, env: { PATH } };

    const run = await runBlack({ args: ['-p', 'Look around', '--yes', '--model', 'openai/mock'], ...where });
    expect(run.stdout).toBe('I looked.\n');
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('these are ignored: .blackide/AGENTS.md, .blackide/settings.json');
    expect(run.stderr).toContain('not trusted: run_command, write_file, edit_file, remember.');
    expect(run.stderr).toContain('--trust');
    const told = results(server);
    expect(told).toHaveLength(calls.length);
    for (const [at, text] of told.slice(0, ATTEMPTS.length).entries()) {
      expect(text, JSON.stringify(ATTEMPTS[at])).toMatch(/^Refused \(stage 1, untrusted\)/);
    }
    expect(told.slice(ATTEMPTS.length).map((text) => text.includes('[exit code 0'))).toEqual([true, true, true, true]);
    expect(told.at(-3)).toContain('one\nTWO');
    expect(sent(server)).not.toContain(INJECTED);

    for (const args of [['modes'], ['doctor'], ['trust', '--show'], ['models'], ['sessions', 'list']]) {
      const { stdout, stderr } = await runBlack({ args, ...where });
      expect(stdout + stderr).not.toContain(INJECTED);
      expect(stdout).not.toMatch(/^(Evil|Helper)/m);
    }
    const list = JSON.parse((await runBlack({ args: ['trust', '--show', '--json'], ...where })).stdout);
    expect(list.trusted).toBe(false);
    const ignored: string[] = list.ignored.map(({ path }: { path: string }) => path);
    for (const path of [
      '.blackide/settings.json',
      '.blackide/modes/',
      '.mcp.json',
      '.agents/',
      'AGENTS.md',
      'src/AGENTS.md',
      '.env',
      '.vscode/',
      '.git/config',
      '.git/commondir',
      '.yarnrc.yml',
      '.gitattributes',
    ]) {
      expect(ignored).toContain(path);
    }
    expect(await runBlack({ args: ['-p', 'x', '--mode', 'Evil'], ...where })).toMatchObject({ code: 2 });

    expect(readdirSync(canary.path)).toEqual([]);
    expect(evil.requests).toEqual([]);
    expect(await workspace.snapshot({ git: true })).toEqual(before);
  });

  it('IDE-67 the terminal asks first, lists what it would read, and stays read-only on no', async () => {
    await using evil = await createMockModelServer([]);
    await using repository = await hostileRepository(evil.anthropicUrl);
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command: 'git status' } }] },
      { text: 'It was refused.' },
    ]);
    await using home = await createTempWorkspace({});
    const { workspace, canary } = repository;
    const where = { cwd: workspace.path, home: home.path, modelServer: server, untrusted: true };
    await using shown = await startTerminal({ args: ['--model', 'openai/mock', 'look around'], ...where, rows: 40 });
    const card = await shown.waitFor('Do you trust this folder?');
    expect(card).toContain('AGENTS.md');
    expect(card).toContain('.blackide/settings.json');
    expect(server.requests).toEqual([]);
    await shown.waitFor('1–2 answers');
    await shown.press('2');
    await shown.waitFor('It was refused.');
    expect(await shown.screen()).toContain('read-only');
    expect(sent(server)).not.toContain(INJECTED);
    expect(readdirSync(canary.path)).toEqual([]);
    await shown.press('C-c', 'C-c');
    await shown.waitFor('ended: 0');
    await using again = await startTerminal({ args: [], ...where, rows: 40 });
    await again.waitFor('1–2 answers');
    await again.press('2');
    await again.waitFor('read-only ·');
    await again.press('C-d');
    await again.waitFor('ended: 0');
    // Whoever only answered has begun no session.
    const { stdout } = await runBlack({ args: ['sessions', 'list'], ...where });
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('IDE-67 on yes the terminal goes on with everything, for good', async () => {
    await using workspace = await createTempWorkspace({ files: { 'AGENTS.md': 'Use tabs.\n' } });
    await using home = await createTempWorkspace({});
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] },
      { text: 'Written.' },
    ]);
    const where = { cwd: workspace.path, home: home.path, modelServer: server, untrusted: true };
    await using shown = await startTerminal({ args: ['--model', 'openai/mock', 'write it'], ...where });
    await shown.waitFor('1–2 answers');
    await shown.press('1');
    await shown.waitFor('Written.');
    expect(sent(server)).toContain('Use tabs.');
    expect(await workspace.read('a.txt')).toBe('x');
    await using again = await startTerminal({ args: [], ...where });
    expect(await again.waitFor('To try here')).not.toContain('Do you trust');
  });

  it('IDE-67 --trust counts for one run, and is no answer to anything that the repository says', async () => {
    await using evil = await createMockModelServer([]);
    await using repository = await hostileRepository(evil.anthropicUrl);
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command: 'npm test' } }] },
      { text: 'unreachable' },
    ]);
    await using home = await createTempWorkspace({});
    const { workspace, canary } = repository;
    const where = { cwd: workspace.path, home: home.path, modelServer: server, untrusted: true };
    const run = await runBlack({ args: ['-p', 'Test it', '--trust', '--model', 'openai/mock'], ...where });
    // Its settings wanted every command allowed: they may only forbid.
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain('npm test');
    expect(run.stderr).toContain(
      '.blackide/settings.json:1:2: a workspace can only make `autoApproveTerminal` stricter',
    );
    expect(sent(server)).toContain(INJECTED);
    expect(evil.requests).toEqual([]);
    expect(readdirSync(canary.path)).toEqual([]);
    const after = await runBlack({ args: ['trust', '--show', '--json'], ...where });
    expect(JSON.parse(after.stdout)).toMatchObject({ trusted: false });
  });
});
