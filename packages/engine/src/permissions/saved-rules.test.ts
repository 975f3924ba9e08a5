import { createMockModelServer, createTempWorkspace, type Script } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const MAKEFILE = 'build:\n\t@echo built >> log\nother:\n\t@echo other >> log\n';

async function begin(commands: readonly string[], options: Partial<EngineOptions> = {}, settings?: object) {
  const script: Script = [];
  for (const command of commands)
    script.push({ toolCalls: [{ name: 'run_command', args: { command } }] }, { text: 'Done.' });
  const home = await createTempWorkspace({
    files: settings === undefined ? {} : { 'settings.json': JSON.stringify(settings) },
  });
  const workspace = await createTempWorkspace({ files: { Makefile: MAKEFILE } });
  const server = await createMockModelServer(script);
  return ScriptedSession.begin({ home, workspace, server }, { asks: 'wait', autoApprove: false, ...options });
}

type Session = Awaited<ReturnType<typeof begin>>;

/** Runs a task that asks once, and answers it. @returns what the question offered. */
async function answering(session: Session, value: string): Promise<string[]> {
  const since = session.events.length;
  const running = session.run('go');
  const asked = await session.heard((event) => event.type === 'RequestOpened', since);
  if (asked.type !== 'RequestOpened') throw new Error('no question');
  const { id, options } = asked.request;
  const { sessionId } = session;
  await session.engine.execute({ type: 'respond', sessionId, requestId: id, value, by: 'test' });
  await running;
  return options.map((option) => option.label);
}

const questions = (session: Session) => session.ofType('RequestOpened').length;

describe('answers that count from now on', () => {
  it('IDE-62 field notes §4 #42: what is allowed for the session runs unasked after a restart too, a sibling asks', async () => {
    await using session = await begin(['make build', 'make build', 'make other']);
    const labels = await answering(session, 'allow-session');
    expect(labels).toEqual([
      'Allow once',
      'Deny',
      'Allow `make build` in this session',
      'Allow `make build` in this folder',
    ]);
    await session.run('again');
    expect(questions(session)).toBe(1);
    await answering(session, 'deny');
    expect(questions(session)).toBe(2);
    expect(await session.world.workspace.read('log')).toBe('built\nbuilt\n');
    expect(Object.keys(await session.world.workspace.snapshot())).toEqual(['Makefile', 'log']);
  });

  it('IDE-62 what is allowed in the folder holds in another session, and is kept in the person’s own folder alone', async () => {
    await using session = await begin(['make build', 'make build']);
    await answering(session, 'allow-workspace');
    const kept = Object.keys(await session.world.home.snapshot()).filter((path) => path.startsWith('grants/'));
    expect(kept).toEqual([expect.stringMatching(/^grants\/black-test-.*\.json$/)]);
    const created = await session.engine.execute({ type: 'newSession' });
    if (!created.ok) throw new Error(created.error.message);
    const { sessionId } = created.value;
    const since = session.events.length;
    await session.engine.execute({ type: 'startAgentTask', sessionId, text: 'again', model: 'openai/mock' });
    await session.ended(since);
    expect(questions(session)).toBe(1);
    expect(await session.world.workspace.read('log')).toBe('built\nbuilt\n');
  });

  it('IDE-62 what is allowed once asks again, and a command without a rule offers none', async () => {
    await using session = await begin(['make build', 'make build', 'make build > out']);
    await answering(session, 'allow');
    await answering(session, 'allow');
    expect(await answering(session, 'deny')).toEqual(['Allow once', 'Deny']);
    expect(questions(session)).toBe(3);
  });
});

describe('autoApproveTerminal', () => {
  it('IDE-64 answers for commands in an interactive chat, not where nobody sits, and never for what nobody could read', async () => {
    const settings = { autoApproveTerminal: true };
    await using chat = await begin(['make build', "make 'build"], {}, settings);
    await chat.run('go');
    expect(questions(chat)).toBe(0);
    expect(await answering(chat, 'deny')).toEqual(['Allow once', 'Deny']);
    await using alone = await begin(['make build'], { asks: 'stop' }, settings);
    await alone.run('go');
    expect(questions(alone)).toBe(1);
  });

  it('IDE-64 an invalid deny pattern is told once and closes it, whatever is approved in advance', async () => {
    const settings = { autoApproveTerminal: true, commandPolicy: { deny: ['('] } };
    await using session = await begin(['make build', 'ls'], { autoApprove: true }, settings);
    await answering(session, 'deny');
    await answering(session, 'allow');
    const told = session.ofType('DiagnosticReported').filter(({ message }) => message.includes('commandPolicy.deny'));
    expect(told).toHaveLength(1);
  });

  it('field notes §4 #41: a refused model is told which commands run unasked, and the first request carries nothing of it', async () => {
    await using session = await begin(['make other'], {}, { 'commandPolicy.allow': ['^make build$'] });
    await answering(session, 'deny');
    const [first, second] = session.server.requests.map(({ rawBody }) => rawBody.toString());
    expect(first).not.toContain('make build');
    expect(second).toContain('Commands that run unasked: `^make build$`.');
  });

  it('IDE-64 a deny pattern of the person refuses at stage 5', async () => {
    await using session = await begin(['make build'], { autoApprove: true }, { 'commandPolicy.deny': ['^make'] });
    await session.run('go');
    const [finished] = session.ofType('ToolFinished');
    expect(JSON.stringify(finished)).toContain('stage 5');
  });
});
