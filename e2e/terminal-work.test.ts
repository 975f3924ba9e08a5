import { findProcesses } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { terminal, usage } from './in-terminal.ts';

describe('what goes on, in the terminal UI', () => {
  it('a plan stands above the input while it is worked on, and is printed once', async () => {
    const steps = (done: number) =>
      ['look around', 'write the tests', 'make them pass'].map((step, at) => ({
        step,
        status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
      }));
    const plan = (done: number) => ({ name: 'update_plan', args: { steps: steps(done) } });
    await using tui = await terminal([
      { toolCalls: [plan(0)], usage },
      { toolCalls: [plan(1)], usage },
      { text: 'Half', gate: { name: 'go', afterEvents: 2 }, usage },
    ]);
    const { shown, server } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    const during = await shown.waitFor(/✓ look around\n▸ write the tests\n· make them pass\n… (?:working|writing)/);
    expect(during).toMatch(/▸ Plan · 0 of 3 steps done\n {2}▸ look around\n/);
    expect(during).toContain('▸ Plan · 1 of 3 steps done · write the tests');
    server.release('go');
    await shown.waitForGone(/working|writing/);
    expect((await shown.screen()).match(/make them pass/g)).toHaveLength(1);
  });

  it('IDE-75 commands in the background: counted, listed with their last line, ended by name or on leaving', async () => {
    const run = (command: string) => ({ name: 'run_command', args: { command, background: true } });
    await using tui = await terminal(
      [
        { toolCalls: [run('echo one; echo ready; sleep 971'), run('sleep 972')], usage },
        { text: 'Both run.', usage },
      ],
      { args: ['--auto-approve'] },
    );
    const { shown } = tui;
    await shown.waitFor('To try here');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('Both run.');
    await shown.waitFor(/· 2 in background · main$/m);
    await shown.type('/ps');
    await shown.press('Enter');
    await shown.waitFor(/^bg1 running {2}\$ echo one; echo ready; sleep 971\n {4}ready\nbg2 running/m);
    await shown.type('/stop 1');
    await shown.press('Enter');
    await shown.waitFor('bg1 is ended');
    await shown.waitFor(/· 1 in background · main$/m);
    expect(findProcesses(process.pid).filter(({ command }) => command.includes('sleep 971'))).toEqual([]);
    await shown.type('/rename Two sleepers');
    await shown.press('Enter');
    await shown.waitFor('The session is called “Two sleepers”.');
    await shown.press('C-d');
    expect(await shown.waitFor('ended: 0')).toContain('Ended in the background: $ sleep 972');
    await using second = await tui.again({ args: ['-r'] });
    await second.waitFor('› Two sleepers');
  });

  it('Details show what a running command prints, follow it, and are searched with /', async () => {
    const command = 'for n in 1 2 3; do echo line $n of the work; done; sleep 973';
    await using tui = await terminal([{ toolCalls: [{ name: 'run_command', args: { command } }], usage }], {
      args: ['--auto-approve'],
      columns: 40,
      rows: 15,
    });
    const { shown } = tui;
    await shown.waitFor('/help');
    await shown.type('go');
    await shown.press('Enter');
    await shown.waitFor('line 3 of the work');
    await shown.press('C-o');
    const details = await shown.waitFor('Details');
    expect(details.replace(/\n\s+/g, ' ')).toContain(`$ ${command}`);
    expect(details).toContain('line 3 of the work');
    await shown.press('Home');
    await shown.type('/LINE 2');
    await shown.press('Enter');
    await shown.waitFor('n older');
    await shown.press('Escape');
    await shown.waitForGone('Details');
    await shown.press('C-c');
    await shown.waitFor('Cancelled.');
  });
});
