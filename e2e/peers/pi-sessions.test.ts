import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockModelServer, createTempWorkspace, runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { runPi } from './pi.ts';

/** The texts of all messages of a request, whatever the wire's shape. */
function said(body: unknown): string {
  return JSON.stringify((body as { messages: unknown[] }).messages);
}

describe('sessions of the pi family', () => {
  it('SES-3 a session written by the real pi loads here and continues, its bytes unchanged', async () => {
    await using pis = await createMockModelServer([
      { toolCalls: [{ id: 'pi_call', name: 'read', args: { path: 'a.txt' } }] },
      { text: 'pi has read it' },
    ]);
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'the content\n' } });
    const { sessionFile } = await runPi({
      cwd: workspace.path,
      home: home.path,
      prompt: 'read a.txt',
      baseUrl: pis.url,
      wire: 'chat',
    });
    const before = await readFile(sessionFile, 'utf8');

    for (const wire of ['openai', 'anthropic'] as const) {
      await using ours = await createMockModelServer([{ text: `on we go over ${wire}` }]);
      const run = { cwd: workspace.path, home: home.path, modelServer: ours };
      const result = await runBlack({
        args: ['-p', '-r', sessionFile, `and now ${wire}?`, '--model', `${wire}/mock`],
        ...run,
      });
      expect(result.stderr).toBe('');
      expect(result.stdout).toBe(`on we go over ${wire}\n`);
      const sent = said(ours.modelCalls()[0]!.body);
      expect(sent).toContain('read a.txt');
      expect(sent).toContain('the content');
      expect(sent).toContain('pi has read it');
      expect(ours.modelCalls()[0]!.refusal).toBeUndefined();
    }
    expect((await readFile(sessionFile, 'utf8')).startsWith(before)).toBe(true);
  });

  it('SES-3 the real pi opens one of ours and continues it', async () => {
    await using ours = await createMockModelServer([
      { thinking: 'hm', toolCalls: [{ id: 'our_call', name: 'read_file', args: { path: 'a.txt' } }] },
      { text: 'we have read it' },
    ]);
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'the content\n' } });
    const run = { cwd: workspace.path, home: home.path, modelServer: ours };
    await runBlack({ args: ['-p', 'read a.txt', '--model', 'anthropic/mock'], ...run });
    const folder = join(home.path, 'sessions');
    const name = (await readdir(folder, { recursive: true })).find((path) => path.endsWith('.jsonl'))!;
    const sessionFile = join(folder, name);
    const before = await readFile(sessionFile, 'utf8');

    await using pis = await createMockModelServer([{ text: 'pi goes on' }]);
    const result = await runPi({
      cwd: workspace.path,
      home: home.path,
      prompt: 'go on',
      baseUrl: pis.url,
      wire: 'chat',
      sessionFile,
    });
    expect(result.stdout).toContain('pi goes on');
    const sent = said(pis.modelCalls()[0]!.body);
    expect(sent).toContain('the content');
    expect(sent).toContain('we have read it');
    expect((await readFile(sessionFile, 'utf8')).startsWith(before)).toBe(true);
  });
});
