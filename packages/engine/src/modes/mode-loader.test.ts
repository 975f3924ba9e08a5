import { symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { problemText } from '@black-ide/protocol';
import { createTempWorkspace, type FileContent } from '@black-ide/testkit';
import { DiskDocuments } from '@black-ide/workspace';
import { afterEach, describe, expect, it } from 'vitest';
import { ModeLoader } from './mode-loader.ts';

const made: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of made.splice(0).reverse()) await dispose();
});

const mode = (name: string, more = '') => `---\nname: ${name}\n${more}---\nBody of ${name}.\n`;

async function loader(files: Record<string, FileContent>, own: Record<string, FileContent> = {}, trusted = ['']) {
  const workspace = await createTempWorkspace({ files });
  const home = await createTempWorkspace({ files: own });
  const modes = new ModeLoader({
    root: workspace.path,
    home: home.path,
    documents: new DiskDocuments(),
    isTrusted: (folder) => trusted.includes(relative(workspace.path, folder)),
  });
  made.push(workspace.dispose, home.dispose, () => modes.dispose());
  return { modes, workspace, home };
}

async function custom(modes: ModeLoader): Promise<string[]> {
  const { modes: all } = await modes.list();
  return all.flatMap(({ name, file }) => (file ? [`${name} ${file}`] : []));
}

const told = async (modes: ModeLoader) => (await modes.list()).problems.map(problemText);

