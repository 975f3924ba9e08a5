import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type SessionEvent, textOf } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type Script } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const FILES = {
  'src/note.ts': `/** Checks a note. Throws when its title is empty. */
export function validateNote(note: { title: string }): void {
  if (note.title === '') throw new Error('title must not be empty');
}
`,
  'src/store.ts': `import { validateNote } from './note.ts';

export class NoteStore {
  saveNote(note: { title: string }): void {
    validateNote(note);
  }
}
`,
  'test/store.test.ts': `import { test } from 'node:test';
import { NoteStore } from '../src/store.ts';

test('saves', () => {
  new NoteStore().saveNote({ title: 'Milk' });
});
`,
};

let session: Awaited<ReturnType<typeof beginWith>>;
afterEach(() => session[Symbol.asyncDispose]());

async function beginWith(script: Script, options: Partial<EngineOptions>, files: Record<string, string>) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files });
  return await ScriptedSession.begin({ home, workspace, server: await createMockModelServer(script) }, options);
}

type Call = { name: string; args: Record<string, unknown> };

/** Has the model make these calls one after the other, and answers their results. */
async function results(calls: Call[], options: Partial<EngineOptions> = {}, files: Record<string, string> = FILES) {
  const script = [...calls.map((one) => ({ toolCalls: [one as never] })), { text: 'done' }];
  session = await beginWith(script, options, files);
  await session.run('go');
  return session.ofType('ToolFinished').map(({ content, isError }) => (isError ? 'ERROR ' : '') + textOf(content));
}

const graph = (args: object): Call => ({ name: 'code_graph', args: { ...args } });
const search = (args: object): Call => ({ name: 'codebase_search', args: { ...args } });

describe('code_graph and codebase_search', () => {
  it('INT-2 tell what a symbol is and what uses it, with places', async () => {
    const [about, callers, file, way] = await results([
      graph({ symbol: 'validateNote' }),
      graph({ action: 'callers', symbol: 'NoteStore.saveNote' }),
      graph({ symbol: './src/store.ts' }),
      graph({ action: 'path', symbol: 'saveNote', to: 'validateNote' }),
    ]);
    expect(about).toMatch(
      /^export function validateNote[\s\S]*src\/note\.ts:2-4 {2}exported function validateNote\nChecks a note\./,
    );
    expect(about).toMatch(/Called by 1:\n {2}src\/store\.ts:5 {2}in NoteStore\.saveNote {2}\(import\)/);
    expect(about).toMatch(/Tests that reach it: 1:\n {2}test\/store\.test\.ts:4/);
    expect(callers).toMatch(/test\/store\.test\.ts:5/);
    expect(file).toMatch(/^src\/store\.ts {2}typescript\n[\s\S]*Imports 1:\n {2}src\/note\.ts\n[\s\S]*Imported by 1:/);
    expect(way).toMatch(/reaches validateNote over 1 call:/);
    const [{ details }] = session.ofType('ToolFinished') as [SessionEvent & { type: 'ToolFinished' }];
    expect(details).toMatchObject({ kind: 'code_graph', action: 'explain', status: 'ok', found: 1 });
  });

  it('INT-13 find code by words, and say so where there is none', async () => {
    const [found, below, none] = await results([
      search({ query: 'title must not be empty', limit: 2 }),
      search({ query: 'saves a note', path: 'test' }),
      search({ query: 'zebra' }),
    ]);
    expect(found).toMatch(/^1\. src\/note\.ts:\d+-\d+ {2}validateNote {2}\([^)]*title[^)]*\)\n {3}3: /);
    expect(below).not.toMatch(/^\d+\. src\//m);
    expect(none).toBe('[nothing has a word of the query]');
  });

  it('INT-4 know what tools and commands have changed, at the next question', async () => {
    const edit = { path: 'src/note.ts', old_string: 'validateNote', new_string: 'checkNote' };
    const [, , renamed, , moved] = await results([
      graph({ symbol: 'validateNote' }),
      { name: 'edit_file', args: edit },
      graph({ symbol: 'checkNote' }),
      { name: 'run_command', args: { command: 'mv src/note.ts src/checks.ts' } },
      graph({ symbol: 'checkNote' }),
    ]);
    expect(renamed).toMatch(/src\/note\.ts:2-4 {2}exported function checkNote/);
    expect(moved).toMatch(/src\/checks\.ts:2-4 {2}exported function checkNote/);
  });

  it('INT-4 know what an undo has put back', async () => {
    const edit = { path: 'src/note.ts', old_string: 'validateNote', new_string: 'checkNote' };
    const script: Script = [
      { toolCalls: [{ name: 'edit_file', args: edit }] },
      { toolCalls: [graph({ symbol: 'checkNote' }) as never] },
      { text: 'done' },
      { toolCalls: [graph({ symbol: 'validateNote' }) as never] },
      { text: 'done' },
    ];
    session = await beginWith(script, { watch: true }, FILES);
    await session.run('go');
    const undone = await session.engine.execute({ type: 'undoMessage', sessionId: session.sessionId });
    expect(undone).toMatchObject({ ok: true });
    await session.run('and now');
    expect(textOf(session.ofType('ToolFinished').at(-1)!.content)).toMatch(
      /src\/note\.ts:2-4 {2}exported function validateNote/,
    );
  });

  it('§5a look at nothing outside the workspace, whatever the spelling', async () => {
    const answers = await results([
      graph({ symbol: '../secret.ts:1' }),
      graph({ symbol: '/etc/passwd' }),
      graph({ action: 'path', symbol: 'saveNote', to: '../../x.ts:2' }),
      search({ query: 'root', path: '/etc' }),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^ERROR Refused \(stage 3/);
  });

  it('§5a read without trust, and write nothing into the workspace', async () => {
    const [found] = await results([search({ query: 'title must not be empty' })], { trust: false });
    expect(found).toMatch(/^1\. src\/note\.ts/);
    expect(readdirSync(session.world.workspace.path).sort()).toEqual(['src', 'test']);
  });

  it('§5a do not tell of a file that may not be read', async () => {
    const home = await createTempWorkspace({
      files: { 'keys.json': '{ "zebrakey": 1 }', 'a.ts': 'export const zebrakey = 1;\n' },
    });
    const script = [{ toolCalls: [search({ query: 'zebrakey' }) as never] }, { text: 'done' }];
    const server = await createMockModelServer(script);
    session = await ScriptedSession.begin({ home, workspace: home, server });
    await session.run('go');
    const text = textOf(session.ofType('ToolFinished')[0]!.content);
    expect(text).toContain('a.ts:1');
    expect(text).not.toContain('keys.json');
  });

  it('INT-2 answers are at most 8 KB, however much there is', async () => {
    const callers = Array.from(
      { length: 400 },
      (_, n) => `export function caller${n}(): void {\n  popular();\n}\n`,
    ).join('');
    const files = {
      'src/popular.ts': 'export function popular(): void {}\n',
      'src/callers.ts': `import { popular } from './popular.ts';\n${callers}`,
    };
    const [uses, found] = await results(
      [graph({ action: 'impact', symbol: 'popular' }), search({ query: 'popular caller', limit: 50 })],
      {},
      files,
    );
    for (const text of [uses!, found!]) expect(text.length).toBeLessThanOrEqual(8_000);
    expect(uses).toMatch(/May break: 400 symbols[\s\S]*… and \d+ more/);
  });

  it('INT-13 an engine that is never asked opens no index', async () => {
    await results([{ name: 'read_file', args: { path: 'src/note.ts' } }]);
    expect(existsSync(join(session.world.home.path, 'index'))).toBe(false);
  });
});
