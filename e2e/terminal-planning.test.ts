import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script, TerminalOptions, Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { terminalStage } from './terminal-stage.ts';

const usage = { input: 1_000, output: 100 };
/** Ten words. */
const TASK = 'change the greeting in the store to good day please';
const PLAN = `# Greeting\n\nIn \`src/store.ts\` hello becomes good day.\n\n${'More words about it.\n\n'.repeat(30)}## The end\n`;
const TASKS = '- [ ] change the greeting\n- [ ] run the tests';

const artifact = (kind: string, content: string) => ({ name: 'create_artifact', args: { kind, content } });
const steps = (first: string, second: string) => ({
  name: 'update_plan',
  args: {
    steps: [
      { step: 'change the greeting', status: first },
      { step: 'run the tests', status: second },
    ],
  },
});
const planned: Turn[] = [
  { toolCalls: [{ name: 'read_file', args: { path: 'src/store.ts' } }], usage },
  { toolCalls: [artifact('implementation_plan', PLAN), artifact('task_list', TASKS)], usage },
  { text: 'The plan is ready.', usage },
];
const executed: Turn[] = [
  { toolCalls: [steps('in_progress', 'pending')], usage },
  {
    toolCalls: [
      { name: 'edit_file', args: { path: 'src/store.ts', old_string: 'hello', new_string: 'good day' } },
      steps('completed', 'in_progress'),
    ],
    gate: 'edit',
    usage,
  },
  { toolCalls: [artifact('walkthrough', '# Walkthrough\n\nThe greeting is **new**.')], gate: 'end', usage },
  { text: 'All done.', usage },
];

async function terminal(script: Script, options: Partial<TerminalOptions> = {}) {
  const files = { 'src/store.ts': "export const greeting = 'hello';\n" };
  const env = { BLACK_PLANNING: undefined, ...options.env };
  const stage = await terminalStage(script, { files }, { ...options, env });
  const say = async (text: string) => {
    await stage.shown.type(text);
    await stage.shown.press('Enter');
  };
  return { ...stage, say };
}

/** An editor that says how many files it was given, and at Enter puts a line in front of the first. */
async function editorIn(folder: string): Promise<string> {
  const path = join(folder, 'editor');
  await writeFile(
    path,
    '#!/bin/sh\necho "editing $#"\nread -r _\nsed -i "1i EDITED BY HAND" "$1"\necho "- [ ] added by hand" >> "$2"\n',
  );
  await chmod(path, 0o755);
  return path;
}

