import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineEvent } from '@black-ide/protocol';
import {
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  type MockModelServerOptions,
  type Script,
  type TempWorkspace,
  type Turn,
  UNPLANNED,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../engine.ts';
import type { Engine } from '../engine-api.ts';
import { EVERY_WIRE, everyWire } from './fixtures/every-wire.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SUM = 'export const sum = (a, b) => a - b; // Größe\r\n';
const TEST = `import { sum } from './sum.mjs';\nif (sum(2, 2) !== 4) throw new Error('wrong');\nconsole.log('all good');\n`;

let home: TempWorkspace;
let workspace: TempWorkspace;
let server: MockModelServer;
let engine: Engine;
let events: EngineEvent[];

beforeEach(async () => {
  home = await createTempWorkspace({});
  workspace = await createTempWorkspace({ files: { 'sum.mjs': SUM, 'test.mjs': TEST } });
  events = [];
});

afterEach(async () => {
  await engine.dispose();
  await server.close();
  await home[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

async function begin(script: Script, options: MockModelServerOptions = {}): Promise<string> {
  server = await createMockModelServer(script, { apiKey: 'right', ...options });
  const env = { ...everyWire(server, home.path), PATH: process.env.PATH, ...UNPLANNED };
  engine = createEngine({
    cwd: workspace.path,
    home: home.path,
    env,
    face: 'test',
    asks: 'refuse',
    autoApprove: true,
    trust: true,
  });
  engine.onEvent((event) => events.push(event));
  const created = await engine.execute({ type: 'newSession' });
  if (!created.ok) throw new Error(created.error.message);
  return created.value.sessionId;
}

async function task(sessionId: string, model: string, text: string, more: object = {}): Promise<EngineEvent[]> {
  const from = events.length;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = engine.onEvent((event) => event.type === 'RunningChanged' && !event.running && resolve());
  const started = await engine.execute({ type: 'startAgentTask', sessionId, text, model, ...more });
  if (!started.ok) throw new Error(started.error.message);
  await promise;
  stop();
  return events.slice(from);
}

function completed(heard: readonly EngineEvent[]): string[] {
  return heard.flatMap((event) => (event.type === 'TaskCompleted' ? [event.message] : []));
}

function fourSteps(wire: string): Turn[] {
  const split = 'awkward';
  const usage = { input: 100, output: 20, cacheRead: 50 };
  const edit = { path: 'sum.mjs', old_string: 'a - b', new_string: 'a + b' };
  return [
    { thinking: 'I look first.', toolCalls: [{ name: 'read_file', args: { path: 'sum.mjs' } }], split, usage },
    { text: 'A minus.', toolCalls: [{ name: 'edit_file', args: edit }], split, usage },
    { toolCalls: [{ name: 'run_command', args: { command: 'node test.mjs' } }], split, usage },
    { text: `Fixed over ${wire}: Größe 😀`, split, usage },
  ];
}

describe.each(EVERY_WIRE)('$name', ({ model, wire }) => {
  it('IDE-25 does the same four-step task: read, edit, run the tests, answer; the bytes are right', async () => {
    const sessionId = await begin(fourSteps(wire));
    const heard = await task(sessionId, model, 'Fix sum and run the tests.', { thinking: 'low' });
    expect(server.requests.find((request) => request.refusal)?.refusal).toBeUndefined();
    expect(completed(heard)).toEqual([`Fixed over ${wire}: Größe 😀`]);
    expect(readFileSync(join(workspace.path, 'sum.mjs'), 'utf8')).toBe(SUM.replace('a - b', 'a + b'));
    expect(server.modelCalls().map((call) => call.wire)).toEqual([wire, wire, wire, wire]);
    const last = server.modelCalls().at(-1)?.request?.messages ?? [];
    expect(JSON.stringify(last)).toContain('all good');
    const usage = heard.findLast((event) => event.type === 'UsageUpdated');
    const cached = wire === 'ollama-chat' ? 0 : 50;
    expect(usage).toMatchObject({ usage: { cacheRead: cached, output: 20 } });
    for (const { path, headers } of server.modelCalls()) {
      expect(path).not.toContain('right');
      expect(headers['x-team']).toBe(model === 'mine/local' ? 'blue' : undefined);
    }
  });

  it('IDE-18 each request begins with the bytes of the one before, so that its cache can be read', async () => {
    const sessionId = await begin(fourSteps(wire));
    await task(sessionId, model, 'Fix sum and run the tests.', { thinking: 'medium' });
    const bodies = server.modelCalls().map((call) => call.rawBody.toString('utf8'));
    for (let i = 1; i < bodies.length; i++) {
      const { prefix, total } = commonConversation(bodies[i - 1]!, bodies[i]!);
      expect(prefix).toBe(total);
    }
    expect(Buffer.byteLength(bodies[0]!)).toBeLessThan(8 * 1024);
  });
});

/** How much of the earlier request's conversation the later one begins with, in items; everything else must be equal. */
function commonConversation(before: string, after: string): { prefix: number; total: number } {
  const read = (text: string) => {
    const { messages, input, contents, ...rest } = JSON.parse(text) as Record<string, unknown[]>;
    return { list: (messages ?? input ?? contents)!.map((item) => JSON.stringify(item)), rest: JSON.stringify(rest) };
  };
  const [first, second] = [read(before), read(after)];
  expect(second.rest).toBe(first.rest);
  const differs = first.list.findIndex((item, index) => item !== second.list[index]);
  return { prefix: differs < 0 ? first.list.length : differs, total: first.list.length };
}

describe('one session over every wire', () => {
  const hop = (index: number, name: string): Turn[] => [
    {
      thinking: `Thought of ${name}.`,
      text: `${name} looks.`,
      toolCalls: [
        { id: `${'call'.repeat(15)}-${index}.a:b`, name: 'read_file', args: { path: 'sum.mjs' } },
        { id: `${'call'.repeat(15)}-${index}.a;b`, name: 'read_file', args: { path: 'test.mjs' } },
      ],
    },
    { thinking: 'Now I know.', text: `Answer of ${name}.` },
  ];

  it('IDE-27 goes on with another provider after thinking, tool calls with odd ids, and images', async () => {
    const order = [...EVERY_WIRE, ...EVERY_WIRE.toReversed()];
    const sessionId = await begin(order.flatMap(({ name }, index) => hop(index, name)));
    const images = [{ type: 'image', data: PIXEL, mimeType: 'image/png' }];
    for (const [index, { name, model }] of order.entries()) {
      const heard = await task(sessionId, model, `Turn ${index}`, { images, thinking: index % 2 ? 'off' : 'high' });
      expect(server.requests.findLast((request) => request.refusal)?.refusal).toBeUndefined();
      expect(completed(heard)).toEqual([`Answer of ${name}.`]);
    }
  });
});
