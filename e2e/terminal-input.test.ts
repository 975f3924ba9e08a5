import type { Script } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { logs, terminal, usage } from './in-terminal.ts';

const QUESTION = { name: 'ask_user', args: { question: 'Which package manager?', options: ['npm', 'pnpm'] } };

describe('what is typed into the terminal UI', () => {
  it('Ctrl+C empties what is written, ↑ brings it back; typing disarms a second Ctrl+C', async () => {
    await using tui = await terminal([{ text: 'Half', gate: { name: 'never', afterEvents: 2 }, usage }]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor(/working|writing/);
    await shown.press('Escape');
    await shown.waitFor('Ctrl+C stops the task.');
    await shown.press('C-c');
    await shown.waitFor('again leaves');
    await shown.type('a new prompt');
    await shown.waitFor('a new prompt');
    expect(await shown.screen()).not.toContain('again leaves');
    await shown.waitFor('Cancelled.');
    await shown.press('C-c');
    await shown.waitForGone('a new prompt');
    await shown.press('Up');
    await shown.waitFor(/─\na new prompt\n─/);
    await shown.press('C-c');
    await shown.waitForGone(/─\na new prompt\n─/);
    await shown.press('C-c');
    await shown.waitFor('Ctrl+C again leaves.');
    await shown.press('C-c');
    await shown.waitFor('ended: 0');
  });

  it('one Enter runs a command whose argument is typed in full; nothing after a command is swallowed', async () => {
    await using tui = await terminal([{ text: 'Here.', usage }]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.type('/model openai/gpt-4.1-mini');
    await shown.waitFor('→ openai/gpt-4.1-mini');
    await shown.press('Enter');
    await shown.waitFor(/^Agent · openai\/gpt-4\.1-mini/m);
    await shown.type('/model openai/gpt-5 hello');
    await shown.press('Enter');
    await shown.waitFor('is no model');
    await shown.type('/new mend the tests');
    await shown.press('Enter');
    await shown.waitFor('/new takes nothing after it');
    await shown.type('hello');
    await shown.press('Enter');
    await shown.waitFor('Here.');
    expect(server.modelCalls()).toHaveLength(1);
    expect(JSON.stringify(server.modelCalls()[0]!.body)).toContain('"gpt-4.1-mini"');
  });

  it('IDE-21 what was queued comes back into the input: the last one with ↑, all of it with Ctrl+C', async () => {
    await using tui = await terminal([{ text: 'Half', gate: { name: 'never', afterEvents: 2 }, usage }]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor(/working|writing/);
    for (const text of ['first', 'secnd']) {
      await shown.type(text);
      await shown.press('Enter');
      await shown.waitFor(`queued: ${text}`);
    }
    await shown.press('Up');
    await shown.waitFor(/─\nsecnd\n─/);
    expect(await shown.screen()).not.toContain('queued: secnd');
    await shown.press('BSpace', 'BSpace', 'o', 'n', 'd', 'Enter');
    await shown.waitFor('queued: second');
    await shown.press('C-c');
    const screen = await shown.waitFor(/─\nfirst\nsecond\n─/);
    expect(screen).not.toContain('before it was sent');
  });

  it('/model and /mode open lists to choose from, -r without a session too', async () => {
    await using tui = await terminal([{ text: 'Here.', usage }]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('/model');
    await shown.press('Enter');
    const models = await shown.waitFor('Models ·');
    expect(models).toMatch(/^› anthropic\/claude-sonnet-5-5 \(now\)/m);
    await shown.type('gpt-4.1-mini');
    await shown.waitFor(/› openai\/gpt-4\.1-mini .* · \$[\d.]+ \/ \$[\d.]+$/m);
    await shown.press('Enter');
    await shown.waitFor(/^Agent · openai\/gpt-4\.1-mini/m);
    await shown.type('/mode');
    await shown.press('Enter');
    expect(await shown.waitFor('Modes ·')).toMatch(/^› Agent \(now\): /m);
    await shown.type('ask:');
    await shown.press('Enter');
    await shown.waitFor(/^Ask · openai/m);
    await shown.type('hello');
    await shown.press('Enter');
    await shown.waitFor('Here.');
    await shown.press('C-d');
    await shown.waitFor('ended: 0');
    await using second = await tui.again({ args: ['-r'] });
    expect(await second.waitFor('Sessions ·')).toMatch(/› hello/);
    await second.press('Enter');
    await second.waitFor('Here.');
  });

  it('Shift+Tab goes through the modes, Ctrl+R searches earlier prompts; what is no command here is kept', async () => {
    await using tui = await terminal([{ text: 'Here.', usage }]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.press('BTab');
    await shown.waitFor(/^Ask · /m);
    await shown.press('BTab');
    await shown.waitFor(/^Plan · /m);
    await shown.press('BTab');
    await shown.waitFor(/^Agent · /m);
    await shown.type('look at the cart');
    await shown.press('Enter');
    await shown.waitFor('Here.');
    await shown.type('!ls -la');
    await shown.press('Enter');
    await shown.waitFor(/not run here[\s\S]*─\n!ls -la\n─/);
    await shown.press('C-u');
    await shown.press('C-r');
    await shown.waitFor('Earlier prompts ·');
    await shown.type('cart');
    await shown.press('Enter');
    await shown.waitFor(/─\nlook at the cart\n─/);
    await shown.press('C-c');
    await shown.type('/clear');
    await shown.press('Enter');
    await shown.waitFor('new session');
    await shown.type('/exit');
    await shown.press('Enter');
    await shown.waitFor('ended: 0');
    expect(server.modelCalls()).toHaveLength(1);
  });

  it('words below a question that takes words are the answer', async () => {
    await using tui = await terminal([
      { toolCalls: [QUESTION], usage },
      { text: 'As you like.', usage },
    ]);
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('1–3 answers');
    await shown.type('yarn, please');
    await shown.waitFor('Enter answers ·');
    await shown.press('Enter');
    const screen = await shown.waitFor('As you like.');
    expect(screen).not.toContain('queued');
    expect(screen).toMatch(/Which package manager\?[\s\S]*→ yarn, please/);
    expect(await logs(tui.home)).toContain('"value":"yarn, please"');
  });

  it('IDE-88 a locale without UTF-8 shows what is asked by the numbers of its characters', async () => {
    const script: Script = [
      { toolCalls: [{ name: 'run_command', args: { command: 'curl -O https://аpple.com/résumé.sh' } }], usage },
      { text: 'Über.', usage },
    ];
    await using tui = await terminal(script, { env: { LANG: 'C' } });
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    const card = await shown.waitFor('1-4 answers');
    expect(card).toContain('https://<U+0430>pple.com/r<U+00E9>sum<U+00E9>.sh');
    await shown.press('Tab', 'Tab', 'Enter');
    await shown.waitFor('Why?');
    await shown.type('no');
    await shown.press('Enter');
    await shown.waitFor('<U+00DC>ber.');
  });
});
