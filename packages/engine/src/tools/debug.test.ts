import { textOf } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, leakCheck, type Script } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const FAILING = `import test from 'node:test';
import assert from 'node:assert';
interface Item { price: number; count: number }
function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return sum;
}
test('adds up', () => {
  const items: Item[] = [{ price: 2, count: 3 }, { price: 5, count: 1 }];
  const got = total(items);
  assert.equal(got, 12);
});
`;

let leaks: ReturnType<typeof leakCheck>;
beforeEach(() => {
  leaks = leakCheck();
});
afterEach(async () => {
  await leaks.expectNoLeaks();
});

const call = (args: object) => ({
  toolCalls: [{ name: 'call_tool', args: { name: 'debug', arguments: args } as never }],
});

async function session(calls: object[], options: Partial<EngineOptions> = {}, files: Record<string, string> = {}) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files: { 'package.json': '{}', 'a.test.ts': FAILING, ...files } });
  const script: Script = [...calls.map(call), { text: 'done' }];
  const server = await createMockModelServer(script, { allowMissingKey: true });
  return ScriptedSession.begin({ home, workspace, server }, options);
}

function results(run: Pick<Awaited<ReturnType<typeof session>>, 'ofType'>) {
  return run
    .ofType('ToolFinished')
    .map(({ content, details, isError }) => ({ text: textOf(content), details, isError }));
}

describe('the debug tool', () => {
  it('INT-31 INT-33 INT-34 stops a failing test at its assertion and reads the frame, in the sandbox', async () => {
    await using run = await session([
      { action: 'launch', command: 'node --test a.test.ts' },
      { action: 'evaluate', expression: 'items.map((item) => item.price * item.count)' },
      { action: 'continue' },
    ]);
    await run.run('why does it fail');
    const [stopped, value, ended] = results(run);
    expect(stopped?.text).toMatch(/^Stopped \(exception\): AssertionError.*11 == 12/s);
    expect(stopped?.text).toContain('a.test.ts:12');
    expect(stopped?.text).toContain('> 12 |   assert.equal(got, 12);');
    expect(stopped?.text).toContain('got = 11');
    expect(stopped?.details).toMatchObject({ kind: 'debug', state: 'stopped', place: 'a.test.ts', line: 12 });
    expect(value?.text).toContain('[6, 5]');
    expect(ended?.details).toMatchObject({ state: 'ended', exitCode: 1 });
    expect(ended?.text).toContain('fail 1');
  });
});
