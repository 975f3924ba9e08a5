import { runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { terminal, usage } from './in-terminal.ts';

const install = 'mkdir -p node_modules; echo x > node_modules/x; echo node_modules/ > .gitignore; echo 1 > lock.json';

describe('undo in the terminal', () => {
  it('IDE-49 IDE-51 lists for others, tells the whole refusal, and what it does not cover', async () => {
    await using tui = await terminal(
      [
        {
          toolCalls: [
            { name: 'read_file', args: { path: 'src/store.ts' } },
            { name: 'edit_file', args: { path: 'src/store.ts', old_string: 'hello', new_string: 'good day' } },
          ],
          usage,
        },
        { toolCalls: [{ name: 'run_command', args: { command: install } }], usage },
        { text: 'Installed.', usage },
      ],
      { args: ['--yes'] },
    );
    const { shown, workspace, home } = tui;
    await shown.waitFor('To try here');
    await shown.type('Install it');
    await shown.press('Enter');
    await shown.waitFor('Installed.');

    const beside = (...args: string[]) => runBlack({ args: ['undo', ...args], cwd: workspace.path, home });
    const listed = await beside('--list');
    expect([listed.code, listed.stdout], listed.stderr).toEqual([0, expect.stringContaining('✎ src/store.ts  +1 −1')]);
    const refused = await beside();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/can only be read.*\n.*use \/undo/)]);

    const mine = (await workspace.read('src/store.ts')).replace('good day', 'my own words');
    await workspace.write('src/store.ts', mine);
    await shown.resize(40, 24);
    await shown.type('/changes');
    await shown.press('Enter');
    await shown.waitFor('Changes · 3 pending of 3');
    await shown.type('u');
    const screen = await shown.waitFor('/undo FILE takes');
    const told = screen.replaceAll('\n', ' ');
    expect(told).toMatch(/src\/store\.ts: hunk @@ .* does not apply: its lines have been changed since\./);
    expect(told).toMatch(
      /The other files can be taken back one by one: .*lock\.json.*\. Mend src\/store\.ts by hand\./,
    );
    expect(told).toContain('Esc closes');

    await workspace.write('src/store.ts', mine.replace('my own words', 'good day'));
    await shown.type('u');
    await shown.waitFor(/Not covered, still\s+there:\s+node_modules\//);
    await shown.press('Escape');
    await shown.waitFor(/not covered,\s+still\s+there:\s+node_modules\//);
    expect(await workspace.read('src/store.ts')).toContain('hello');
  });
});
