import { describe, expect, it } from 'vitest';
import { FILES } from './fixtures/notes.ts';
import { ASK_MODE, ask, ripgrep, useNotesWorkspace, workspace } from './fixtures/notes-workspace.ts';
import { Session } from './fixtures/session.ts';
import { attempt, toolsOver } from './fixtures/tiny-tools.ts';

useNotesWorkspace();

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

  it.each([
    ['a search that shows two hundred lines', 150, 30, 200],
    ['a search that shows few', 130, 2, 50],
  ])('IDE-28 refuses before the first edit, whatever the search shows: %s', async (_, files, lines, most) => {
    for (let n = 0; n < files; n++) await workspace.write(`many/f${n}.txt`, 'old\n'.repeat(lines));
    const before = await workspace.snapshot();
    const { answer, session } = await ask('replace old with new', { most });
    expect(answer).toMatch(new RegExp(`^Nothing changed: .* ${files} files.*too many`));
    expect(session.calls.map((call) => call.name)).not.toContain('edit_file');
    expect(await workspace.snapshot()).toEqual(before);
  });

  it.each([
    ['old', 'new'],
    ['old', 'old and new'],
  ])('IDE-28 changes every place of many, also where the new text holds the old: %s, %s', async (from, to) => {
    const names = ['a b.txt', 'a,b.txt', 'a{b}.txt', '[x]/[y].txt', 'plain.txt', 'more.txt'];
    for (const name of names) await workspace.write(`many/${name}`, `${from}\n`.repeat(40));
    const { answer, session } = await ask(`replace "${from}" with "${to}" in many/`, { most: 50 });
    expect(answer).toContain('in 240 places of 6 files');
    for (const name of names) expect(await workspace.read(`many/${name}`)).toBe(`${to}\n`.repeat(40));
    expect(session.turns).toBeLessThanOrEqual(40);
  });

  it('IDE-28 changes a file with more places than a search shows', async () => {
    await workspace.write('one.txt', 'old\n'.repeat(120));
    expect((await ask('replace old with new in one.txt', { most: 50 })).answer).toContain('120 places of 1 file');
  });

  it('IDE-28 says how many files were not tried after a refusal', async () => {
    for (let n = 0; n < 30; n++) await workspace.write(`many/f${n}.txt`, 'old\n');
    const tools = toolsOver(workspace.path, ripgrep);
    const session = new Session(tools, (call) =>
      call.name === 'edit_file' ? { type: 'error-text', value: 'Refused: no.' } : attempt(tools, call),
    );
    expect(await session.say('replace old with new').answer()).toContain('10 more files of 30 were not tried');
  });

  it('IDE-28 says which other places keep the old name', async () => {
    const { answer } = await ask('rename saveNote to storeNote in src/store.js');
    expect(answer).toMatch(/2 other lines outside `src\/store\.js` keep the old name[\s\S]*src\/main\.js:4/);
    expect((await ask('rename search to look')).answer).not.toContain('keep the old name');
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

  it('IDE-28 hands the path on to the script of the whole project', async () => {
    await workspace.write('package.json', '{ "scripts": { "test": "node run.mjs" } }');
    await workspace.write('run.mjs', 'console.log("ran", process.argv.slice(2).join());\nprocess.exit(1);\n');
    await workspace.write('packages/api/a.js', '');
    const { answer, session } = await ask('run the tests in packages/api');
    expect(session.calls.at(-1)).toMatchObject({ args: { command: 'npm test -- packages/api' } });
    expect(answer).toContain('ran packages/api');
  });

  it('IDE-28 counts what could not run, and says where all of the output is', async () => {
    const output = [
      'FAILED t.py::test_a - ValueError: x',
      ...Array.from({ length: 30 }, (_, n) => `ERROR t.py::test_${n} - no fixture`),
      '=== 1 failed, 30 errors in 1.00s ===',
      '[the whole output, 99999 bytes, is in /tmp/o/call.txt; search it with a command]',
    ];
    await workspace.write('package.json', '{ "scripts": { "test": "cat out.txt; exit 1" } }');
    await workspace.write('out.txt', output.join('\n'));
    const { answer } = await ask('run the tests');
    expect(answer).toMatch(/^1 test failed, 30 could not run; /);
    expect(answer).toContain('- `t.py::test_a`: ValueError: x');
    expect(answer).toMatch(/Could not run:\n- .* and 28 more: no fixture/);
    expect(answer).toContain('The whole output: `/tmp/o/call.txt`');
    expect(answer).not.toContain('search it with');
  });

  it('IDE-28 says when nothing tells how they run', async () => {
    await workspace.write('package.json', '{}');
    expect((await ask('run the tests')).answer).toMatch(/nothing that tells how/);
  });
});
