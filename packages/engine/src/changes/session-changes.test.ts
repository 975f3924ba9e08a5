import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changedFiles, foldEntries, reduce, textOf, timeline, type View } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type Script } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const edit = (path: string, old_string: string, new_string: string) => ({
  toolCalls: [{ name: 'edit_file', args: { path, old_string, new_string } }],
});
const run = (command: string, more: object = {}) => ({
  toolCalls: [{ name: 'run_command', args: { command, ...more } }],
});

async function begin(script: Script, options: Partial<EngineOptions> = {}) {
  const workspace = await createTempWorkspace({
    git: true,
    files: { 'a.txt': 'alpha\nbeta\n', 'b.txt': 'beta\n', '.gitignore': 'dist/\n', 'dist/out.js': 'x' },
  });
  const home = await createTempWorkspace({});
  const server = await createMockModelServer(script);
  return ScriptedSession.begin({ workspace, home, server }, options);
}

type Session = Awaited<ReturnType<typeof begin>>;

async function view({ engine, sessionId }: Session): Promise<View> {
  const snapshot = await engine.execute({ type: 'subscribe', sessionId });
  if (!snapshot.ok || !snapshot.value.view) throw new Error('no view');
  return snapshot.value.view;
}

const states = ({ changes }: View) => changes.map(({ path, state }) => `${path} ${state}`);

