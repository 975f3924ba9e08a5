import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the example has exactly one failing test, the planted bug', () => {
  const cwd = join(import.meta.dirname, '../examples/notes-app');
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], { cwd, encoding: 'utf8' });
  expect(stdout).toMatch(/^# fail 1$/m);
  expect(stdout.match(/^ *not ok .*/gm)?.map((line) => line.trim())).toEqual([
    expect.stringContaining('a title may have 80 characters'),
  ]);
});
