import { DiskDocuments } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { diskTexts } from '../disk-texts.ts';
import { type FakeProject, type FakeProjectOptions, fakeProject } from '../fixtures/fake-project.ts';
import { LanguageQueries } from './language-queries.ts';

const never = new AbortController().signal;
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

interface Asked extends FakeProject {
  queries: LanguageQueries;
  /** A place of `a.fake`. */
  at: (line: number, character: number) => { path: string; position: { line: number; character: number } };
}

/** A project whose server can do these things, and answers so; `ROOT` in an answer stands for the folder's URI. */
async function ask(
  capabilities: Record<string, unknown>,
  answers: Record<string, unknown>,
  more: FakeProjectOptions = {},
): Promise<Asked> {
  const project = await fakeProject({
    files: { 'a.fake': 'é🦊 use x\n', 'b.fake': 'export x\n' },
    ...more,
    manners: { capabilities, answers, ...more.manners },
  });
  const queries = new LanguageQueries(project.servers, diskTexts(new DiskDocuments()));
  const path = project.workspace.at('a.fake');
  return { ...project, queries, at: (line, character) => ({ path, position: { line, character } }) };
}

describe('LanguageQueries', () => {
  it.each(['definition', 'typeDefinition', 'implementation', 'references'] as const)(
    'INT-15 finds the %s of what stands at a place',
    async (what) => {
      const { queries, at, workspace } = await ask(
        { [`${what}Provider`]: true },
        {
          [`textDocument/${what}`]: [
            { uri: 'ROOT/b.fake', range: range(0, 7, 8) },
            { targetUri: 'ROOT/c.fake', targetRange: range(0, 0, 9), targetSelectionRange: range(0, 1, 2) },
            { uri: 'jdt://contents/String.class', range: range(0, 0, 0) },
          ],
        },
      );
      expect(await queries.locations(what, at(0, 9), never)).toEqual([
        { path: workspace.at('b.fake'), range: range(0, 7, 8) },
        { path: workspace.at('c.fake'), range: range(0, 1, 2) },
      ]);
    },
  );

  it('INT-15 counts columns as the server does, on the way there and back', async () => {
    const { queries, at, log } = await ask(
      { definitionProvider: true },
      { 'textDocument/definition': { uri: 'ROOT/a.fake', range: range(0, 7, 12) } },
      { manners: { encoding: 'utf-8' } },
    );
    // The fox is two units of ours and four bytes.
    expect(await queries.locations('definition', at(0, 8), never)).toMatchObject([{ range: range(0, 4, 9) }]);
    expect(log()).toContain('asked textDocument/definition {"line":0,"character":11}');
  });

  it.each([
    ['plain', 'plain'],
    [{ kind: 'markdown', value: '**bold**' }, '**bold**'],
    [[{ language: 'ts', value: 'let x' }, 'more'], '```ts\nlet x\n```\n\nmore'],
    [null, ''],
  ])('INT-15 reads what hovers in any of its shapes: %j', async (contents, text) => {
    const answer = contents === null ? 0 : { contents };
    const { queries, at } = await ask({ hoverProvider: {} }, { 'textDocument/hover': answer });
    expect(await queries.hover(at(0, 0), never)).toBe(text);
  });

  it('INT-15 lists the symbols of a file, nested or flat', async () => {
    const method = { name: 'save', kind: 6, range: range(1, 0, 9), selectionRange: range(1, 2, 6) };
    const nested = {
      name: 'Store',
      kind: 5,
      range: range(0, 0, 9),
      selectionRange: range(0, 6, 9),
      children: [method],
    };
    const flat = {
      name: 'run',
      kind: 12,
      location: { uri: 'ROOT/a.fake', range: range(5, 0, 3) },
      containerName: 'main',
    };
    const { queries, at } = await ask(
      { documentSymbolProvider: true },
      { 'textDocument/documentSymbol': [nested, flat, { name: 7 }, null] },
    );
    const symbols = await queries.documentSymbols(at(0, 0).path, never);
    expect(
      symbols.map(({ name, kind, depth, container, nameRange }) => [name, kind, depth, container, nameRange]),
    ).toEqual([
      ['Store', 'class', 0, undefined, range(0, 6, 9)],
      ['save', 'method', 1, 'Store', range(1, 2, 6)],
      ['run', 'function', 0, 'main', range(5, 0, 3)],
    ]);
  });

  it('INT-15 searches symbols of the workspace', async () => {
    const found = { name: 'x', kind: 13, location: { uri: 'ROOT/b.fake', range: range(0, 7, 8) } };
    const { queries, at, workspace } = await ask({ workspaceSymbolProvider: true }, { 'workspace/symbol': [found] });
    expect(await queries.workspaceSymbols('x', at(0, 0).path, never)).toMatchObject([
      { name: 'x', kind: 'variable', path: workspace.at('b.fake') },
    ]);
  });

  it('INT-15 answers the edits of a renaming and changes nothing', async () => {
    const { queries, at, workspace } = await ask(
      { renameProvider: true },
      { 'textDocument/rename': { changes: { 'ROOT/b.fake': [{ range: range(0, 7, 8), newText: 'y' }] } } },
    );
    const before = await workspace.snapshot();
    expect(await queries.rename(at(0, 8), 'y', never)).toEqual([
      { kind: 'edit', path: workspace.at('b.fake'), edits: [{ range: range(0, 7, 8), newText: 'y' }] },
    ]);
    expect(await workspace.snapshot()).toEqual(before);
  });

  it('INT-15 says that nothing can be renamed there', async () => {
    const { queries, at } = await ask({ renameProvider: true }, { 'textDocument/rename': 0 });
    await expect(queries.rename(at(0, 0), 'y', never)).rejects.toMatchObject({ code: 'cannot_rename' });
  });

  it('INT-15 lists what can be done about a diagnostic, with the edits', async () => {
    const edit = { changes: { 'ROOT/a.fake': [{ range: range(0, 0, 0), newText: 'export x\n' }] } };
    const { queries, at, log } = await ask(
      { codeActionProvider: { resolveProvider: true } },
      {
        'textDocument/codeAction': [
          { title: 'Make x', kind: 'quickfix', isPreferred: true, data: 1 },
          { title: 'Do it yourself', command: { command: 'x' } },
        ],
        'codeAction/resolve': { title: 'Make x', edit },
      },
      { files: { 'a.fake': 'use x\n' }, manners: { pull: true } },
    );
    const { path } = at(0, 0);
    expect(await queries.codeActions(path, range(0, 0, 4), never)).toEqual([
      {
        title: 'Make x',
        kind: 'quickfix',
        preferred: true,
        edits: [{ kind: 'edit', path, edits: [{ range: range(0, 0, 0), newText: 'export x\n' }] }],
      },
      { title: 'Do it yourself', preferred: false },
    ]);
    expect(log().find((line) => line.startsWith('context'))).toContain('x is not made anywhere');
  });

  it.each([
    ['incoming', 'from'],
    ['outgoing', 'to'],
  ] as const)('INT-15 follows calls: %s', async (direction, side) => {
    const item = { name: 'run', kind: 12, uri: 'ROOT/b.fake', range: range(0, 0, 9), selectionRange: range(0, 4, 7) };
    const { queries, at, workspace } = await ask(
      { callHierarchyProvider: true },
      {
        'textDocument/prepareCallHierarchy': [item],
        [`callHierarchy/${direction}Calls`]: [{ [side]: item, fromRanges: [range(3, 1, 2)] }],
      },
    );
    expect(await queries.calls(direction, at(0, 8), never)).toMatchObject([
      { symbol: { name: 'run', path: workspace.at('b.fake') }, calls: [range(3, 1, 2)] },
    ]);
  });

  it('INT-15 tells how files stand, and of which nobody knows', async () => {
    const { queries, workspace } = await ask({}, {}, { manners: { pull: true } });
    const paths = ['a.fake', 'b.fake'].map((name) => workspace.at(name));
    const { found, unknown } = await queries.diagnostics(paths, never);
    expect([...found].map(([path, list]) => [path, list.length])).toEqual([
      [paths[0], 0],
      [paths[1], 0],
    ]);
    expect(unknown).toEqual([]);
    await workspace.write('b.fake', 'export y\n');
    expect((await queries.diagnostics(paths, never)).found.get(paths[0]!)).toMatchObject([
      { message: 'x is not made anywhere', severity: 1 },
    ]);
  });

  it('INT-15 says what no server can tell, what is refused, and what is missing', async () => {
    const { queries, at, workspace } = await ask({ hoverProvider: true, definitionProvider: true }, {});
    await expect(queries.locations('references', at(0, 0), never)).rejects.toMatchObject({ code: 'not_supported' });
    await expect(queries.locations('definition', at(0, 0), never)).rejects.toMatchObject({
      code: 'server_refused',
      message: 'Fake: no textDocument/definition',
    });
    await expect(queries.hover({ ...at(0, 0), path: workspace.at('no.fake') }, never)).rejects.toMatchObject({
      code: 'no_such_file',
    });
    await expect(queries.hover({ ...at(0, 0), path: workspace.at('a.txt') }, never)).rejects.toMatchObject({
      code: 'no_server',
    });
  });

  it('INT-20 says how to get the server that is missing', async () => {
    const { queries, at } = await ask({}, {}, { spec: { program: 'no-such-program', get: 'brew install it' } });
    await expect(queries.hover(at(0, 0), never)).rejects.toMatchObject({ next: 'Fake would: brew install it' });
  });
});
