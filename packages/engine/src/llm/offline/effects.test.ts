import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FILES } from './fixtures/notes.ts';
import { missingPlaces } from './fixtures/places.ts';
import { Session } from './fixtures/session.ts';
import { attempt, ripgrepPath, toolsOver } from './fixtures/tiny-tools.ts';

let workspace: TempWorkspace;
let ripgrep: string;
beforeEach(async () => {
  ripgrep = await ripgrepPath();
  workspace = await createTempWorkspace({ files: FILES });
});
afterEach(() => workspace.dispose());

/** Asks in the workspace, with all tools but those that are left out. */
async function ask(text: string, { without = [] as string[], most = 200 } = {}) {
  const tools = toolsOver(workspace.path, ripgrep, { most });
  for (const name of without) delete tools[name];
  const session = new Session(tools).say(text);
  const answer = await session.answer();
  expect(missingPlaces(answer, workspace.path)).toEqual([]);
  return { answer, session };
}

const ASK_MODE = { without: ['edit_file', 'run_command'] };

describe('replace', () => {
  it('IDE-28 replaces whole words everywhere and leaves longer words alone', async () => {
    const before = await workspace.snapshot();
    const { answer, session } = await ask('replace note with memo in src');
    expect(answer).toMatch(
      /^Replaced `note` with `memo` in 10 places of 2 files\.[\s\S]*`src\/note\.js`: 3[\s\S]*longer word[\s\S]*text/,
    );
    expect(await workspace.read('src/store.js')).toBe(FILES['src/store.js'].replace(/\bnote\b/g, 'memo'));
    expect(await workspace.read('src/note.js')).toBe(FILES['src/note.js'].replace(/\bnote\b/g, 'memo'));
    const after = await workspace.snapshot();
    for (const path of ['README.md', 'docs/guide.md', 'test/store.test.js']) expect(after[path]).toEqual(before[path]);
    expect(session.turns).toBeLessThanOrEqual(8);
  });

  it('IDE-28 renames in one file, found by part of its path, and says that it is text', async () => {
    const { answer } = await ask('rename saveNote to storeNote in store.js');
    expect(answer).toMatch(/in 1 place of 1 file[\s\S]*did not rename a symbol/);
    expect(await workspace.read('src/store.js')).toContain('storeNote(note)');
    expect(await workspace.read('src/main.js')).toContain('saveNote');
  });

  it.each([
    ['replace zebra with horse', /there is no `zebra`/],
    ['replace NOTESTORE with x', /other capitals/],
    ['replace oteStor with x', /only part of longer words/],
    ['replace note with memo in nowhere.js', /no file or folder `nowhere\.js`/],
    ['replace note with memo in moon', /`memo in moon` may be the new text/],
    ['replace note with memo in ../other', /Refused \(stage 3/],
    ['replace a with b with c', /quotes/],
  ])('IDE-28 changes nothing: %s', async (says, words) => {
    const before = await workspace.snapshot();
    expect((await ask(says)).answer).toMatch(words);
    expect(await workspace.snapshot()).toEqual(before);
  });

  it('IDE-28 has no tool to edit in Ask mode and says what it would have done', async () => {
    const { answer, session } = await ask('replace note with memo in src', ASK_MODE);
    expect(answer).toMatch(/Nothing changed[\s\S]*10 places of 2 files[\s\S]*--mode agent/);
    expect(session.calls.map((call) => call.name)).not.toContain('edit_file');
  });

  it('IDE-28 goes through many files in few turns, also where a search shows only some of its hits', async () => {
    for (let n = 0; n < 45; n++) await workspace.write(`many/f${n}.txt`, 'old text\nolder\nold old\n');
    const { answer, session } = await ask('replace "old" with "new" in many/', { most: 50 });
    expect(answer).toContain('in 135 places of 45 files');
    expect(session.turns).toBeLessThanOrEqual(24);
    for (let n = 0; n < 45; n++) expect(await workspace.read(`many/f${n}.txt`)).toBe('new text\nolder\nnew new\n');
  });

  it('IDE-28 refuses to touch more than a hundred files at once', async () => {
    for (let n = 0; n < 120; n++) await workspace.write(`many/f${n}.txt`, 'old\n');
    const { answer, session } = await ask('replace old with new');
    expect(answer).toMatch(/120 files: too many/);
    expect(session.calls.map((call) => call.name)).not.toContain('edit_file');
  });

  it('IDE-28 reports what was refused, and stops asking', async () => {
    for (let n = 0; n < 30; n++) await workspace.write(`many/f${n}.txt`, 'old\n');
    const tools = toolsOver(workspace.path, ripgrep);
    const session = new Session(tools, (call) =>
      call.name === 'edit_file'
        ? { type: 'error-text', value: 'Refused (stage 5, user deny): not today.' }
        : attempt(tools, call),
    );
    expect(await session.say('replace old with new').answer()).toMatch(/Nothing changed[\s\S]*not today/);
    expect(session.calls.filter((call) => call.name === 'edit_file')).toHaveLength(20);
  });

  it.each([
    ['it had not happened', false],
    ['it had happened', true],
  ])('IDE-28 killed at any call and told to go on, it ends with the same bytes (%s)', async (_, happened) => {
    const says = 'replace note with memo';
    const whole = await ask(says);
    const wanted = await workspace.snapshot();
    for (let kill = 0; kill < whole.session.calls.length; kill++) {
      for (const [path, text] of Object.entries(FILES)) await workspace.write(path, text);
      const tools = toolsOver(workspace.path, ripgrep);
      let left = kill;
      const session = new Session(tools, (call) => {
        if (left-- > 0) return attempt(tools, call);
        if (left < -1) return { type: 'error-text', value: 'Not run. The run before had stopped.' };
        if (happened) attempt(tools, call);
        return {
          type: 'error-text',
          value: 'Interrupted: it was begun and may have had effects. Look before you repeat it.',
        };
      });
      await session
        .say(says)
        .answer(0)
        .catch(() => undefined);
      while (left >= 0) await session.answer(0).catch(() => undefined);
      left = Number.POSITIVE_INFINITY;
      expect(await session.say('go on').answer(), `killed at ${kill}`).toMatch(/^Replaced/);
      expect(await workspace.snapshot(), `killed at ${kill}`).toEqual(wanted);
      expect(await session.say('continue').answer()).toMatch(/Nothing is left to do/);
    }
  });
});

describe('run the tests', () => {
  it('IDE-28 runs them, names what failed and shows where', async () => {
    const { answer, session } = await ask('run the tests and read the failure');
    expect(answer).toMatch(
      /^1 test failed; the command ended with exit code 1[\s\S]*`npm test`[\s\S]*- `search ignores capitals`[\s\S]*`test\/store\.test\.js:8`, where the test failed[\s\S]*I cannot work out/,
    );
    expect(session.calls.filter((call) => call.name === 'run_command')).toEqual([
      { name: 'run_command', args: { command: 'npm test', timeout_seconds: 600 } },
    ]);
    expect(session.turns).toBeLessThanOrEqual(8);
  });

  it('IDE-28 says when they pass, and when there were none', async () => {
    await workspace.write('test/store.test.js', "import { test } from 'node:test';\ntest('ok', () => {});\n");
    expect((await ask('do the tests pass?')).answer).toMatch(/^The tests pass: `npm test`/);
    await workspace.write('package.json', '{ "scripts": { "test": "echo Ran 0 tests in 0.0s" } }');
    await workspace.write('test/store.test.js', '');
    expect((await ask('run the tests')).answer).toMatch(/^No test ran: `npm test`/);
  });

  it('IDE-28 finds them in the only project below, or asks which', async () => {
    await workspace.write('package.json', '{}');
    await workspace.write('api/Makefile', 'test:\n\techo fine\n');
    const { answer, session } = await ask('run the tests');
    expect(answer).toMatch(/^The tests pass: `make test` in `api`/);
    expect(session.calls.at(-1)).toMatchObject({ name: 'run_command', args: { cwd: 'api' } });
    await workspace.write('web/package.json', '{}');
    expect((await ask('run the tests')).answer).toMatch(/name one[\s\S]*run the tests in api/);
    expect((await ask('run the tests in api')).answer).toMatch(/^The tests pass/);
  });

  it('IDE-28 only names the command where it may not run it, or is only asked for it', async () => {
    expect((await ask('run the tests', ASK_MODE)).answer).toMatch(/did not run[\s\S]*`npm test`[\s\S]*--mode agent/);
    const { answer, session } = await ask('how do I run the tests?');
    expect(answer).toMatch(/run with `npm test`/);
    expect(session.calls.map((call) => call.name)).not.toContain('run_command');
  });

  it('IDE-28 tells what the gate said, and does not try again', async () => {
    const tools = toolsOver(workspace.path, ripgrep);
    const session = new Session(tools, (call) =>
      call.name === 'run_command' ? { type: 'execution-denied', reason: 'You said no.' } : attempt(tools, call),
    );
    expect(await session.say('run the tests').answer()).toMatch(/did not run to their end: You said no\./);
    expect(session.calls.filter((call) => call.name === 'run_command')).toHaveLength(1);
  });

  it('IDE-28 says when nothing tells how they run', async () => {
    await workspace.write('package.json', '{}');
    expect((await ask('run the tests')).answer).toMatch(/nothing that tells how/);
  });
});