describe('changes of a session', () => {
  it('IDE-49 a message is undone and redone, the model is told, and the log folds to the same view', async () => {
    await using session = await begin([
      edit('a.txt', 'alpha', 'ALPHA'),
      run('echo made > made.txt; rm b.txt'),
      { text: 'done' },
      { text: 'I see' },
    ]);
    const { engine, sessionId, world } = session;
    const git = await world.workspace.git('status', '--porcelain', '--ignored');
    await session.run('do it');
    const [message] = timeline(await view(session)).filter((item) => item.kind === 'user');
    expect(states(await view(session))).toEqual(['a.txt pending', 'b.txt pending', 'made.txt pending']);
    expect(new Set((await view(session)).changes.map(({ messageId }) => messageId))).toEqual(
      new Set([message?.entry.id]),
    );

    const undone = await engine.execute({ type: 'undoMessage', sessionId, messageId: message!.entry.id });
    expect(undone).toMatchObject({ ok: true, value: { skipped: [] } });
    expect(await world.workspace.git('status', '--porcelain', '--ignored')).toBe(git);
    expect(states(await view(session))).toEqual(['a.txt restored', 'b.txt restored', 'made.txt restored']);

    expect(await engine.execute({ type: 'redo', sessionId })).toMatchObject({ ok: true });
    expect(await world.workspace.read('a.txt')).toBe('ALPHA\nbeta\n');
    expect(states(await view(session))).toEqual(['a.txt pending', 'b.txt pending', 'made.txt pending']);
    await engine.execute({ type: 'undoMessage', sessionId });
    await session.run('and now?');
    const told = JSON.stringify(session.server.modelCalls().at(-1)?.body);
    expect(told).toContain('The user took back changes of yours');
    expect(told).toContain('made.txt (deleted)');

    let live = foldEntries(sessionId, []);
    for (const event of session.events) live = reduce(live, event);
    const { entries } = await session.stored();
    expect({ ...live, live: undefined, title: '' }).toEqual({ ...foldEntries(sessionId, entries), live: undefined });
  });

  it('IDE-49 one file is kept, another restored; what is left is the message’s', async () => {
    await using session = await begin([
      edit('a.txt', 'alpha', 'ALPHA'),
      edit('b.txt', 'beta', 'BETA'),
      { toolCalls: [{ name: 'write_file', args: { path: 'c.txt', content: 'c\n' } }] },
      { text: 'done' },
    ]);
    const { engine, sessionId, world } = session;
    await session.run('do it');
    expect(await engine.execute({ type: 'keepFile', sessionId, path: 'a.txt' })).toMatchObject({
      value: { paths: ['a.txt'] },
    });
    expect(await engine.execute({ type: 'restoreFile', sessionId, path: 'b.txt' })).toMatchObject({ ok: true });
    const shown = await engine.execute({ type: 'showChanges', sessionId, path: 'c.txt' });
    expect(shown).toMatchObject({ value: { diff: expect.stringContaining('+c\n') } });
    const listed = await engine.execute({ type: 'listChanges', sessionId });
    expect(listed.ok && changedFiles(listed.value.changes)).toMatchObject([
      { path: 'a.txt', state: 'kept' },
      { path: 'c.txt', state: 'pending', kind: 'created' },
    ]);
    expect(listed.ok && listed.value.changes).toEqual((await view(session)).changes);
    await engine.execute({ type: 'undoMessage', sessionId });
    expect(Object.keys(await world.workspace.snapshot())).not.toContain('c.txt');
    expect(await world.workspace.read('a.txt')).toBe('ALPHA\nbeta\n');
    expect(await engine.execute({ type: 'undoMessage', sessionId })).toMatchObject({
      error: { code: 'nothing_to_undo' },
    });
  });

  it('IDE-50 what a person did since is named first; while a task runs nothing is taken back', async () => {
    await using session = await begin([
      edit('a.txt', 'alpha', 'ALPHA'),
      edit('b.txt', 'beta', 'BETA'),
      ...[{ text: 'done' }, run('cat'), { text: 'x' }],
    ]);
    const { engine, sessionId, world } = session;
    await session.run('do it');
    await world.workspace.write('a.txt', 'ALPHA\nbeta\nmine\n');
    const words = 'You or another program changed a.txt since. That would stay, merged.';
    const named = { code: 'changed_since', message: words };
    expect(await engine.execute({ type: 'undoMessage', sessionId })).toMatchObject({ ok: false, error: named });
    await world.workspace.write('a.txt', 'ALPHA\nmine\n');
    const conflict = {
      code: 'conflict',
      message: expect.stringMatching(/a\.txt: hunk @@/),
      next: 'The other files can be taken back one by one: b.txt. Mend a.txt by hand.',
    };
    const refused = await engine.execute({ type: 'undoMessage', sessionId, merge: true });
    expect(refused).toMatchObject({ ok: false, error: conflict });
    const alone = await engine.execute({ type: 'restoreFile', sessionId, path: 'a.txt', merge: true });
    expect(alone).toMatchObject({ error: { code: 'conflict', next: 'Mend a.txt by hand.' } });
    expect(await engine.execute({ type: 'restoreFile', sessionId, path: 'b.txt' })).toMatchObject({ ok: true });
    const before = session.events.length;
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'run', model: 'openai/mock' });
    expect(await engine.execute({ type: 'redo', sessionId })).toMatchObject({ error: { code: 'session_busy' } });
    await session.ended(before);
  });

  it('IDE-51 a command’s card and result tell what is not covered', async () => {
    await using session = await begin([run('echo 1 > n.txt'), { text: 'done' }], { autoApprove: false, asks: 'wait' });
    const { engine, sessionId } = session;
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    const opened = await session.heard((event) => event.type === 'RequestOpened');
    const request = opened.type === 'RequestOpened' ? opened.request : undefined;
    expect(request?.payload.notCovered).toEqual({ ignored: ['dist/'] });
    await engine.execute({ type: 'respond', sessionId, requestId: request!.id, value: 'allow' });
    await session.ended();
    const result = session.ofType('ToolFinished').at(-1);
    expect(result?.details).toMatchObject({
      changes: [{ path: 'n.txt', kind: 'created', added: 1, removed: 0 }],
      notCovered: { ignored: ['dist/'] },
    });
  });

  it('IDE-51 an undo tells what it does not cover, and the next card only what is new', async () => {
    const script = [
      run('mkdir node_modules; echo 1 > node_modules/x; echo node_modules/ >> .gitignore'),
      run('echo 2 > n.txt'),
      run('mkdir -p build; echo build/ >> .gitignore'),
      run('echo 3 > n.txt'),
      { text: 'done' },
    ];
    await using session = await begin(script, { autoApprove: false, asks: 'wait' });
    const { engine, sessionId } = session;
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    const told: unknown[] = [];
    for (let from = 0, n = 0; n < 4; n += 1) {
      const opened = await session.heard((event) => event.type === 'RequestOpened', from);
      from = session.events.length;
      if (opened.type !== 'RequestOpened') throw new Error('no question');
      told.push(opened.request.payload.notCoveredKnown ? 'known' : opened.request.payload.notCovered);
      await engine.execute({ type: 'respond', sessionId, requestId: opened.request.id, value: 'allow' });
    }
    await session.ended();
    const dist = { ignored: ['dist/'] };
    const installed = { ignored: expect.arrayContaining(['dist/', 'node_modules/']) };
    const built = { ignored: expect.arrayContaining(['build/']) };
    expect(told).toEqual([dist, installed, 'known', built]);
    const undone = await engine.execute({ type: 'undoMessage', sessionId });
    const notCovered = expect.arrayContaining([{ path: 'node_modules/' }, { path: 'build/' }]);
    expect(undone).toMatchObject({ ok: true, value: { notCovered } });
    expect(undone.ok && undone.value.notCovered).not.toContainEqual({ path: 'dist/' });
    const notice = timeline(await view(session)).findLast((item) => item.kind === 'notice');
    expect(notice?.kind === 'notice' && textOf(notice.content)).toContain('Not covered, still there: node_modules/');
    const again = await engine.execute({ type: 'undoMessage', sessionId });
    expect(again).toMatchObject({ error: { next: expect.stringContaining('still there: node_modules/') } });
  });

  it('IDE-51 a background command’s changes belong to the message that began it, at its next read and at its end', async () => {
    await using session = await begin([
      run('echo 1 > one.txt; echo ready; read -r _ < pipe; echo 2 > two.txt', { background: true }),
      {
        toolCalls: [
          { name: 'call_tool', args: { name: 'command_output', arguments: { id: 'bg1', wait_seconds: 20 } } },
        ],
      },
      { text: 'done' },
    ]);
    const { engine, sessionId, world } = session;
    shell(world.workspace.path, 'mkfifo pipe');
    await session.run('go');
    expect(states(await view(session))).toEqual(['one.txt pending']);
    shell(world.workspace.path, 'echo > pipe');
    const ended = await session.heard((event) => event.type === 'CheckpointCreated' && event.files.includes('two.txt'));
    expect(ended.type).toBe('CheckpointCreated');
    expect(await engine.execute({ type: 'undoMessage', sessionId })).toMatchObject({ ok: true });
    expect(Object.keys(await world.workspace.snapshot()).filter((name) => /one|two/.test(name))).toEqual([]);
  });

  it('IDE-48 what a killed run had changed, and its log does not tell, can be taken back all the same', async () => {
    await using session = await begin([edit('a.txt', 'alpha', 'ALPHA'), { text: 'done' }]);
    await session.run('do it');
    await session.engine.dispose();
    const file = await sessionFile(session);
    const lines = (await readFile(file, 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.includes('"customType":"checkpoint"'));
    await writeFile(file, `${lines.slice(0, at).join('\n')}\n`);
    await session.reopen();
    expect(states(await view(session))).toEqual(['a.txt pending']);
    expect(await session.engine.execute({ type: 'undoMessage', sessionId: session.sessionId })).toMatchObject({
      ok: true,
    });
    expect(await session.world.workspace.read('a.txt')).toBe('alpha\nbeta\n');
  });

  it('IDE-48 a settling that was not logged before a crash is logged when the changes are looked at', async () => {
    await using session = await begin([edit('a.txt', 'alpha', 'ALPHA'), { text: 'done' }]);
    await session.run('do it');
    await session.engine.execute({ type: 'undoMessage', sessionId: session.sessionId });
    await session.engine.dispose();
    const file = await sessionFile(session);
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.filter((line) => !line.includes('"customType":"changes"')).join('\n'));
    await session.reopen();
    expect(states(await view(session))).toEqual(['a.txt pending']);
    await session.engine.execute({ type: 'listChanges', sessionId: session.sessionId });
    expect(states(await view(session))).toEqual(['a.txt restored']);
    const notice = timeline(await view(session)).findLast((item) => item.kind === 'notice');
    expect(notice?.kind === 'notice' && textOf(notice.content)).toContain('a.txt');
  });

  it('IDE-51 a run that only reads keeps no checkpoints', async () => {
    await using session = await begin([run('cat a.txt'), { text: 'hi' }]);
    await session.run('hi');
    expect(await readdir(session.world.home.path)).not.toContain('checkpoints');
  });
});

async function sessionFile({ world }: Session): Promise<string> {
  const names = await readdir(world.home.path, { recursive: true });
  return join(world.home.path, names.find((name) => name.endsWith('.jsonl') && name.startsWith('sessions'))!);
}

function shell(cwd: string, line: string): void {
  execFileSync('bash', ['-c', line], { cwd });
}
