import { readdir } from 'node:fs/promises';
import { createMockModelServer, createTempWorkspace, runBlack, startBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

const SECRET = 'sk-ant-api03-a1B2c3D4e5F6g7H8i9J0';

describe('stored sessions, from the command line', () => {
  it('SES-24 a session is found, named, exported, put away and taken back', async () => {
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'alpha\n' } });
    await using home = await createTempWorkspace({});
    const black = (...args: string[]) => runBlack({ args, cwd: workspace.path, home: home.path });
    expect((await black('-p', `Show a.txt; the key is ${SECRET}`)).code).toBe(0);
    await black('-p', 'list the files');
    const found = JSON.parse((await black('sessions', 'search', '"show a.txt"', '--json')).stdout);
    expect(found).toHaveLength(1);
    const { id } = found[0] as { id: string };
    expect((await black('sessions', 'rename', id.slice(0, 8), 'The', 'alpha', 'file')).code).toBe(0);
    expect((await black('sessions', 'list')).stdout).toContain('The alpha file');
    const exported = await black('sessions', 'export', id);
    expect(exported.stderr).toBe('black: 1 secret was taken out.\n');
    const page = await workspace.read(exported.stdout.trim().slice(workspace.path.length + 1));
    expect(page).toContain('<title>The alpha file</title>');
    expect(page).not.toContain(SECRET);
    expect((await black('sessions', 'rm', id)).code).toBe(0);
    expect((await black('sessions', 'list')).stdout).not.toContain('The alpha file');
    expect((await black('sessions', 'show', id)).code).toBe(1);
    expect((await black('sessions', 'restore', id)).code).toBe(0);
    expect((await black('sessions', 'show', id)).stdout).toMatch(/^The alpha file\n/);
  });

  it('SES-7 a session is read while another process works in it, and nothing is written', async () => {
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'alpha\n' } });
    await using home = await createTempWorkspace({});
    const server = await createMockModelServer([{ text: 'Later.', gate: 'held' }]);
    try {
      await using running = await startBlack({
        args: ['-p', 'wait for me', '--model', 'openai/mock'],
        cwd: workspace.path,
        home: home.path,
        modelServer: server,
      });
      await server.reached('held');
      const files = await readdir(home.path, { recursive: true });
      const black = (...args: string[]) => runBlack({ args, cwd: workspace.path, home: home.path });
      expect((await black('sessions', 'show', 'latest')).stdout).toContain('you    wait for me');
      expect((await black('sessions', 'search', 'wait')).stdout).toContain('wait for me');
      expect((await black('sessions', 'export', 'latest', '--out', '-', '--format', 'md')).code).toBe(0);
      for (const args of [
        ['rename', 'latest', 'x'],
        ['rm', 'latest'],
      ]) {
        const refused = await black('sessions', ...args);
        expect(refused).toMatchObject({ code: 1 });
        expect(refused.stderr).toMatch(/Another process \(\d+\) has this session open/);
      }
      expect(await readdir(home.path, { recursive: true })).toEqual(files);
      server.release('held');
      expect(await running.result).toMatchObject({ code: 0 });
    } finally {
      await server.close();
    }
  });

  it('IDE-72 rules of the person and the workspace reach the model', async () => {
    await using workspace = await createTempWorkspace({ files: { 'AGENTS.md': 'Ours.\n', 'src/AGENTS.md': 'Src.\n' } });
    await using home = await createTempWorkspace({ files: { 'AGENTS.md': 'Mine.\n' } });
    const server = await createMockModelServer([
      { toolCalls: [{ name: 'list_directory', args: { path: 'src' } }] },
      { text: 'done' },
    ]);
    try {
      const args = ['-p', 'look', '--model', 'anthropic/mock'];
      const { code } = await runBlack({ args, cwd: workspace.path, home: home.path, modelServer: server });
      expect(code).toBe(0);
      const [first, second] = server.requests.filter(({ request }) => request).map(({ body }) => JSON.stringify(body));
      expect(first).toMatch(/Mine\..*Ours\./);
      expect(first).not.toContain('Src.');
      expect(second).toContain('Src.');
    } finally {
      await server.close();
    }
  });
});
