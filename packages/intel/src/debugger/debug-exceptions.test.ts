import { describe, expect, it } from 'vitest';
import { commandLine } from './adapters/command-words.ts';
import { localsOf, placeOf, stopOf, useDebugger } from './fixtures/use-debugger.ts';
import type { DebugAnswer } from './report.ts';

const { here, launch, go } = useDebugger();
const NODE = commandLine([process.execPath]);

/** Every stop of a run, and how it ended. */
async function stops(first: DebugAnswer): Promise<{ places: string[]; ended: DebugAnswer }> {
  const places: string[] = [];
  let answer = first;
  while (answer.outcome.state === 'stopped') {
    places.push(`${stopOf(answer).text.split('\n')[0]} @ ${stopOf(answer).top?.line}`);
    answer = await go('continue');
  }
  return { places, ended: answer };
}

describe('exceptions', () => {
  it('INT-34 stops where a test of node --test fails, and nowhere else', async () => {
    await here.workspace.write(
      'a.test.ts',
      `import assert from 'node:assert';
import test from 'node:test';
import { readFileSync } from 'node:fs';
const sleep = () => new Promise((done) => setTimeout(done, 1));
test('fails at once', () => {
  const got: number = 1 + 2;
  assert.strictEqual(got, 4);
});
test('passes', async () => {
  assert.throws(() => { throw new Error('expected'); });
  await assert.rejects(async () => { await sleep(); throw new Error('expected later'); });
  try { JSON.parse('{'); } catch {}
  const fail = async () => { await sleep(); throw new Error('caught by the test'); };
  try { await fail(); } catch {}
  try { await Promise.all([fail(), sleep()]); } catch {}
  const through = async () => fail();
  try { await through(); } catch {}
});
test('fails later', async () => {
  await sleep();
  const deep = async (n: number): Promise<void> => {
    await sleep();
    if (n === 0) throw new RangeError('deep down');
    await deep(n - 1);
  };
  await deep(2);
});
test('fails in Node', () => {
  readFileSync('/no/such/file');
});
`,
    );
    const first = await launch(`${NODE} --test a.test.ts`);
    expect(placeOf(first)).toBe('(anonymous) a.test.ts:7');
    expect(localsOf(first)).toMatchObject({ got: '3' });
    const { places, ended } = await stops(first);
    expect(places).toEqual([
      'AssertionError: Expected values to be strictly equal: @ 7',
      'RangeError: deep down @ 23',
      expect.stringMatching(/^Error: ENOENT: no such file or directory.* @ 29$/),
    ]);
    expect(ended.outcome).toMatchObject({ state: 'ended', exitCode: 1 });
    expect(ended.output).toMatch(/pass 1\n.*fail 3\n/);
    expect(ended.output).not.toMatch(/Debugger (listening|attached)|Waiting for the debugger/);
  });

  it('INT-31 stops at what nothing catches, at all that passes the own code, or at none', async () => {
    await here.workspace.write(
      'a.mjs',
      `function risky(n) {
  if (n > 0) throw new Error('n is ' + n);
}
try { risky(1); } catch {}
try { JSON.parse('{'); } catch {}
risky(2);
`,
    );
    const uncaught = await stops(await launch(`${NODE} a.mjs`));
    expect(uncaught.places).toEqual(['Error: n is 2 @ 2']);
    expect(uncaught.ended).toMatchObject({ outcome: { state: 'ended', exitCode: 1 } });
    expect((await stops(await launch(`${NODE} a.mjs`, { exceptions: 'all' }))).places).toEqual([
      'Error: n is 1 @ 2',
      expect.stringMatching(/^SyntaxError: .* @ 5$/),
      'Error: n is 2 @ 2',
    ]);
    const none = await stops(await launch(`${NODE} a.mjs`, { exceptions: 'none' }));
    expect(none).toMatchObject({ places: [], ended: { outcome: { exitCode: 1 } } });
  });

  it('INT-34 stops at an assertion of a package, at the frame of the test that made it', async () => {
    const files = {
      'node_modules/expects/package.json': '{"name":"expects","main":"index.js"}',
      'node_modules/expects/index.js': `exports.same = (a, b) => { if (a !== b) throw new Error(a + ' is not ' + b); };
exports.throws = (act) => { try { act(); } catch (error) { return error; } throw new Error('it did not throw'); };
`,
      'node_modules/runs/package.json': '{"name":"runs","main":"index.js"}',
      'node_modules/runs/index.js': `const tests = [];
exports.test = (name, act) => tests.push({ name, act });
exports.run = async () => {
  for (const { name, act } of tests) {
    try { await act(); console.log('ok', name); } catch (error) { console.log('not ok', name, error.message); }
  }
};
`,
      'a.cjs': `const { same, throws } = require('expects');
const { test, run } = require('runs');
test('throws', () => throws(() => { throw new Error('wanted'); }));
test('same', () => {
  const sum = 1 + 1;
  same(sum, 3);
});
run();
`,
    };
    for (const [name, text] of Object.entries(files)) await here.workspace.write(name, text);
    const first = await launch(`${NODE} a.cjs`);
    expect(placeOf(first)).toBe('(anonymous) a.cjs:6');
    expect(stopOf(first).frames[0]).toMatchObject({ name: 'exports.same', isUser: false });
    expect(localsOf(first)).toMatchObject({ sum: '2' });
    expect((await stops(first)).ended.output).toContain('not ok same 2 is not 3');
  });
});
