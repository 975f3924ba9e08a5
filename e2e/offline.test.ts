import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempWorkspace, runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

const NOTES_APP = join(import.meta.dirname, '../examples/notes-app');

async function notesApp() {
  const workspace = await createTempWorkspace({});
  await cp(NOTES_APP, workspace.path, { recursive: true });
  return workspace;
}

describe('offline, no key', () => {
  it('IDE-28 finds where the note title is validated, with files and lines that exist', async () => {
    await using workspace = await notesApp();
    const { stdout, stderr, code } = await runBlack({
      args: ['-p', 'Where is the note title validated?', '--output', 'json'],
      cwd: workspace.path,
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ outcome: 'completed', model: 'offline/offline' });
    const [, file, line] = /(src\/[\w.-]+):(\d+)/.exec(answer.result)!;
    expect(file).toMatch(/validate/);
    const text = await workspace.read(file!);
    expect(text.split('\n').length).toBeGreaterThanOrEqual(Number(line));
  });

  it('IDE-28 replaces text through the gate and reports the files', async () => {
    await using workspace = await createTempWorkspace({
      files: { 'a.txt': 'say hello\n', 'b.txt': 'hello hello\r\n' },
    });
    const { stdout, code } = await runBlack({ args: ['-p', 'replace "hello" with "good day"'], cwd: workspace.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(/a\.txt/);
    expect(await workspace.read('a.txt')).toBe('say good day\n');
    expect(await workspace.read('b.txt')).toBe('good day good day\r\n');
  });

  it('IDE-28 runs the tests only after a yes, then reads the planted failure', async () => {
    await using workspace = await notesApp();
    const asked = await runBlack({ args: ['-p', 'run the tests'], cwd: workspace.path });
    expect(asked.code).toBe(3);
    const run = await runBlack({ args: ['-p', 'run the tests', '--yes'], cwd: workspace.path });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/fail/i);
    expect(run.stdout).toMatch(/\.test\.ts:\d+/);
  });

  it('IDE-28 says plainly what it cannot do, and how to add a model', async () => {
    await using workspace = await createTempWorkspace({});
    const { stdout, code } = await runBlack({ args: ['-p', 'compose a poem about monads'], cwd: workspace.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ANTHROPIC_API_KEY/);
  });
});