describe('ModeLoader', () => {
  it('IDE-37 reads modes of the person, the workspace and its projects, and finds them without regard to case', async () => {
    const { modes } = await loader(
      {
        '.blackide/modes/ours.md': mode('Ours', 'tools: [read_file]\nmaxIterations: 3\n'),
        'packages/a/.agents/modes/theirs.md': mode('Theirs'),
        'packages/a/.agents/modes/notes.txt': 'no mode',
      },
      { 'modes/mine.md': mode('Mine', 'model: openai/gpt-5\n') },
    );
    expect(await custom(modes)).toEqual([
      'Mine ~/.blackide/modes/mine.md',
      'Ours .blackide/modes/ours.md',
      'Theirs packages/a/.agents/modes/theirs.md',
    ]);
    expect(await modes.find('oURS')).toMatchObject({ name: 'Ours', tools: ['read_file'], maxIterations: 3 });
    expect(await modes.find('mine')).toMatchObject({ model: 'openai/gpt-5', body: 'Body of Mine.' });
    expect(await modes.find('AGENT')).toMatchObject({ name: 'Agent' });
    await expect(modes.find('constructor')).rejects.toMatchObject({
      code: 'unknown_mode',
      next: expect.stringContaining('Sr Architect, Mine, Ours, Theirs.'),
    });
  });

  it('IDE-37 project wins over workspace over global, the outer project over the inner, and the losers are told', async () => {
    const { modes } = await loader(
      {
        '.blackide/modes/b.md': mode('Same', 'description: workspace\n'),
        '.agents/modes/c.md': mode('same', 'description: project\n'),
        'x/.agents/modes/d.md': mode('SAME'),
        '.blackide/modes/only.md': mode('Both'),
      },
      { 'modes/a.md': mode('Same'), 'modes/only.md': `---\ndescription: mine\nname: both\n---\n` },
    );
    expect(await modes.find('Same')).toMatchObject({ description: 'project' });
    expect(await custom(modes)).toEqual(['Both .blackide/modes/only.md', 'same .agents/modes/c.md']);
    expect(await told(modes)).toEqual([
      '.blackide/modes/b.md:2:1: the mode `Same` is that of .agents/modes/c.md, which goes before it.',
      'x/.agents/modes/d.md:2:1: the mode `SAME` is that of .agents/modes/c.md, which goes before it.',
      '~/.blackide/modes/a.md:2:1: the mode `Same` is that of .agents/modes/c.md, which goes before it.',
      '~/.blackide/modes/only.md:3:1: the mode `both` is that of .blackide/modes/only.md, which goes before it.',
    ]);
  });

  it('IDE-38 a faulty file is told with its place and breaks no other', async () => {
    const { modes, workspace } = await loader({
      '.blackide/modes/bom.md': `\uFEFF${mode('Bom').replaceAll('\n', '\r\n')}`,
      '.blackide/modes/built-in.md': `---\ndescription: x\nname: agent\n---\n`,
      '.blackide/modes/orchestrator.md': mode('Orchestrator'),
      '.blackide/modes/nameless.md': '---\ndescription: x\n---\n',
      '.blackide/modes/none.md': mode('None', 'maxIterations: 0\n'),
      '.blackide/modes/regex.md': mode('Regex', 'fileRegex: "(["\n'),
      '.blackide/modes/look.md': mode('Look', 'fileRegex: "(?<!a)b"\n'),
      '.blackide/modes/tool.md': mode('Tool', 'tools:\n  - read_file\n  - toString\n'),
      '.blackide/modes/speed.md': mode('Speed', 'speed: 3\n'),
      '.blackide/modes/binary.md': Buffer.from([0, 1, 2, 255, 254, 0]),
      '.blackide/modes/large.md': 'x'.repeat(300_000),
      'secret.md': mode('Secret'),
    });
    symlinkSync(workspace.at('secret.md'), workspace.at('.blackide/modes/link.md'));
    expect(await custom(modes)).toEqual([
      'Bom .blackide/modes/bom.md',
      'Speed .blackide/modes/speed.md',
      'Tool .blackide/modes/tool.md',
    ]);
    expect(await told(modes)).toEqual([
      expect.stringMatching(/^\.blackide\/modes\/binary\.md: it is no text/),
      '.blackide/modes/built-in.md:3:1: `agent` is the name of a built-in mode.',
      '.blackide/modes/large.md: it is too large for a mode.',
      '.blackide/modes/link.md: it is a link that leads out of its folder.',
      expect.stringMatching(/^\.blackide\/modes\/look\.md:3:1: `fileRegex` does not hold: .*could hang\.$/),
      '.blackide/modes/nameless.md:1:1: `name` is missing.',
      '.blackide/modes/none.md:3:1: `maxIterations` is a whole number from 1 to 500.',
      '.blackide/modes/orchestrator.md:2:1: `Orchestrator` is the name of a built-in mode.',
      expect.stringMatching(/^\.blackide\/modes\/regex\.md:3:1: `fileRegex` does not hold: It is no regular/),
      '.blackide/modes/speed.md:3:1: there is no key `speed` in a mode.',
      '.blackide/modes/tool.md:5:5: there is no tool `toString`.',
    ]);
  });

  it('IDE-37 fileRegex runs in linear time, whatever it says', async () => {
    const { modes } = await loader({ '.blackide/modes/x.md': mode('X', 'fileRegex: "^(a+)+$|\\\\.md$"\n') });
    const { mayEdit } = await modes.find('x');
    expect(mayEdit!('docs/a.md')).toBe(true);
    expect(mayEdit!(`${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it('IDE-67 a workspace that is not trusted has no modes, and neither has a repository inside one that is', async () => {
    const files = {
      '.blackide/modes/a.md': mode('A'),
      '.agents/modes/b.md': mode('B'),
      'vendor/sub/.git/HEAD': 'x',
      'vendor/sub/.agents/modes/c.md': mode('C'),
      'node_modules/p/.agents/modes/d.md': mode('D'),
    };
    const none = await loader(files, { 'modes/mine.md': mode('Mine') }, []);
    expect(await custom(none.modes)).toEqual(['Mine ~/.blackide/modes/mine.md']);
    await expect(none.modes.find('A')).rejects.toMatchObject({ next: expect.stringContaining('black trust') });
    expect(await custom((await loader(files)).modes)).toEqual(['A .blackide/modes/a.md', 'B .agents/modes/b.md']);
    const both = await loader(files, {}, ['', 'vendor/sub']);
    expect(await custom(both.modes)).toContain('C vendor/sub/.agents/modes/c.md');
  });

  it('finds a folder of an older spelling beside the usual one, which goes first', async () => {
    const { modes } = await loader({
      '.blackIDE/modes/a.md': mode('A', 'description: older\n'),
      '.blackIDE/modes/b.md': mode('B'),
      '.blackide/modes/a.md': mode('A', 'description: newer\n'),
    });
    expect(await custom(modes)).toEqual(['A .blackide/modes/a.md', 'B .blackIDE/modes/b.md']);
  });

  it('IDE-38 what is created, changed and deleted counts at once, also while it is watched', async () => {
    const { modes, workspace } = await loader({});
    let heard: (() => void) | undefined;
    await modes.watch(() => heard?.());
    const after = async (change: () => Promise<void>): Promise<void> => {
      const next = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await change();
      await next;
    };
    const file = '.blackide/modes/new.md';
    await after(() => workspace.write(file, mode('New')));
    await expect(modes.find('new')).resolves.toMatchObject({ maxIterations: 25 });
    await after(() => workspace.write(file, mode('New', 'maxIterations: 0\n')));
    expect(modes.problems.map(problemText)).toEqual([expect.stringContaining('new.md:3:1')]);
    await after(() => workspace.write(file, mode('New', 'maxIterations: 9\n')));
    expect(modes.get('new')).toMatchObject({ maxIterations: 9 });
    await after(() => rm(workspace.at(file)));
    expect(() => modes.get('new')).toThrow('no mode');
  });
});
