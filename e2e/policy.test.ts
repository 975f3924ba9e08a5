import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockModelServer, createTempWorkspace, runBlack, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Row {
  command: string;
  atLeast?: 'ask' | 'deny';
  atMost?: 'allow';
}

const FIXTURES = join(import.meta.dirname, '..', 'packages', 'workspace', 'src', 'policy', 'fixtures');
const STRICTNESS = { allow: 0, ask: 1, deny: 2 };

function rowsOf(name: string): string[] {
  return readFileSync(join(FIXTURES, name), 'utf8').trim().split('\n');
}

let workspace: TempWorkspace;
let home: TempWorkspace;
beforeEach(async () => {
  workspace = await createTempWorkspace({ files: { 'README.md': 'hello' }, git: true });
  home = await createTempWorkspace({});
});
afterEach(async () => {
  await workspace.dispose();
  await home.dispose();
});

async function explain(args: string[], stdin = '') {
  const env = { HOME: '/home/ann', BLACKIDE_HOME: home.path };
  return runBlack({ args: ['policy', 'explain', ...args], cwd: workspace.path, env, home: home.path, stdin });
}

/** What was answered with `--json`, one line for each command. */
function answersOf({ stdout }: { stdout: string }): { decision: keyof typeof STRICTNESS; stage: number }[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('black policy explain', () => {
  it('IDE-62 IDE-63 IDE-64 field notes §4 #40: no miss and no false ask on the corpus and on more rows of its kinds', async () => {
    const [head = '{}', ...listed] = rowsOf('command-policy.jsonl');
    const { allow } = JSON.parse(head) as { allow: string[] };
    await home.write('settings.json', JSON.stringify({ commandPolicy: { allow } }));
    const rows = [...listed, ...rowsOf('more-commands.jsonl')].map((row) => JSON.parse(row) as Row);
    const stdin = rows.map(({ command }) => JSON.stringify({ command })).join('\n');
    const explained = await explain(['--json'], stdin);
    const answers = answersOf(explained);
    const judged = rows.map((row, at) => ({ ...row, decision: answers[at]?.decision ?? 'allow' }));
    const misses = judged.filter(({ atLeast, decision }) => atLeast && STRICTNESS[decision] < STRICTNESS[atLeast]);
    const falseAsks = judged.filter(({ atMost, decision }) => atMost && decision !== 'allow');
    const benign = rows.filter(({ atMost }) => atMost).length;
    console.info(`${rows.length} rows (${benign} benign): ${misses.length} misses, ${falseAsks.length} false asks`);
    expect(explained.code).toBe(0);
    expect(benign).toBeGreaterThanOrEqual(200);
    expect({ misses, falseAsks }).toEqual({ misses: [], falseAsks: [] });
  });

  it('IDE-64 says decision, stage, rule and why, and nothing else, for one command and for a person', async () => {
    const { stdout } = await explain(['--json', '--', 'rm -rf ~']);
    expect(JSON.parse(stdout)).toEqual({
      decision: 'deny',
      stage: 4,
      rule: 'remove-root-or-home',
      why: expect.stringContaining('home folder'),
    });
    const told = await explain(['--', 'git status && npm publish \u202e']);
    expect(told.stdout).toContain('$ git status && npm publish <U+202E>');
    expect(told.stdout).toMatch(/^ask: /m);
    expect((await explain(['--', 'ls; npm publish'])).stdout).toMatch(/^ {2}ask {2}npm publish/m);
  });

  it('IDE-64 heeds the settings, and an invalid deny pattern closes everything, visibly', async () => {
    const settings = {
      'commandPolicy.deny': ['^git push'],
      'commandPolicy.allow': ['^npm test'],
      autoApproveTerminal: true,
    };
    await home.write('settings.json', JSON.stringify(settings));
    const lines = 'git push\nnpm test\nmake\nls\n';
    const stagesOf = (explained: { stdout: string }) => answersOf(explained).map(({ stage }) => stage);
    // Nobody sits at a chat here: autoApproveTerminal answers nothing.
    expect(stagesOf(await explain(['--json'], lines))).toEqual([5, 7, 10, 8]);
    await home.write('settings.json', JSON.stringify({ ...settings, 'commandPolicy.deny': ['(', '^git push'] }));
    const closed = await explain(['--json'], lines);
    expect(stagesOf(closed)).toEqual([5, 10, 10, 10]);
    expect(closed.stderr).toContain('commandPolicy.deny: the pattern "(" is not in force');
    await home.write('settings.json', '{ "commandPolicy": ');
    expect((await explain(['--json', '--', 'ls'])).stdout).toContain('"stage":10');
  });

  it('field notes §5a: a repository that names programs for git is never read without being asked about', async () => {
    await workspace.write('.git/config', '[diff]\n\texternal = ./evil\n');
    const { stdout } = await explain(['--json', '--', 'git diff']);
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'ask', stage: 10 });
  });
});

