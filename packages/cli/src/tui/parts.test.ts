import { join } from 'node:path';
import { createTempWorkspace, PNG } from '@black-ide/testkit';
import { DiskDocuments } from '@black-ide/workspace';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { widthOf } from '../text/fit-width.ts';
import { gitBranch } from './git-branch.ts';
import { imagesIn } from './images.ts';
import { asciiLine, showsUnicode } from './marks.ts';
import { PromptHistory } from './prompt-history.ts';
import { rankPaths } from './rank-paths.ts';
import { slashCommand } from './slash-commands.ts';
import { statusLine } from './status-line.ts';
import { suggestions } from './suggestions.ts';

const documents = new DiskDocuments();

it('the status line keeps to one line of any width, mode and cost last to go', () => {
  const facts = {
    mode: 'Agent',
    model: 'anthropic/claude-sonnet-5-5',
    context: 0.314,
    cost: 0.04,
    unpriced: false,
    branch: 'feature/a-long-name',
  };
  expect(statusLine(facts, 100)).toBe('Agent · anthropic/claude-sonnet-5-5 · 31 % · $0.04 · feature/a-long-name');
  expect(statusLine(facts, 40)).toBe('Agent · sonnet-5-5 · 31 % · $0.04 · fea…');
  for (let columns = 1; columns < 80; columns++)
    expect(widthOf(statusLine(facts, columns))).toBeLessThanOrEqual(columns);
  expect(statusLine({ ...facts, cost: 0, unpriced: true }, 100)).toContain('$?');
  expect(statusLine({ ...facts, unpriced: true }, 100)).toContain('≥ $0.04');
});

it('finds slash commands and leaves paths alone', () => {
  expect(slashCommand('/model openai/gpt-5 ')).toEqual({ name: 'model', argument: 'openai/gpt-5' });
  expect(slashCommand('/etc/hosts is odd')).toBeUndefined();
  expect(slashCommand('what is /help')).toBeUndefined();
});

it('ranks names before folders and short before long', () => {
  const paths = ['lib/', 'lib/store.ts', 'src/restore.ts', 'src/', 'store/', 'deep/down/store.test.ts'];
  expect(rankPaths(paths, 'store', 3)).toEqual(['store/', 'lib/store.ts', 'deep/down/store.test.ts']);
  expect(rankPaths(paths, 'srre', 3)).toEqual(['src/restore.ts']);
  expect(rankPaths(paths, '', 2)).toEqual(['lib/', 'src/']);
});

it('says in ASCII what it would say in Unicode, as wide', () => {
  expect(asciiLine('▸ Read a.ts 1–2 · 漢 ✓')).toBe('> Read a.ts 1-2 - ? +');
  expect(showsUnicode({ LANG: 'en_GB.UTF-8' }, 'linux')).toBe(true);
  expect(showsUnicode({ LANG: 'en_GB.UTF-8', LC_ALL: 'C' }, 'linux')).toBe(false);
  expect(showsUnicode({}, 'linux')).toBe(false);
});

it('attaches images by what they are, not by what they are called', async () => {
  await using workspace = await createTempWorkspace({
    files: { 'b.jpg': 'no image', 'a b.png': PNG, 'cut.png': PNG.subarray(0, -20) },
  });
  const found = await imagesIn(
    `see a\\ b.png, @b.jpg and "${join(workspace.path, 'a b.png')}" not gone.gif, cut.png`,
    workspace.path,
    documents,
  );
  expect(found.images.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/png']);
  expect(found.problems).toEqual([
    'b.jpg is not attached: it is no image that a model can read.',
    'cut.png is not attached: it is cut or damaged.',
  ]);
});

it('tells the branch in a folder below, in a worktree and without a branch', async () => {
  await using workspace = await createTempWorkspace({ files: { 'a/b.txt': 'x' }, git: true });
  await workspace.git('commit', '-q', '--allow-empty', '-m', 'one');
  expect(await gitBranch(documents, join(workspace.path, 'a'))).toBe('main');
  await workspace.git('worktree', 'add', '-q', '-b', 'feature/x', 'other');
  expect(await gitBranch(documents, join(workspace.path, 'other'))).toBe('feature/x');
  await workspace.git('checkout', '-q', '--detach');
  expect(await gitBranch(documents, workspace.path)).toMatch(/^[0-9a-f]{8}$/);
});

it('suggests what can be done in this workspace', async () => {
  await using workspace = await createTempWorkspace({ files: { 'package.json': '{"scripts":{"test":"x"}}' } });
  const paths = ['package.json', 'README.md', 'src/util.ts', 'src/main.ts', 'test/main.test.ts'];
  expect(await suggestions(paths, workspace.path, documents)).toEqual([
    'Run the tests',
    'Explain src/main.ts',
    'What does this project do?',
  ]);
  expect(await suggestions([], workspace.path, documents)).toHaveLength(3);
});

it('keeps prompts of a workspace over restarts, bears damage, and goes without a state folder', () => {
  const home = temporaryFolder();
  const first = PromptHistory.open(home, '/work');
  first.add('one\ntwo');
  first.add('one\ntwo');
  first.add('x'.repeat(10_000));
  first.add('three');
  first.dispose();
  const second = PromptHistory.open(home, '/work');
  expect(second.prompts).toEqual(['one\ntwo', 'three']);
  second.dispose();
  expect(PromptHistory.open(home, '/other').prompts).toEqual([]);
  const none = PromptHistory.open('/dev/null/home', '/work');
  none.add('kept while it runs');
  expect(none.prompts).toEqual(['kept while it runs']);
});
