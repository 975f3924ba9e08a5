import { rmSync } from 'node:fs';
import type { EngineEvent } from '@black-ide/protocol';
import {
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  type Script,
  type TempWorkspace,
  UNPLANNED,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../engine.ts';
import type { Engine } from '../engine-api.ts';

let home: TempWorkspace;
let workspace: TempWorkspace;
let server: MockModelServer | undefined;
const engines: Engine[] = [];

beforeEach(async () => {
  home = await createTempWorkspace({ files: { 'AGENTS.md': 'Mine: be brief.' } });
  workspace = await createTempWorkspace({
    files: {
      'AGENTS.md': 'Ours: use tabs.',
      'src/AGENTS.md': 'Src: no classes.',
      'src/deep/CLAUDE.md': 'Deep: careful.',
      'src/deep/a.ts': 'a\n',
      'src/b.ts': 'b\n',
    },
  });
});

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.dispose();
  await server?.close();
  await home.dispose();
  await workspace.dispose();
});

async function serve(script: Script): Promise<void> {
  server = await createMockModelServer(script);
}

function anEngine(): Engine {
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server!.openaiUrl, PATH: process.env.PATH, ...UNPLANNED };
  const engine = createEngine({ cwd: workspace.path, home: home.path, env, face: 'test', asks: 'wait', trust: true });
  engines.push(engine);
  return engine;
}

async function task(engine: Engine, sessionId: string, text: string, model = 'openai/mock'): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const stop = engine.onEvent((event: EngineEvent) => {
      if (event.type !== 'RunningChanged' || event.running) return;
      stop();
      resolve();
    });
  });
  expect(await engine.execute({ type: 'startAgentTask', sessionId, text, model })).toMatchObject({ ok: true });
  await ended;
}

async function newSession(engine: Engine): Promise<string> {
  const created = await engine.execute({ type: 'newSession' });
  return created.ok ? created.value.sessionId : '';
}

/** The messages of each request, a line of JSON each. */
function sent(): string[][] {
  return server!.requests
    .filter((request) => request.request)
    .map(({ body }) => (body as { messages: unknown[] }).messages.map((message) => JSON.stringify(message)));
}

function expectGrowing(): void {
  const requests = sent();
  for (const [i, messages] of requests.entries()) {
    if (i > 0) expect(messages.slice(0, requests[i - 1]!.length)).toEqual(requests[i - 1]);
  }
}

const reads = (path: string) => ({ toolCalls: [{ name: 'read_file', args: { path } }] });

describe('standing rules of a session', () => {
  it('IDE-72 IDE-23 are in the system prompt; nested ones follow when a folder is touched, once, and nothing before changes', async () => {
    await serve([
      { toolCalls: [{ name: 'list_directory', args: {} }] },
      reads('src/b.ts'),
      reads('src/deep/a.ts'),
      reads('src/b.ts'),
      { text: 'done' },
    ]);
    const engine = anEngine();
    const session = await newSession(engine);
    await task(engine, session, 'look');
    const requests = sent();
    expect(requests).toHaveLength(5);
    const [system] = requests[0]!;
    expect(system).toContain('Mine: be brief.');
    expect(system!.indexOf('Mine:')).toBeLessThan(system!.indexOf('Ours: use tabs.'));
    expect(system).not.toContain('no classes');
    expectGrowing();
    expect(requests[1]!.join()).not.toContain('no classes');
    expect(requests[2]!.at(-1)).toContain('Src: no classes.');
    expect(requests[2]!.at(-1)).not.toContain('Ours');
    expect(requests[3]!.at(-1)).toContain('Deep: careful.');
    const last = requests[4]!.join();
    expect(last.match(/no classes/g)).toHaveLength(1);
    expect(last.match(/Deep: careful/g)).toHaveLength(1);
  });

  it('IDE-72 IDE-23 what changes between two tasks is appended, also for a session that is opened again', async () => {
    await serve([{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }]);
    const first = anEngine();
    const session = await newSession(first);
    await task(first, session, 'first');
    await workspace.write('AGENTS.md', 'Ours: use spaces.');
    await task(first, session, 'second');
    await first.execute({ type: 'closeSession', sessionId: session });
    const second = anEngine();
    await second.execute({ type: 'openSession', session });
    await task(second, session, 'third');
    rmSync(workspace.at('AGENTS.md'));
    await task(second, session, 'fourth');
    expectGrowing();
    const requests = sent();
    expect(requests[1]!.at(-2)).toContain('Ours: use spaces.');
    expect(requests[2]!.join().match(/use spaces/g)).toHaveLength(1);
    expect(requests[3]!.at(-2)).toContain('No longer there, and their rules with them: AGENTS.md.');
    const read = await second.execute({ type: 'readSession', session });
    const seen = read.ok ? read.value.view.items.map((item) => (item.kind === 'other' ? item.what : item.kind)) : [];
    expect(seen.filter((what) => ['rules', 'notice', 'user'].includes(what))).toEqual([
      'rules',
      'user',
      'notice',
      'user',
      'user',
      'notice',
      'user',
    ]);
  });

  it('IDE-72 IDE-23 a workspace that gets its first rules later is told them, too', async () => {
    rmSync(workspace.at('AGENTS.md'));
    rmSync(home.at('AGENTS.md'));
    await serve([{ text: 'one' }, { text: 'two' }]);
    const engine = anEngine();
    const session = await newSession(engine);
    await task(engine, session, 'first');
    await workspace.write('.blackide/AGENTS.md', 'New.');
    await task(engine, session, 'second');
    expectGrowing();
    expect(sent()[0]!.join()).not.toContain('rules');
    expect(sent()[1]!.at(-2)).toContain('New.');
  });

  it('IDE-72 refused and failed calls bring no rules in', async () => {
    await serve([reads('src/none.ts'), reads('../x'), { text: 'done' }]);
    const engine = anEngine();
    const session = await newSession(engine);
    await task(engine, session, 'look');
    expect(sent().at(-1)!.join()).not.toContain('no classes');
  });

  it('IDE-72 the offline provider takes them for what they are', async () => {
    await serve([]);
    const engine = anEngine();
    const session = await newSession(engine);
    const answers: string[] = [];
    engine.onEvent((event) => {
      if (event.type === 'TaskCompleted') answers.push(event.message);
    });
    await task(engine, session, 'Show src/b.ts', 'offline/offline');
    await workspace.write('AGENTS.md', 'Changed.');
    await task(engine, session, 'Show src/deep/a.ts', 'offline/offline');
    expect(answers).toHaveLength(2);
    expect(answers[0]).toContain('src/b.ts');
    expect(answers[1]).toContain('src/deep/a.ts');
  });
});