describe('git in a repository that a stranger made', () => {
  it('IDE-62 field notes §5a: what runs unasked runs no program of a repository inside of it', async () => {
    const trace = home.at('ran');
    const look = async () => {
      await using modelServer = await createMockModelServer([
        { toolCalls: ['git status', 'git diff'].map((command) => ({ name: 'run_command', args: { command } })) },
        { text: 'Looked.' },
      ]);
      const args = ['-p', 'look', '--model', 'openai/mock'];
      return await runBlack({ args, cwd: workspace.path, home: home.path, modelServer });
    };
    await workspace.git('init', '--quiet', 'vendor');
    const inside = (...args: string[]) => workspace.git('-C', 'vendor', ...args);
    await workspace.write('vendor/.gitattributes', '* filter=evil\n');
    await workspace.write('vendor/a.txt', 'one\n');
    await inside('add', '--all');
    await inside('commit', '--quiet', '--message', 'One');
    await workspace.write('.gitmodules', '[submodule "v"]\n\tpath = vendor\n\turl = ./vendor\n\tignore = none\n');
    await workspace.git('add', 'vendor', '.gitmodules');
    await workspace.git('commit', '--quiet', '--message', 'Vendor');
    await workspace.write('vendor/a.txt', 'two\n');
    expect(await look()).toMatchObject({ code: 0, stdout: 'Looked.\n' });

    await inside('config', 'filter.evil.clean', `sh -c 'echo x > ${trace}; cat' #`);
    expect((await look()).code).toBe(3);
    expect(Object.keys(await home.snapshot())).not.toContain('ran');
    // The very same, without the gate, does run it.
    await workspace.write('vendor/a.txt', 'three\n');
    await workspace.git('status');
    expect(Object.keys(await home.snapshot())).toContain('ran');
  });
});

describe('black approve --for', () => {
  it('IDE-62 allows from now on what the question offers, and says so where it stops', async () => {
    await workspace.write('Makefile', 'build:\n\t@echo built >> log\n');
    await using modelServer = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command: 'make build' } }] },
      { toolCalls: [{ name: 'run_command', args: { command: 'make build' } }] },
      { text: 'Built twice.' },
    ]);
    const run = (args: string[]) => runBlack({ args, cwd: workspace.path, home: home.path, modelServer });
    const stopped = await run(['-p', 'build', '--model', 'openai/mock']);
    expect(stopped.code).toBe(3);
    const [, session = ''] =
      /black approve (\S+) --for session\|folder {3}\(Allow `make build`\)/.exec(stopped.stderr) ?? [];
    const approved = await run(['approve', session, '--for', 'folder']);
    expect(approved).toMatchObject({ code: 0, stdout: 'Built twice.\n' });
    expect(await workspace.read('log')).toBe('built\nbuilt\n');
    expect(Object.keys(await workspace.snapshot())).toEqual(['Makefile', 'README.md', 'log']);
    expect((await explain(['--json', '--', 'make build'])).stdout).toContain('"stage":7');
  });
});
