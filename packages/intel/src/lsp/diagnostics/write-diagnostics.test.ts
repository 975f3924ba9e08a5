import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { BlackError } from '@black-ide/protocol';
import { DiskDocuments } from '@black-ide/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskTexts } from '../disk-texts.ts';
import { type FakeProject, type FakeProjectOptions, fakeProject } from '../fixtures/fake-project.ts';
import type { DiagnosticsByFile, DiagnosticsSource } from './diagnostics-source.ts';
import {
  type DiagnosticsNews,
  type FileAfter,
  WriteDiagnostics,
  type WriteDiagnosticsOptions,
} from './write-diagnostics.ts';

const never = new AbortController().signal;

interface Session {
  project: FakeProject;
  diagnostics: WriteDiagnostics;
  /** Writes files in a turn (null: removes), and answers what is told then, as `kind file:line message`. */
  write: (texts: Record<string, string | null>, turn?: string) => Promise<string[]>;
  rename: (from: string, to: string) => Promise<string[]>;
  /** Takes what is to be told, as soon as there is something. */
  next: () => Promise<DiagnosticsNews>;
  told: (news: DiagnosticsNews | undefined) => string[];
}

interface SessionOptions extends FakeProjectOptions {
  importers?: Record<string, string[]>;
  waitMs?: number;
  more?: Partial<WriteDiagnosticsOptions>;
}

async function session({ importers = {}, waitMs = 20_000, more = {}, ...options }: SessionOptions): Promise<Session> {
  const project = await fakeProject({ manners: { pull: true }, ...options });
  const { workspace, servers } = project;
  const short = (path: string): string => path.slice(workspace.path.length + 1);
  const diagnostics = new WriteDiagnostics({
    root: workspace.path,
    sourcesOf: (path) => servers.serversOf(path),
    importersOf: async (path) => (importers[short(path)] ?? []).map((name) => workspace.at(name)),
    refresh: () => servers.refresh(),
    notice: (events) => servers.noticed(events),
    disk: diskTexts(new DiskDocuments()),
    waitMs: () => waitMs,
    ...more,
  });
  onTestFinished(() => diagnostics.dispose());
  const textOf = (name: string): string | null =>
    existsSync(workspace.at(name)) ? readFileSync(workspace.at(name), 'utf8') : null;
  const told = (news: DiagnosticsNews | undefined): string[] => [
    ...(news?.lines ?? []).map(({ kind, path, diagnostic: { range, message } }) => {
      return `${kind} ${short(path)}:${range.start.line} ${message}`;
    }),
    ...(news?.more ? [`${news.more} more`] : []),
    ...(news?.pending ?? []).map((title) => `pending ${title}`),
    ...(news?.settled ?? []).map((title) => `settled ${title}`),
    ...(news?.problems ?? []).map((problem) => `problem ${problem}`),
  ];
  const commit = async (turn: string, names: string[], act: () => FileAfter[]): Promise<string[]> => {
    const before = names.map((name) => ({ path: workspace.at(name), text: textOf(name) }));
    const watched = await diagnostics.begin(turn, before, never);
    await watched.written(act());
    return told(diagnostics.take());
  };
  return {
    project,
    diagnostics,
    told,
    write: (texts, turn = 'turn 1') =>
      commit(turn, Object.keys(texts), () =>
        Object.entries(texts).map(([name, text]): FileAfter => {
          const path = workspace.at(name);
          const kind = text === null ? 'deleted' : existsSync(path) ? 'modified' : 'created';
          if (text === null) rmSync(path);
          else writeFileSync(path, text);
          return { path, text, kind };
        }),
      ),
    rename: (from, to) =>
      commit('turn 1', [from, to], () => {
        const text = textOf(from);
        renameSync(workspace.at(from), workspace.at(to));
        return [{ path: workspace.at(to), from: workspace.at(from), text, kind: 'renamed' }];
      }),
    next: async () => {
      let news: DiagnosticsNews | undefined;
      await expect.poll(() => (news = diagnostics.take()), { timeout: 10_000 }).toBeDefined();
      return news!;
    },
  };
}

const ways = [{ pull: true }, { pull: false }] as const;

