import { findProcesses, PNG, type Script, type ScriptToolCall } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { FILES, logs, terminal, usage } from './in-terminal.ts';

describe('the terminal UI', () => {
  it('IDE-83 first start shows three things to try in this workspace and the status line', async () => {
    await using tui = await terminal([]);
    const { shown } = tui;
    const screen = await shown.waitFor('To try here');
    expect(screen).toContain('Run the tests');
    expect(screen).toContain('Explain src/store.ts');
    expect(screen).toContain('What does this project do?');
    expect(await shown.waitFor(/· main$/m)).toMatch(/^Agent · anthropic\/claude-sonnet-5-5 · \$0\.00 · main$/m);
    await shown.press('Tab');
    await shown.waitFor(/─\nRun the tests\n─/);
    await shown.press('C-c');
    await shown.waitForGone(/─\nRun the tests\n─/);
    await shown.press('C-d');
    await shown.waitFor('ended: 0');
    // Nothing was said, so nothing is kept.
    expect(await logs(tui.home)).toBe('');
  });

  it('tells how to add a model where there is none', async () => {
    await using tui = await terminal([], {
      env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined },
    });
    const screen = await tui.shown.waitFor('export ANTHROPIC_API_KEY=');
    expect(screen).toContain('offline/offline');
    expect(screen).toContain('black auth set anthropic');
  });

  it('runs a task with an edit and a command that is approved by a key, and keeps it for -c', async () => {
    await using tui = await terminal([
      { toolCalls: [{ name: 'read_file', args: { path: 'src/store.ts' } }], usage },
      {
        toolCalls: [{ name: 'edit_file', args: { path: 'src/store.ts', old_string: 'hello', new_string: 'good day' } }],
        usage,
      },
      { toolCalls: [{ name: 'run_command', args: { command: 'npm   test -- --tricky \u202e' } }], usage },
      { text: '## Done\n\nChanged **the greeting**.', usage },
      { text: 'You are welcome.', usage },
    ]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('Change the greeting');
    await shown.press('Enter');
    const card = await shown.waitFor('1–2 answers');
    expect(card).toContain('› Change the greeting');
    expect(card).toContain('▸ Read src/store.ts 1–1');
    expect(card).toContain('✎ src/store.ts +1 −1');
    expect(card).toContain('Run this command?');
    // The whole command, hidden characters made visible.
    expect(card).toContain('$ npm   test -- --tricky <U+202E>');
    await shown.type('1');
    await shown.waitFor('Changed the greeting.');
    expect(await shown.screen()).toMatch(/▸ \$ npm test.* [✓✗]/);
    expect(await tui.workspace.read('src/store.ts')).toContain('good day');

    await shown.press('C-o');
    const details = await shown.waitFor('Details');
    expect(details).toContain("+export const greeting = 'good day';");
    await shown.press('C-o');
    await shown.waitForGone('Details');
    await shown.press('C-d');
    await shown.waitFor(/black -c goes on/);

    await using second = await tui.again({ args: ['-c', 'Thank you'] });
    const screen = await second.waitFor('You are welcome.');
    expect(screen).toContain('Changed the greeting.');
  });

  it('IDE-88 fits 40 columns: status on one line, card and answer whole', async () => {
    await using tui = await terminal(
      [
        {
          toolCalls: [{ name: 'run_command', args: { command: 'make a-rather-long-target with-some-words and-more' } }],
          usage,
        },
        { text: 'Over.', usage },
      ],
      { columns: 40, rows: 20 },
    );
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    const card = await shown.waitFor('1–4 answers');
    expect(card.replace(/\n│ /g, ' ')).toContain('make a-rather-long-target with-some-words and-more');
    const status = card.split('\n').at(-1)!;
    expect(status).toMatch(/^Agent · \S+ · \d+ % · \$\d/);
    expect(status.length).toBeLessThanOrEqual(40);
    await shown.type('2');
    await shown.waitFor('Why?');
    await shown.type('use npm');
    await shown.press('Enter');
    await shown.waitFor('Over.');
    expect(await logs(tui.home)).toContain('"value":"deny","by":"terminal","text":"use npm"');
  });

  it('IDE-49 IDE-50 /changes: keeps one file, takes another back, undoes the message, brings it back; names a conflict', async () => {
    const edits: ScriptToolCall[] = [
      { name: 'edit_file', args: { path: 'src/store.ts', old_string: 'hello', new_string: 'good day' } },
      { name: 'edit_file', args: { path: 'README.md', old_string: 'Shop', new_string: 'The shop' } },
      { name: 'run_command', args: { command: 'rm src/cart.ts; echo made > made.txt' } },
    ];
    await using tui = await terminal(
      [
        { toolCalls: edits, usage },
        { text: 'All changed.', usage },
      ],
      {
        args: ['--auto-approve'],
      },
    );
    const { shown, workspace } = tui;
    await shown.waitFor('To try here');
    await shown.type('Change things');
    await shown.press('Enter');
    await shown.waitFor('4 files changed · /changes · /keep · /undo');
    await shown.type('/changes');
    await shown.press('Enter');
    const screen = await shown.waitFor('+export const greeting');
    expect(screen).toMatch(/^Changes · 4 pending of 4\n› ✎ src\/store\.ts {2}\+1 −1\n {2}✎ README\.md {2}\+1 −1\n/);
    expect(screen).toMatch(/✎ made\.txt {2}created \+1\n {2}✎ src\/cart\.ts {2}deleted −1/);
    await shown.type('k');
    await shown.waitFor('Kept src/store.ts.');
    await shown.press('Down');
    await shown.waitFor('+# The shop');
    await shown.type('r');
    await shown.waitFor('Took back README.md.');
    expect(await workspace.read('README.md')).toBe(FILES['README.md']);
    await shown.type('u');
    await shown.waitFor(/Took back .*src\/cart\.ts/);
    expect(await workspace.read('src/cart.ts')).toBe(FILES['src/cart.ts']);
    expect(Object.keys(await workspace.snapshot())).not.toContain('made.txt');
    await shown.type('y');
    await shown.waitFor(/Brought back .*made\.txt/);
    expect(await workspace.read('made.txt')).toBe('made\n');
    await workspace.write('made.txt', 'mine\n');
    await shown.type('u');
    await shown.waitFor('made.txt: it holds changes made since');
    expect(await workspace.read('made.txt')).toBe('mine\n');
    expect(await workspace.read('src/store.ts')).toContain('good day');
    await shown.press('Escape');
    await shown.waitFor('· kept src/store.ts');
    await shown.type('/undo src/store.ts');
    await shown.press('Enter');
    await shown.waitFor('· took back src/store.ts');
    expect(await workspace.read('src/store.ts')).toBe(FILES['src/store.ts']);
  });

  it('a key that comes with the question is no answer to it', async () => {
    await using tui = await terminal([
      { toolCalls: [{ name: 'run_command', args: { command: 'make all' } }], gate: 'ask', usage },
      { text: 'Over.', usage },
    ]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor(/working|writing/);
    server.release('ask');
    // Keys come all the time, as from somebody who writes on or holds Enter: none of them may answer.
    for (let at = 0; at < 20; at++) await shown.press('Enter');
    await shown.waitFor('1–4 answers');
    expect(await logs(tui.home)).not.toContain('"response"');
    // A number that no answer has is no word either.
    await shown.type('7');
    await shown.press('Tab', 'Enter');
    await shown.waitFor('Over.');
    expect(await shown.screen()).not.toMatch(/^7/m);
  });

  it('IDE-20 Ctrl+C ends a running command with its children within a second, twice leaves', async () => {
    await using tui = await terminal(
      [
        { toolCalls: [{ name: 'run_command', args: { command: 'echo started; sleep 987' } }], usage },
        { text: 'never', usage },
      ],
      { args: ['--auto-approve'] },
    );
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('wait');
    await shown.press('Enter');
    await shown.waitFor(/… \$ echo started; sleep 987[\s\S]*started/);
    const pressed = performance.now();
    await shown.press('C-c');
    await shown.waitFor('✗ Cancelled.');
    expect(performance.now() - pressed).toBeLessThan(1_000);
    expect(findProcesses(process.pid).filter(({ command }) => command.includes('sleep 987'))).toEqual([]);
    await shown.press('C-c');
    await shown.waitFor('ended: 0');
  });

  it('IDE-21 queues what is sent meanwhile, shows it, and steers with it', async () => {
    await using tui = await terminal([
      { text: 'First part', gate: { name: 'go', afterEvents: 4 }, usage },
      { text: 'Now the other way.', usage },
    ]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.type('one');
    await shown.press('Enter');
    await shown.waitFor(/working|writing/);
    await shown.type('two');
    await shown.press('Enter');
    await shown.waitFor('queued: two');
    server.release('go');
    const screen = await shown.waitFor('Now the other way.');
    expect(screen).not.toContain('queued');
    expect(screen).toMatch(/› one[\s\S]*First part[\s\S]*› two[\s\S]*Now the other way\./);
  });

  it('changes the model with completion, tells the cost, and opens another session with search', async () => {
    await using tui = await terminal([
      { text: 'Alpha.', usage },
      { text: 'Beta.', usage },
    ]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.type('first task');
    await shown.press('Enter');
    await shown.waitFor('Alpha.');
    await shown.type('/new');
    await shown.press('Enter');
    await shown.waitFor('new session');
    await shown.type('/model gpt-4.1-m');
    await shown.waitFor('→ openai/gpt-4.1-mini');
    await shown.press('Tab', 'Enter');
    await shown.waitFor(/^Agent · openai\/gpt-4\.1-mini/m);
    await shown.type('second task');
    await shown.press('Enter');
    await shown.waitFor('Beta.');
    expect(server.modelCalls().at(-1)).toMatchObject({ wire: 'chat' });
    await shown.type('/cost');
    await shown.press('Enter');
    expect(await shown.waitFor('context: ')).toMatch(/1 turn · 1\.0k tokens in, 100 out · \$0\.00/);
    await shown.type('/resume');
    await shown.press('Enter');
    const list = await shown.waitFor('Search:');
    expect(list).toMatch(/second task[\s\S]*first task/);
    await shown.type('first');
    await shown.waitForGone('second task');
    await shown.press('Enter');
    await shown.waitFor(/─── first task ───[\s\S]*› first task[\s\S]*Alpha\./);
    expect(await shown.screen()).toMatch(/^Agent · anthropic/m);
  });

  it('SES-17 SES-24 /compact sums up, /cost tells what it cost, /export writes the session down once', async () => {
    await using tui = await terminal([
      { text: `Alpha.${' This was said at length.'.repeat(300)}`, usage },
      { text: 'That was it.', usage },
      { text: '## Goal\nAlpha was said.', usage },
      { text: 'Beta.', usage },
    ]);
    const { shown, server, workspace } = tui;
    await shown.waitFor('To try here');
    await shown.type('first task');
    await shown.press('Enter');
    await shown.waitFor(/at length\.[\s\S]*· 0 % ·/);
    await shown.type('go on');
    await shown.press('Enter');
    await shown.waitFor('That was it.');
    await shown.type('/compact keep the names');
    await shown.press('Enter');
    await shown.waitFor('summed up what came before');
    expect(JSON.stringify(server.modelCalls().at(-1)!.body)).toContain('keep the names');
    await shown.type('/cost');
    await shown.press('Enter');
    expect(await shown.waitFor('context: the next answer tells')).toContain('3.0k tokens in, 300 out');
    await shown.type('second task');
    await shown.press('Enter');
    await shown.waitFor(/Beta\.[\s\S]*· 0 % ·/);
    expect(JSON.stringify(server.modelCalls().at(-1)!.body)).toContain('Alpha was said.');
    await shown.type('/export');
    await shown.press('Enter');
    const wrote = await shown.waitFor(/black-\d{4}\S+\.html/);
    const page = /black-\d{4}\S+\.html/.exec(wrote)![0];
    expect(await workspace.read(page)).toMatch(/first task[\s\S]*Alpha\.[\s\S]*second task[\s\S]*Beta\./);
    await shown.type('/export');
    await shown.press('Enter');
    await shown.waitFor(/exists\s+already/);
    await shown.press('C-o');
    const details = await shown.waitFor('Details');
    expect(details.match(/Beta\./g)).toHaveLength(1);
  });

  it('completes files after @ and sends their paths; attaches an image that is named', async () => {
    await using tui = await terminal([{ text: 'Seen.', usage }]);
    const { shown, server, workspace } = tui;
    await workspace.write('shot 1.png', PNG);
    await shown.waitFor('To try here');
    await shown.type('look at @car');
    await shown.waitFor('→ src/cart.ts');
    await shown.press('Tab');
    await shown.type('and "shot 1.png"');
    await shown.press('Enter');
    const screen = await shown.waitFor('Seen.');
    expect(screen).toContain('+ 1 image');
    const body = JSON.stringify(server.modelCalls()[0]);
    expect(body).toContain('look at src/cart.ts and');
    expect(body).toContain('image/png');
  });

  it('folds a paste of 10,000 lines and sends it whole; several lines and wide characters stay as written', async () => {
    await using tui = await terminal([
      { text: 'Read.', usage },
      { text: 'Both.', usage },
    ]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.paste(Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join('\n'));
    await shown.waitFor('[paste #1 +10000 lines]');
    await shown.press('Enter');
    await shown.waitFor('Read.');
    expect(JSON.stringify(server.modelCalls()[0])).toContain('line 9999');
    await shown.type('漢字 e\u0301');
    await shown.press('M-Enter');
    await shown.type('second\\');
    await shown.press('Enter');
    await shown.type('third');
    await shown.waitFor(/漢字 e\u0301\nsecond\nthird/);
    await shown.press('Enter');
    await shown.waitFor('Both.');
    expect(JSON.stringify(server.modelCalls()[1])).toContain('漢字 e\u0301\\nsecond\\nthird');
    // The history keeps it, over a restart too.
    await shown.press('C-d');
    await shown.waitFor('ended: 0');
    await using second = await tui.again();
    await second.waitFor('To try here');
    await second.press('Up');
    await second.waitFor(/─\n漢字 e\u0301\nsecond\nthird\n─/);
  });

  it('nothing in an answer or a command’s output moves the cursor, recolours or hides', async () => {
    const evil = 'A\u001b[2J\u001b[H\u001b]0;title\u0007B\u202eC\u009b31mD\rE';
    await using tui = await terminal([{ text: evil, usage }]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    const screen = await shown.waitFor('A␛[2J␛[H␛]0;title␇B<U+202E>C<U+009B>31mD␍E');
    expect(screen).toContain('To try here');
  });

  it('keeps the scrollback whole while lines stream, and survives resizes', async () => {
    const lines = Array.from({ length: 120 }, (_, line) => `row ${line} of the answer`).join('\n\n');
    await using tui = await terminal([{ text: lines, split: 7, gate: { name: 'rest', afterEvents: 120 }, usage }]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('row 36 of', { scrollback: true });
    await shown.waitFor('writing');
    await shown.resize(50, 18);
    await shown.waitFor(/^─{50}$/m);
    await shown.resize(90, 30);
    await shown.waitFor(/^─{90}$/m);
    server.release('rest');
    await shown.waitFor('row 119 of the answer');
    await shown.waitForGone('writing');
    const all = (await shown.screen({ scrollback: true })).match(/row \d+ of the answer/g);
    expect(all).toEqual(Array.from({ length: 120 }, (_, line) => `row ${line} of the answer`));
    const whole = await shown.screen({ scrollback: true });
    expect(whole.match(/^Agent · /gm), whole).toHaveLength(1);
  });

  it('IDE-88 a terminal that is closed in mid-stream cancels the task; the session stays whole', async () => {
    await using tui = await terminal([
      { text: 'Half of it and more to come', split: 5, gate: { name: 'never', afterEvents: 4 }, usage },
      { text: 'Going on.', usage },
    ]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('Half');
    await shown.hangUp();
    await expect.poll(() => logs(tui.home), { timeout: 10_000 }).toContain('"task_end"');
    await using second = await tui.again({ args: ['-c'] });
    await second.waitFor('Cancelled');
    await second.type('go on');
    await second.press('Enter');
    await second.waitFor('Going on.');
  });

  it('IDE-88 starts with a state folder that cannot be written, and says so', async () => {
    await using tui = await terminal([{ text: 'Here.', usage }], { env: { BLACKIDE_HOME: '/proc/nowhere' } });
    const { shown } = tui;
    expect(await shown.waitFor('To try here')).toContain('This session is not saved.');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('Here.');
    await shown.press('C-d');
    expect(await shown.waitFor('ended: 0')).not.toContain('is kept');
  });

  it('1 MB of output a second leaves the keyboard free', async () => {
    const command = "while :; do head -c 100000 /dev/zero | tr '\\0' x | fold; sleep 0.1; done";
    await using tui = await terminal([{ toolCalls: [{ name: 'run_command', args: { command } }], usage }], {
      args: ['--auto-approve'],
    });
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('xxxxxxxx');
    await shown.type('still here');
    expect(await shown.waitFor('still here')).toContain('xxxxxxxx');
    await shown.press('C-c');
    await shown.waitFor('Cancelled.');
  });

  it('can be suspended and goes on as it was', async () => {
    await using tui = await terminal([{ text: 'Here.', usage }]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('a draft');
    await shown.waitFor(/^a draft$/m);
    await shown.press('C-z');
    await shown.waitFor('Stopped');
    await shown.type('fg');
    await shown.press('Enter');
    await shown.waitFor(/^a draft$/m);
    await shown.press('Enter');
    expect(await shown.waitFor('Here.')).toContain('› a draft');
  });

  it('goes on as it was when it was stopped from outside, in whichever way', async () => {
    await using tui = await terminal([{ text: 'Here.', usage }]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('a draft');
    await shown.waitFor(/^a draft$/m);
    for (const name of ['SIGTSTP', 'SIGSTOP'] as const) {
      await shown.signal(name);
      await shown.waitFor(/Stopped[\s\S]*^shell>/m);
      await shown.type('clear; fg');
      await shown.press('Enter');
      await shown.waitFor(/^\/.*\/black$[\s\S]*^a draft$/m);
      // The keys are ours, not the line editor's of the terminal.
      await shown.press('!', 'BSpace');
      await shown.press('Home', 'x');
      await shown.waitFor(/^xa draft$/m);
      await shown.press('Home', 'DC');
      await shown.waitFor(/^a draft$/m);
    }
    await shown.press('Enter');
    expect(await shown.waitFor('Here.')).toContain('› a draft');
  });

  it('--plain, TERM=dumb and a locale without UTF-8 get plain appended lines', async () => {
    const script: Script = [
      { toolCalls: [{ name: 'run_command', args: { command: 'make x' } }], usage },
      { text: 'Over — now.', usage },
    ];
    await using tui = await terminal(script, { env: { TERM: 'dumb', LANG: 'C' } });
    const { shown } = tui;
    await shown.waitFor('Your message:');
    await shown.type('go');
    await shown.press('Enter');
    const card = await shown.waitFor('Answer with the number');
    expect(card).toContain('1 Allow once');
    await shown.type('2 use npm');
    await shown.press('Enter');
    await shown.waitFor('Over - now.');
    await shown.type('/help');
    await shown.press('Enter');
    const help = await shown.waitFor(/suspend\n\nAgent, .*Your message:$/);
    expect(help).not.toContain('Ctrl+O');
    await shown.press('C-c');
    await shown.waitFor('Ctrl+C again leaves.');
    const raw = await shown.screen({ escapes: true });
    expect(raw).not.toContain('\u001b');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing but ASCII
    expect(raw).toMatch(/^[\u0000-\u007f]*$/);
    await shown.type('/quit');
    await shown.press('Enter');
    await shown.waitFor('ended: 0');
  });
});