describe('planning in the terminal UI', () => {
  it('IDE-32 IDE-33 plan with artifacts → read → edited → approved → progress → walkthrough', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'black-editor-'));
    await using tui = await terminal([...planned, ...executed], { env: { EDITOR: await editorIn(folder) } });
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await tui.say(TASK);
    const card = await shown.waitFor('1–3 answers');
    expect(card).toContain('Carry out this plan?');
    expect(card).toContain('│ - [ ] run the tests');
    expect(card).toMatch(/1 Approve & Execute +2 Reject & Revise +3 Edit first/);
    expect(card).toMatch(/4 ▸ implementation plan · \d+ lines +5 ▸ task list · 2 lines/);
    expect(card).toContain('✎ Implementation plan');
    expect(card).toMatch(/^Agent, planning · /m);

    await shown.type('4');
    const pager = await shown.waitFor('implementation plan · .blackide/artifacts/');
    expect(pager).toContain('Greeting');
    await shown.press('Escape');
    await shown.waitFor('1–3 answers');

    await shown.type('3');
    await shown.waitFor('editing 2');
    await shown.press('Enter');
    await shown.waitFor(/│ - \[ \] added by hand[\s\S]*task list · 3 lines[\s\S]*1–3 answers/);
    await shown.type('1');
    await shown.waitFor(/▸ change the greeting\n· run the tests/);
    expect(server.modelCalls().at(-1)!.request!.system).toMatch(/EDITED BY HAND[\s\S]*added by hand/);
    server.release('edit');
    await shown.waitFor(/✓ change the greeting\n▸ run the tests/);
    server.release('end');
    const end = await shown.waitFor('All done.');
    expect(end).toContain('The greeting is new.');
    expect(end).toContain('✎ Walkthrough');
    expect(end).not.toMatch(/^▸ run the tests/m);
    expect(end).toMatch(/^Agent · /m);
    expect(await tui.workspace.read('src/store.ts')).toContain('good day');
    await rm(folder, { recursive: true });
  });

  it('IDE-34 IDE-35 a message is refused while the plan waits; kill -9, and the card is back and approves', async () => {
    await using tui = await terminal({
      match: 'conversation',
      turns: [...planned, ...executed.slice(0, 1), executed[3]!],
    });
    const { shown } = tui;
    await shown.waitFor('To try here');
    await tui.say(TASK);
    await shown.waitFor('1–3 answers');
    await tui.say('hello');
    await shown.waitFor('A plan waits for your answer');
    await shown.press('C-u');
    await shown.waitFor('1–3 answers');
    await shown.kill();
    await using second = await tui.again({ args: ['-c'] });
    const card = await second.waitFor('1–3 answers');
    expect(card).toContain('Carry out this plan?');
    await second.type('1');
    await second.waitFor('All done.');
  });

  it('IDE-32 IDE-35 rejected with words it is made anew; another session drops it and says so', async () => {
    await using tui = await terminal([
      ...planned,
      { toolCalls: [artifact('task_list', '- [ ] smaller')], usage },
      { text: 'Smaller.', usage },
    ]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await tui.say(TASK);
    await shown.waitFor('1–3 answers');
    await shown.type('2');
    await shown.waitFor('What should be different?');
    await tui.say('make it smaller');
    await shown.waitFor(/│ - \[ \] smaller/);
    await shown.waitFor('1–3 answers');
    await tui.say('/new');
    await shown.waitFor('is dropped');
    await shown.waitForGone('Carry out this plan?');
    const [log] = (await readdir(join(tui.home, 'sessions'), { recursive: true })).filter((name) =>
      name.endsWith('.jsonl'),
    );
    await shown.press('C-d');
    await shown.waitFor('ended: 0');
    expect(log).toBeDefined();
  });

  it('IDE-35 feedback that was typed under the card is refused with the way to send it, and goes along there', async () => {
    await using tui = await terminal([
      ...planned,
      { toolCalls: [artifact('task_list', '- [ ] smaller')], usage },
      { text: 'Smaller.', usage },
    ]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await tui.say(TASK);
    await shown.waitFor('1–3 answers');
    await tui.say('make it smaller');
    const refused = await shown.waitFor('Tab to “Reject & Revise”');
    expect(refused).not.toContain('black approve');
    await shown.press('Tab');
    await shown.press('Tab');
    await shown.waitFor('› 2 Reject & Revise');
    await shown.press('Enter');
    await shown.waitFor(/What should be different\?[\s\S]*make it smaller/);
    await shown.press('Enter');
    await shown.waitFor(/│ - \[ \] smaller/);
    expect(
      tui.server
        .modelCalls()
        .at(-1)!
        .request!.messages.map((each) => JSON.stringify(each))
        .join(),
    ).toContain('make it smaller');
  });

  it('IDE-32 fits 40 columns, and plain lines tell the files and take the answer by number', async () => {
    await using narrow = await terminal(planned, { columns: 40, rows: 24 });
    await narrow.shown.waitFor('To try here');
    await narrow.say(TASK);
    const card = await narrow.shown.waitFor(/5 ▸ task list[\s\S]*1–3 answers/);
    for (const line of card.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    await using plain = await terminal([...planned, { text: 'All done.', usage }, { text: 'No.', usage }], {
      args: ['--plain'],
    });
    await plain.shown.waitFor('Your message:');
    await plain.say(TASK);
    const asked = await plain.shown.waitFor('Answer with the number');
    expect(asked).toContain('task list: .blackide/artifacts/');
    await plain.say('1');
    await plain.shown.waitFor('All done.');
  });
});
