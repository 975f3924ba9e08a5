import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FILES } from './fixtures/notes.ts';
import { Session } from './fixtures/session.ts';
import { ripgrepPath, toolsOver } from './fixtures/tiny-tools.ts';

let workspace: TempWorkspace;
let ripgrep: string;
beforeEach(async () => {
  ripgrep = await ripgrepPath();
  workspace = await createTempWorkspace({ files: FILES });
});
afterEach(() => workspace.dispose());

describe('a session', () => {
  it('IDE-28 answers queued questions too, but does nothing for a queued request that has effects', async () => {
    const session = new Session(toolsOver(workspace.path, ripgrep))
      .say('find saveNote')
      .say('replace note with memo')
      .say('who uses NoteStore');
    const answer = await session.answer();
    expect(answer).toMatch(/src\/store\.js:8[\s\S]*---[\s\S]*Not done, ask again[\s\S]*---[\s\S]*`NoteStore` is used/);
    expect(session.calls.map((call) => call.name)).not.toContain('edit_file');
  });

  it('IDE-28 takes a new message for a new request', async () => {
    const session = new Session(toolsOver(workspace.path, ripgrep)).say('find saveNote');
    await session.answer();
    expect(await session.say('who uses NoteStore').answer()).toMatch(/^`NoteStore` is used/);
    expect(await session.say('find saveNote').answer()).toContain('src/store.js:8');
  });

  const requests = [
    'where is the note title validated',
    'find "title must"',
    'explain src/store.js',
    'explain saveNote',
    'who uses x',
    'replace note with memo',
    'rename a to b in c.js',
    'run the tests',
    'run the tests in api',
    'read src/a.js',
    'list src/',
    'what does this project do',
    'go on',
  ];

  it('IDE-28 comes to an end and calls only tools that it was given, whatever the tools answer', async () => {
    const results = fc.oneof(
      fc.constantFrom(
        '',
        '[no matches]',
        'a.js:1:note\na.js:2:notes\n[9 matches in 1 files]',
        '1\tnote\n[lines 1-1 of 99; read on with offset 2]',
        'src/\npackage.json\napi/go.mod',
        '[Truncated by ContextManager to save budget]',
        'x\n[exit code 1, 0.1 s]',
        'Edited a.js (+1 −1).',
      ),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    const outputs = fc.record({
      type: fc.constantFrom('text' as const, 'text' as const, 'error-text' as const),
      value: results,
    });
    const names = fc.subarray(Object.keys(toolsOver('/', '')));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...requests),
        names,
        fc.array(outputs, { minLength: 1, maxLength: 12 }),
        async (says, allowed, replies) => {
          const tools = Object.fromEntries(allowed.map((name) => [name, () => '']));
          let at = 0;
          const session = new Session(tools, () => replies[at++ % replies.length]!);
          expect((await session.say(says).answer()).length).toBeGreaterThan(0);
          expect(session.turns).toBeLessThanOrEqual(says.startsWith('re') ? 40 : 10);
          expect(session.calls.filter((call) => !allowed.includes(call.name))).toEqual([]);
        },
      ),
    );
  });
});
