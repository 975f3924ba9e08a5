import { symlinkSync } from 'node:fs';
import type { MessageEntry } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type FileContent, type Script } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { ScriptedSession } from '../testing/scripted-session.ts';

async function begin(script: Script, files: Record<string, FileContent> = {}, settings = '{}') {
  const home = await createTempWorkspace({ files: { 'settings.json': settings } });
  const workspace = await createTempWorkspace({ files });
  return await ScriptedSession.begin({ home, workspace, server: await createMockModelServer(script) });
}

const DOCS = `---
name: Docs
fileRegex: "^docs/.*[.]md$"
---
Write the manual.
`;

const writes = (path: string) => ({ name: 'write_file', args: { path, content: 'x' } });

/** The texts of the results of tools, in the order of the log. */
async function results(session: { stored(): ReturnType<ScriptedSession<never>['stored']> }): Promise<string[]> {
  const { entries } = await session.stored();
  return entries.flatMap((entry) => {
    const { message } = entry as MessageEntry;
    if (entry.type !== 'message' || message.role !== 'toolResult') return [];
    return message.content.map((block) => (block.type === 'text' ? block.text : ''));
  });
}

describe('modes at work', () => {
  it('IDE-37 fileRegex narrows what a mode may edit, at the path guard, also through links', async () => {
    const files = { '.blackide/modes/docs.md': DOCS, 'src/a.ts': 'a\n', 'docs/x.txt': 'x' };
    const paths = ['docs/new.md', 'src/a.ts', 'docs/../src/a.ts', 'docs/link.md', 'docs/x.txt'];
    const calls = [
      ...paths.map(writes),
      { name: 'call_tool', args: { name: 'remember', arguments: { kind: 'term', title: 't', text: 't' } } },
    ];
    await using session = await begin([{ toolCalls: calls }, { text: 'done' }], files);
    const { workspace } = session.world;
    symlinkSync(workspace.at('src/a.ts'), workspace.at('docs/link.md'));
    await session.run('write', { mode: 'docs' });
    const [first, ...others] = await results(session);
    expect(first).not.toContain('Refused');
    expect(others).toHaveLength(5);
    for (const text of others) expect(text).toMatch(/^Refused \(stage 3, path-guard\): The mode Docs may only edit/);
    expect(await workspace.read('docs/new.md')).toBe('x');
    expect(await workspace.read('src/a.ts')).toBe('a\n');
  });

  it('IDE-36 Plan has the tools of a plan and runs only what is known to read, whatever was said in advance', async () => {
    const run = (command: string) => ({ name: 'run_command', args: { command } });
    const calls = [run('ls'), run('touch made'), writes('a.txt')];
    await using session = await begin([{ toolCalls: calls }, { text: 'done' }], { 'a.txt': 'a' });
    await session.run('plan', { mode: 'Plan' });
    const tools = session.server.requests[0]!.request!.tools.map(({ name }) => name);
    expect(tools).toContain('run_command');
    expect(tools).not.toContain('edit_file');
    const told = await results(session);
    expect(told[0]).toContain('[exit code 0');
    expect(told[1]).toContain('Refused (stage 1, read-only-set): Nothing may change now');
    expect(told[2]).toContain('Refused (stage 1, tool-set)');
  });

  it('IDE-37 the model of a mode is used where no person chose one', async () => {
    const mode = `---\nname: Docs\nmodel: openai/of-the-mode\n---\n`;
    await using session = await begin(
      { match: 'conversation', turns: [{ text: 'done' }] },
      { '.blackide/modes/d.md': mode },
    );
    const task = async (more: object): Promise<string> => {
      await session.run('go', { model: undefined, ...more });
      return session.server.requests.at(-1)!.request!.model;
    };
    const usual = await task({ mode: 'Agent' });
    expect(await task({ mode: 'Docs' })).toBe('of-the-mode');
    expect(await task({})).toBe('of-the-mode');
    expect(await task({ mode: 'Agent' })).toBe(usual);
    expect(await task({ mode: 'Docs', model: 'openai/mine' })).toBe('mine');
    expect(await task({})).toBe('mine');
    expect(await task({ mode: 'Agent' })).toBe('mine');
  });

  it('IDE-38 a mode that was made while the session runs can be chosen, and a faulty file is told once', async () => {
    await using session = await begin({ match: 'conversation', turns: [{ text: 'done' }] });
    const { workspace } = session.world;
    await workspace.write('.blackide/modes/new.md', '---\nname: New\n---\nSpeak Latin.\n');
    await workspace.write('.blackide/modes/bad.md', '---\nname: Bad\nmaxIterations: 0\n---\n');
    await session.run('go', { mode: 'new' });
    await session.run('go on', { mode: 'New' });
    expect(session.server.requests.at(-1)!.request!.system).toContain('# Mode: New\nSpeak Latin.');
    expect(session.ofType('DiagnosticReported').map(({ message }) => message)).toEqual([
      '.blackide/modes/bad.md:3:1: `maxIterations` is a whole number from 1 to 500.',
    ]);
  });

  it('IDE-87 (field notes §4 #49) settings that cannot be read are told once, with their line, and nothing runs unasked', async () => {
    const calls = [{ name: 'run_command', args: { command: 'ls' } }];
    const script: Script = [{ toolCalls: calls }, { text: 'done' }];
    await using session = await begin(script, { 'a.txt': 'a' }, '{\n  "commandPolicy": { "deny": "^ls" },\n}');
    await session.run('go');
    const [first, second, ...more] = session.ofType('DiagnosticReported').map(({ message }) => message);
    expect(first).toMatch(/settings\.json:2:22: `commandPolicy\.deny` must be of type array\.$/);
    expect(second).toContain('nothing runs without asking');
    expect(more).toEqual([]);
    const [asked] = session.ofType('RequestOpened');
    expect(asked!.request).toMatchObject({
      kind: 'permission',
      payload: { decision: { rule: 'settings', stage: 10 } },
    });
  });
});