describe('WriteDiagnostics', () => {
  it.each(ways)(
    'INT-16 tells what a write breaks in the file and in another that depends on it: %j',
    async (manners) => {
      const { write } = await session({
        manners,
        files: { 'a.fake': 'export x\n', 'b.fake': 'use x\n' },
        importers: { 'a.fake': ['b.fake'] },
      });
      expect(await write({ 'a.fake': 'export y\nuse z\n' })).toEqual([
        'new a.fake:1 z is not made anywhere',
        'new b.fake:0 x is not made anywhere',
      ]);
    },
  );

  it.each(ways)('INT-17 tells nothing when a write only moves what is known: %j', async (manners) => {
    const { write } = await session({
      manners,
      files: { 'a.fake': 'export x\n', 'b.fake': 'use x\n' },
      importers: { 'a.fake': ['b.fake'] },
    });
    expect(await write({ 'a.fake': 'use z\n' })).toHaveLength(2);
    expect(await write({ 'a.fake': '\n\n\nuse z\n' })).toEqual([]);
    expect(await write({ 'a.fake': 'export x\n' })).toEqual([]);
    expect(await write({ 'a.fake': 'export y\n' })).toEqual(['new b.fake:0 x is not made anywhere']);
  });

  it('INT-17 tells earlier errors once, marked, and no earlier warnings', async () => {
    const { write } = await session({ files: { 'a.fake': 'use old\nwarn old\n' } });
    expect(await write({ 'a.fake': 'use old\nwarn old\nwarn new\n' })).toEqual([
      'new a.fake:2 new',
      'earlier a.fake:0 old is not made anywhere',
    ]);
    expect(await write({ 'a.fake': '\nuse old\nwarn old\nwarn new\n' })).toEqual([]);
  });

  it('INT-17 tells at most 20, and how many more there are, and those later', async () => {
    const { write, told, diagnostics } = await session({ files: { 'a.fake': '' } });
    const lines = Array.from({ length: 23 }, (_, index) => `use x${index}\n`).join('');
    const first = await write({ 'a.fake': lines });
    expect([first.length, first.at(-1)]).toEqual([21, '3 more']);
    expect(told(diagnostics.take())).toHaveLength(3);
    expect(diagnostics.take()).toBeUndefined();
  });

  it('INT-16 takes the baseline anew in each turn: what a person broke meanwhile is not told as new', async () => {
    const { write, project } = await session({
      files: { 'a.fake': '', 'b.fake': '' },
      importers: { 'a.fake': ['b.fake'] },
    });
    expect(await write({ 'a.fake': 'use mine\n' })).toEqual(['new a.fake:0 mine is not made anywhere']);
    await project.workspace.write('b.fake', 'use theirs\n');
    await project.workspace.write('a.fake', 'use mine\nuse theirs\n');
    expect(await write({ 'a.fake': 'use mine\nuse theirs\nuse more\n' }, 'turn 2')).toEqual([
      'new a.fake:2 more is not made anywhere',
      'earlier a.fake:1 theirs is not made anywhere',
      'earlier b.fake:0 theirs is not made anywhere',
    ]);
  });

  it('INT-16 takes the baseline anew when a command has changed files', async () => {
    const { write, diagnostics, project } = await session({
      files: { 'a.fake': 'export x\n', 'b.fake': 'use x\n' },
      importers: { 'b.fake': ['a.fake'] },
    });
    expect(await write({ 'b.fake': 'use x\n\n' })).toEqual([]);
    await project.workspace.write('a.fake', 'use gone\n');
    diagnostics.changedOutside([{ path: project.workspace.at('a.fake'), type: 'changed' }]);
    expect(await write({ 'b.fake': 'use x\nuse y\n' })).toEqual([
      'new b.fake:1 y is not made anywhere',
      'earlier a.fake:0 gone is not made anywhere',
      'earlier b.fake:0 x is not made anywhere',
    ]);
  });

  it('INT-16 sees files that others changed although they are open and nobody asks for them', async () => {
    const { write, project } = await session({ files: { 'a.fake': 'export x\n', 'b.fake': '' } });
    await write({ 'a.fake': 'export x\n\n' });
    await project.workspace.write('a.fake', 'export y\n');
    expect(await write({ 'b.fake': 'use y\n' }, 'turn 2')).toEqual([]);
  });

  it('INT-16 follows files that are made, removed and renamed', async () => {
    const { write, rename } = await session({
      files: { 'b.fake': 'use x\n', 'c.fake': 'use old\n' },
      importers: { 'a.fake': ['b.fake'], 'd.fake': ['b.fake'] },
    });
    expect(await write({ 'a.fake': 'export x\n' })).toEqual([]);
    expect(await write({ 'e.fake': 'use nothing\n' })).toEqual(['new e.fake:0 nothing is not made anywhere']);
    expect(await write({ 'a.fake': null })).toEqual(['new b.fake:0 x is not made anywhere']);
    expect(await write({ 'c.fake': 'use old\n\n' })).toEqual(['earlier c.fake:0 old is not made anywhere']);
    expect(await rename('c.fake', 'd.fake')).toEqual([]);
    expect(await write({ 'd.fake': 'use old\nuse new\n' })).toEqual(['new d.fake:1 new is not made anywhere']);
  });

  it('INT-20 finds a project that is made only now', async () => {
    const { write, project } = await session({ files: {} });
    await project.workspace.write('deep/a.fake', '');
    rmSync(project.workspace.at('fake.project'));
    expect(await write({ 'deep/a.fake': 'use x\n' })).toEqual([]);
    expect(project.log()).toEqual([]);
    expect(await write({ 'deep/fake.project': '' })).toEqual([]);
    expect(await write({ 'deep/a.fake': 'use x\nuse y\n' })).toEqual([
      'new deep/a.fake:1 y is not made anywhere',
      'earlier deep/a.fake:0 x is not made anywhere',
    ]);
  });

  it('INT-17 asks for at most 100 files of one write, keeps all of those open, and says how many are left', async () => {
    const { write, project } = await session({ files: {} });
    const texts = Object.fromEntries(Array.from({ length: 105 }, (_, index) => [`f${index}.fake`, 'use x\n']));
    const told = await write(texts);
    expect(told).toHaveLength(22);
    expect(told.slice(-2)).toEqual(['80 more', 'problem 5 of 105 written files were not checked.']);
    expect(project.log().filter((line) => line.startsWith('close'))).toEqual([]);
    await write({ 'f1.fake': 'use x\n\n' });
    await write({ 'g.fake': 'export g\n' });
    expect(project.log().filter((line) => line.startsWith('close')).length).toBeGreaterThan(35);
  });

  it('INT-19 starts no server for files that none serves', async () => {
    const { write, project } = await session({ files: {} });
    expect(await write({ 'a.txt': 'use x\n' })).toEqual([]);
    expect(project.log()).toEqual([]);
  });

  it('INT-16 says nothing of a write that was not made', async () => {
    const { diagnostics, write, project } = await session({ files: { 'a.fake': 'use old\n' } });
    const watched = await diagnostics.begin(
      'turn 1',
      [{ path: project.workspace.at('a.fake'), text: 'use old\n' }],
      never,
    );
    watched.abandon();
    expect(await write({ 'a.fake': 'use old\nuse new\n' })).toEqual([
      'new a.fake:1 new is not made anywhere',
      'earlier a.fake:0 old is not made anywhere',
    ]);
  });

  it('INT-18 does not hold a write up beyond the wait, says that it is pending, and tells it later', async () => {
    const { write, told, next } = await session({
      manners: { pull: true, delayMs: 300 },
      files: { 'a.fake': 'use old\n' },
      waitMs: 1,
    });
    expect(await write({ 'a.fake': 'use old\nuse new\n' })).toEqual(['pending Fake']);
    expect(told(await next())).toEqual([
      'new a.fake:1 new is not made anywhere',
      'earlier a.fake:0 old is not made anywhere',
    ]);
  });

  it('INT-18 says when what was pending has turned out well', async () => {
    const { write, told, next } = await session({
      manners: { pull: true, delayMs: 100 },
      files: { 'a.fake': '' },
      waitMs: 1,
    });
    expect(await write({ 'a.fake': '\n' })).toEqual(['pending Fake']);
    expect(told(await next())).toEqual(['settled Fake']);
  });

  it('INT-18 knows the state before also of writes that were made while the server was starting', async () => {
    const { write, told, next } = await session({
      manners: { pull: true, delayMs: 150 },
      files: { 'a.fake': 'use old\nexport x\n', 'b.fake': 'use x\n' },
      importers: { 'a.fake': ['b.fake'] },
      waitMs: 1,
    });
    expect(await write({ 'a.fake': 'use old\nuse one\n' })).toEqual(['pending Fake']);
    expect(await write({ 'a.fake': 'use old\nuse two\n' })).toEqual(['pending Fake']);
    expect(told(await next())).toEqual([
      'new a.fake:1 two is not made anywhere',
      'new b.fake:0 x is not made anywhere',
      'earlier a.fake:0 old is not made anywhere',
    ]);
  });

  it.each(ways)('INT-18 never delays a write for a server that never answers: %j', async ({ pull }) => {
    const { write } = await session({ manners: { pull, silent: 'diagnostics' }, files: { 'a.fake': '' }, waitMs: 30 });
    expect(await write({ 'a.fake': 'use x\n' })).toEqual(['pending Fake']);
    expect(await write({ 'a.fake': 'use y\n' })).toEqual(['pending Fake']);
  });

  it('INT-18 gives up a server that never answers, says so and starts it anew', async () => {
    const { write, told, next, project } = await session({
      manners: { pull: false, silent: 'diagnostics' },
      files: { 'a.fake': '' },
      waitMs: 1,
      more: { giveUpMs: 400 },
    });
    expect(await write({ 'a.fake': 'use x\n' })).toEqual(['pending Fake']);
    expect(told(await next())).toContain('problem Fake has told nothing in 0 s.');
    await expect.poll(() => project.servers.status()[0]?.crashes).toBeGreaterThan(0);
  });

  it('INT-21 says why nothing is known where the server crashes, once, and writes go on', async () => {
    const { write } = await session({ manners: { crash: 'start' }, files: { 'a.fake': '' } });
    const first = await write({ 'a.fake': 'use x\n' });
    expect(first.every((line) => /^problem Fake .*cannot read the flux/.test(line))).toBe(true);
    expect(first.length).toBeGreaterThan(0);
    await write({ 'a.fake': 'use y\n' });
    expect(await write({ 'a.fake': 'use z\n' })).toEqual([]);
  });

  it('INT-21 tells what a write broke although the server died of it', async () => {
    const { write } = await session({ manners: { pull: true, crash: 'first change' }, files: { 'a.fake': '' } });
    expect(await write({ 'a.fake': 'use x\n' })).toEqual(['new a.fake:0 x is not made anywhere']);
  });

  it('INT-18 tells later what a server only finds out when it has read the project', async () => {
    const { write, told, next } = await session({
      manners: { pull: true, readyAfterMs: 300 },
      files: { 'a.fake': '' },
      waitMs: 50,
      spec: { trustsFirstPull: undefined },
    });
    expect(await write({ 'a.fake': 'use x\n' })).toEqual(['pending Fake']);
    expect(told(await next())).toEqual(['new a.fake:0 x is not made anywhere']);
  });

  it('INT-16 says “perhaps” where a server that checks the disk had not told the state before in time', async () => {
    const { write, told, next } = await session({
      manners: { pull: true, check: true, delayMs: 100 },
      files: { 'a.fake': 'use old\n' },
      spec: { checksOnSave: /^fake\/check$/ },
      waitMs: 1,
    });
    expect(await write({ 'a.fake': 'use old\nuse new\n' })).toEqual(['pending Fake']);
    expect(told(await next())).toEqual([
      'perhaps a.fake:0 old is not made anywhere',
      'perhaps a.fake:1 new is not made anywhere',
    ]);
  });

  it('INT-18 lets a person cancel the wait before the write, and not lose what was written after it', async () => {
    const { diagnostics, project, told, next } = await session({
      manners: { pull: true, delayMs: 200 },
      files: { 'a.fake': '' },
    });
    const path = project.workspace.at('a.fake');
    const cancelled = AbortSignal.abort(new BlackError('cancelled', 'Cancelled.'));
    await expect(diagnostics.begin('turn 1', [{ path, text: '' }], cancelled)).rejects.toMatchObject({
      code: 'cancelled',
    });
    const stop = new AbortController();
    const watched = await diagnostics.begin('turn 1', [{ path, text: '' }], stop.signal);
    await project.workspace.write('a.fake', 'use x\n');
    const written = watched.written([{ path, text: 'use x\n', kind: 'modified' }]);
    stop.abort(new BlackError('cancelled', 'Cancelled.'));
    await written;
    expect(told(diagnostics.take())).toEqual(['pending Fake']);
    expect(told(await next())).toEqual(['new a.fake:0 x is not made anywhere']);
  });

  it('INT-16 takes diagnostics from whoever serves them, e.g. the editor that hosts us', async () => {
    const texts: string[] = [];
    const editor: DiagnosticsSource = {
      id: 'editor',
      title: 'Editor',
      answersForOldTexts: false,
      collect: async (files): Promise<DiagnosticsByFile> => {
        texts.push(files.map(({ text }) => text).join());
        const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
        const bad = (text: string | null | undefined) =>
          text?.includes('bad') ? [{ range, severity: 1, message: 'bad' } as const] : [];
        return new Map(files.map(({ path, text }) => [path, bad(text)]));
      },
      onLater: () => () => undefined,
    };
    const { write, project } = await session({
      files: { 'a.fake': 'fine' },
      more: { sourcesOf: async () => [editor] },
    });
    expect(await write({ 'a.fake': 'bad' })).toEqual(['new a.fake:0 bad']);
    expect(texts).toEqual(['fine', 'bad']);
    expect(project.log()).toEqual([]);
  });
});
