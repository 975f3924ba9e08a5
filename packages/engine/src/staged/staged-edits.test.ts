import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineEvent, type Request, type SessionEvent, textOf } from '@black-ide/protocol';
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
import type { AskPolicy, Engine } from '../engine-api.ts';

const A = 'if (a != null) a.dispose();\nif (a != null) b.dispose();\n';
const B = 'function f() {\n  if (x.y != null) {}\n  if (x.y != null) x.y.dispose();\n}\n';
const NEW_A = 'a?.dispose();\nif (a != null) b.dispose();\n';
const NEW_B = 'function f() {\n  if (x.y != null) {}\n  x.y?.dispose();\n}\n';
const PATTERN = 'if ($X != null) $X.dispose()';
const REWRITE = '$X?.dispose()';

let home: TempWorkspace;
let workspace: TempWorkspace;
let model: MockModelServer;
let engine: Engine;
let sessionId: string;
let events: SessionEvent[];

beforeEach(async () => {
  home = await createTempWorkspace({});
  workspace = await createTempWorkspace({ files: { 'a.ts': A, 'src/b.ts': B, 'c.ts': 'keep();\n' } });
  events = [];
});

afterEach(async () => {
  await engine.dispose();
  await model.close();
  await home[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

function openEngine(asks: AskPolicy, autoApprove = false): void {
  engine = createEngine({
    cwd: workspace.path,
    home: home.path,
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.anthropicUrl, PATH: process.env.PATH, ...UNPLANNED },
    face: 'test',
    trust: true,
    asks,
    autoApprove,
  });
  engine.onEvent((event) => {
    if ('sessionId' in event) events.push(event);
  });
}

async function begin(script: Script, asks: AskPolicy = 'wait', autoApprove = false): Promise<void> {
  model = await createMockModelServer(script);
  openEngine(asks, autoApprove);
  const created = await engine.execute({ type: 'newSession' });
  if (!created.ok) throw new Error(created.error.message);
  sessionId = created.value.sessionId;
}

function heard(matches: (event: SessionEvent) => boolean): Promise<SessionEvent> {
  const known = events.find(matches);
  if (known) return Promise.resolve(known);
  return new Promise((resolve) => {
    const stop = engine.onEvent((event: EngineEvent) => {
      if (!('sessionId' in event) || !matches(event)) return;
      stop();
      resolve(event);
    });
  });
}

async function start(text = 'go'): Promise<void> {
  events = [];
  const started = await engine.execute({ type: 'startAgentTask', sessionId, text, model: 'anthropic/mock' });
  expect(started).toMatchObject({ ok: true });
}

const ended = () => heard((event) => event.type === 'RunningChanged' && !event.running);

async function asked(): Promise<Request> {
  const event = await heard(({ type }) => type === 'RequestOpened');
  return (event as SessionEvent & { type: 'RequestOpened' }).request;
}

async function answer(value: string, text?: string): Promise<void> {
  const { id: requestId } = await asked();
  const said = { type: 'respond', sessionId, requestId, value, by: 'person', ...(text ? { text } : {}) } as const;
  expect(await engine.execute(said)).toMatchObject({ ok: true });
}

const rare = (name: string, args: object) => ({ name: 'call_tool', args: { name, arguments: args } as never });
const stage = rare('ast_edit', { pattern: PATTERN, rewrite: REWRITE });
const commit = rare('resolve', { action: 'commit' });
const steps = (...calls: ReturnType<typeof rare>[]): Script => [
  ...calls.map((one) => ({ toolCalls: [one] })),
  { text: 'done' },
];

type Finished = SessionEvent & { type: 'ToolFinished' };
const results = () =>
  events
    .filter((event): event is Finished => event.type === 'ToolFinished')
    .map(({ isError, content }) => `${isError ? 'ERROR ' : ''}${textOf(content)}`);

const texts = () => ({
  a: readFileSync(join(workspace.path, 'a.ts'), 'utf8'),
  b: readFileSync(join(workspace.path, 'src/b.ts'), 'utf8'),
});

async function staged(): Promise<string[]> {
  const listed = await engine.execute({ type: 'listStaged', sessionId });
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value.staged.map(({ id }) => id);
}

describe('in a chat', () => {
  it('INT-27 INT-28 stages, waits for the person, then commits with a checkpoint', async () => {
    await begin(steps(stage, commit));
    await start();
    const request = await asked();
    expect(request).toMatchObject({
      kind: 'staged_edit',
      title: 'Rewrite 2 places in 2 files?',
      options: [{ value: 'accept' }, { value: 'reject' }],
      default: 'reject',
    });
    expect(request.payload.diff).toContain('-if (a != null) a.dispose();\n+a?.dispose();\n');
    expect(results()[0]).toContain('Staged as staged-1: 2 places in 2 files; nothing is written yet.');
    expect(texts()).toEqual({ a: A, b: B });
    expect(await staged()).toEqual(['staged-1']);
    await answer('accept');
    await ended();
    expect(results()[1]).toBe('Committed staged-1: 2 places in 2 files.');
    expect(texts()).toEqual({ a: NEW_A, b: NEW_B });
    expect(await staged()).toEqual([]);
    expect(await engine.execute({ type: 'undoMessage', sessionId })).toMatchObject({ ok: true });
    expect(texts()).toEqual({ a: A, b: B });
  });

  it('INT-28 writes nothing when the person rejects, and forgets it', async () => {
    await begin(steps(stage, commit));
    await start();
    await answer('reject', 'not here');
    await ended();
    expect(results()[1]).toContain('A person denied it: not here');
    expect(texts()).toEqual({ a: A, b: B });
    expect(await staged()).toEqual([]);
  });

  it('INT-28 refuses the whole commit, and names the file that changed', async () => {
    await begin(steps(stage, commit));
    await start();
    await asked();
    writeFileSync(join(workspace.path, 'src/b.ts'), `${B}\n`);
    await answer('accept');
    await ended();
    expect(results()[1]).toMatch(/^ERROR .*src\/b\.ts has changed since it was read/);
    expect(results()[1]).toContain('Files: src/b.ts.');
    expect(texts()).toEqual({ a: A, b: `${B}\n` });
    expect(await staged()).toEqual(['staged-1']);
  });

  it('INT-28 discards without asking', async () => {
    await begin(steps(stage, rare('resolve', { action: 'discard' }), commit));
    await start();
    await ended();
    expect(results().slice(1)).toEqual(['Discarded staged-1; nothing was written.', expect.stringContaining('ERROR')]);
    expect(await staged()).toEqual([]);
  });

  it('INT-22 searches by shape', async () => {
    await begin(steps(rare('ast_grep', { pattern: PATTERN }), rare('ast_grep', { pattern: 'if (' })));
    await start();
    await ended();
    expect(results()).toEqual([
      'src/b.ts:3:3: if (x.y != null) x.y.dispose();  [$X = x.y]\na.ts:1:1: if (a != null) a.dispose();  [$X = a]',
      expect.stringMatching(/^ERROR The pattern is no code of typescript/),
    ]);
  });

  it.each([
    ['no match', 'free($X)', 'keep($X)', /Nothing matches the pattern \(3 files were searched\)/],
    ['a pattern that is no code', 'if (', 'x', /The pattern is no code of typescript/],
    ['a replacement that does not parse', 'keep()', 'keep((', /The replacement does not parse in c\.ts/],
    ['an unknown metavariable', 'keep()', '$X', /uses \$X, for which the pattern captures nothing/],
    ['a replacement that changes nothing', 'keep()', 'keep()', /is what stands there already/],
  ])('INT-30 stages nothing for %s', async (_, pattern, rewrite, message) => {
    await begin(steps(rare('ast_edit', { pattern, rewrite })));
    await start();
    await ended();
    expect(results()).toEqual([expect.stringMatching(message)]);
    expect(results()[0]).toMatch(/^ERROR/);
    expect(await staged()).toEqual([]);
  });
});

describe('without a person', () => {
  it('INT-28 stays staged until it is approved, also by another process', async () => {
    await begin(steps(stage, commit), 'stop');
    await start();
    await ended();
    expect(events.some(({ type }) => type === 'TaskStopped' || type === 'TaskCompleted')).toBe(false);
    expect(texts()).toEqual({ a: A, b: B });
    await engine.dispose();
    openEngine('stop');
    expect(await engine.execute({ type: 'openSession', session: sessionId })).toMatchObject({ ok: true });
    expect(await staged()).toEqual(['staged-1']);
    await answer('accept');
    events = [];
    expect(await engine.execute({ type: 'resumeTask', sessionId })).toMatchObject({ value: { resumed: true } });
    await ended();
    expect(results()).toEqual(['Committed staged-1: 2 places in 2 files.']);
    expect(texts()).toEqual({ a: NEW_A, b: NEW_B });
  });

  it('INT-28 refuses a file that changed while nobody was there', async () => {
    await begin(steps(stage, commit), 'stop');
    await start();
    await ended();
    await engine.dispose();
    writeFileSync(join(workspace.path, 'a.ts'), `// formatted\n${A}`);
    openEngine('stop');
    await engine.execute({ type: 'openSession', session: sessionId });
    await answer('accept');
    events = [];
    await engine.execute({ type: 'resumeTask', sessionId });
    await ended();
    expect(results()).toEqual([expect.stringMatching(/^ERROR Nothing was written: a\.ts changed since/)]);
    expect(texts().b).toBe(B);
  });

  it('INT-28 stays staged where questions are refused, and expires with the session', async () => {
    await begin(steps(stage, commit), 'refuse');
    await start();
    await ended();
    expect(texts()).toEqual({ a: A, b: B });
    expect(await staged()).toEqual(['staged-1']);
    await engine.execute({ type: 'closeSession', sessionId });
    await engine.execute({ type: 'openSession', session: sessionId });
    expect(await staged()).toEqual([]);
  });

  it('INT-28 commits at once where yes was said in advance', async () => {
    await begin(steps(stage, commit), 'refuse', true);
    await start();
    await ended();
    expect(texts()).toEqual({ a: NEW_A, b: NEW_B });
  });
});

it('INT-29 leaves all files old or all new when it is killed in the middle of a commit', async () => {
  await begin([{ text: 'done' }]);
  const child = join(import.meta.dirname, 'fixtures', 'kill-child.ts');
  const count = 6;
  const outcomes: string[] = [];
  for (let at = 1; at <= count + 1; at += 1) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'black-staged-')));
    const state = realpathSync(mkdtempSync(join(tmpdir(), 'black-staged-home-')));
    const names = Array.from({ length: count }, (_, index) => `f${index}.ts`);
    for (const name of names) writeFileSync(join(root, name), `old("${name}");\n`);
    const { signal, stderr, stdout } = spawnSync(process.execPath, [child, root, state, String(at)], {
      encoding: 'utf8',
    });
    expect([at, at <= count ? signal : stdout, stderr]).toEqual([at, at <= count ? 'SIGKILL' : String(count), '']);
    const next = createEngine({ cwd: root, home: state, env: {}, face: 'test', asks: 'stop', trust: true });
    await next.execute({ type: 'newSession' }).then(async (made) => {
      if (made.ok)
        await next.execute({
          type: 'startAgentTask',
          sessionId: made.value.sessionId,
          text: 'hello',
          model: 'offline',
        });
    });
    await next.dispose();
    const words = new Set(names.map((name) => readFileSync(join(root, name), 'utf8').replace(`("${name}");\n`, '')));
    expect([...words]).toHaveLength(1);
    expect(readdirSync(root).sort()).toEqual(names);
    outcomes.push([...words].join());
    rmSync(root, { recursive: true });
    rmSync(state, { recursive: true });
  }
  expect(outcomes).toContain('fresh');
}, 60_000);
