import { stripTypeScriptTypes } from 'node:module';
import { startProcess } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { commandLine } from './adapters/command-words.ts';
import { debuggeeOf } from './adapters/find-adapters.ts';
import { localsOf, placeOf, stopOf, useDebugger } from './fixtures/use-debugger.ts';

const { here, launch, go, debugger: debug, never, world: worldOf } = useDebugger();
/** The Node that runs these tests, whatever `node` is on the PATH. */
const NODE = commandLine([process.execPath]);
const put = (files: Record<string, string>) =>
  Promise.all(Object.entries(files).map(([name, text]) => here.workspace.write(name, text)));

const STEPS = `function inner(n) {
  const doubled = n * 2;
  return doubled;
}
export function outer(n) {
  const first = inner(n);
  const second = inner(first);
  return second;
}
const result = outer(5);
console.log('result', result);
`;

describe('debugging Node', () => {
  it('INT-31 INT-33 stops at a line with stack, locals and source lines at once, and runs to the end', async () => {
    await put({ 'a.mjs': STEPS });
    const stopped = await launch(`${NODE} a.mjs`, { breakpoints: [{ place: 'a.mjs:3' }] });
    const { frames, source, reason } = stopOf(stopped);
    expect(reason).toBe('breakpoint');
    expect(placeOf(stopped)).toBe('inner a.mjs:3');
    expect(localsOf(stopped)).toMatchObject({ n: '5', doubled: '10' });
    expect(frames.slice(0, 3).map(({ name, line }) => `${name}:${line}`)).toEqual([
      'inner:3',
      'outer:6',
      '(anonymous):10',
    ]);
    expect(source).toEqual({ from: 1, lines: STEPS.split('\n').slice(0, 8) });
    expect(stopped.breakpoints).toEqual([{ place: 'a.mjs:3', verified: true, line: 3, message: undefined }]);
    expect(localsOf(await go('continue'))).toMatchObject({ n: '10' });
    const ended = await go('continue');
    expect(ended).toMatchObject({ outcome: { state: 'ended', exitCode: 0 }, output: 'result 20\n' });
  });

  it('INT-31 steps over, into and out of functions, and stops before the first line', async () => {
    await put({ 'a.mjs': STEPS });
    expect(placeOf(await launch(`${NODE} a.mjs`, { stopOnEntry: true }))).toBe('(anonymous) a.mjs:10');
    expect(placeOf(await go('stepIn'))).toBe('outer a.mjs:6');
    expect(placeOf(await go('next'))).toBe('outer a.mjs:7');
    expect(placeOf(await go('stepIn'))).toBe('inner a.mjs:2');
    expect(placeOf(await go('stepOut'))).toBe('outer a.mjs:8');
    await debug().terminate(never);
    await put({ 'a.cjs': STEPS.replace('export ', '') });
    expect(placeOf(await launch(`${NODE} a.cjs`, { stopOnEntry: true }))).toBe('(anonymous) a.cjs:10');
    expect(placeOf(await go('next'))).toBe('(anonymous) a.cjs:11');
  });

  it('INT-31 a step stays in the own code: not in a callback of a package, not in what throws and is caught', async () => {
    await put({
      'node_modules/each/package.json': '{"name":"each","main":"i.js"}',
      'node_modules/each/i.js': 'module.exports = (list, f) => {\n  for (const x of list) f(x);\n  return list;\n};\n',
      'a.cjs': `const each = require('each');
function careful(x) {
  try {
    if (x === 1) throw new Error('inner');
  } catch { return 0; }
  return x;
}
function work() {
  const seen = [];
  each([1, 2], (x) => {
    seen.push(careful(x));
  });
  return seen;
}
work();
`,
    });
    expect(placeOf(await launch(`${NODE} a.cjs`, { breakpoints: [{ place: 'a.cjs:10' }] }))).toBe('work a.cjs:10');
    expect(placeOf(await go('stepIn'))).toBe('(anonymous) a.cjs:11');
    expect(placeOf(await go('next'))).toBe('(anonymous) a.cjs:12');
    const out = await go('stepOut');
    expect(placeOf(out)).toBe('work a.cjs:13');
    expect(localsOf(out)).toMatchObject({ seen: '[0, 2]' });
  });

  it('INT-31 stops conditionally, at a function by its name, and logs without stopping', async () => {
    await put({ 'a.mjs': STEPS });
    const stopped = await launch(`${NODE} a.mjs`, {
      breakpoints: [
        { place: 'a.mjs:2', condition: 'n > 5' },
        { place: 'outer' },
        { place: 'a.mjs:3', log: 'doubled is {doubled} of {{n}} {nothing.at}' },
      ],
    });
    expect(stopOf(stopped).reason).toBe('breakpoint');
    expect(placeOf(stopped)).toBe('outer a.mjs:6');
    const second = await go('continue');
    expect(localsOf(second)).toMatchObject({ n: '10' });
    expect(second.output).toContain('doubled is 10 of {');
    expect(second.output).toContain('ReferenceError: nothing is not defined');
  });

  it('INT-31 says which breakpoints cannot be set, and moves those that can to the next code', async () => {
    await put({ 'a.mjs': `// nothing\n\n${STEPS}` });
    const breakpoints = [{ place: 'a.mjs:1' }, { place: 'a.mjs:5', condition: 'n >' }, { place: 'b.mjs:3' }];
    const stopped = await launch(`${NODE} a.mjs`, { breakpoints });
    expect(stopped.breakpoints).toEqual([
      { place: 'a.mjs:1', verified: true, line: 4, message: undefined },
      { place: 'a.mjs:5', verified: false, line: 5, message: expect.stringMatching(/no JavaScript: SyntaxError/) },
      { place: 'b.mjs:3', verified: false, line: 3, message: undefined },
    ]);
    await expect(launch(`${NODE} a.mjs`, { breakpoints: [{ place: '12' }] })).rejects.toMatchObject({
      code: 'session_running',
    });
    await debug().terminate(never);
    await expect(launch(`${NODE} a.mjs`, { breakpoints: [{ place: 'a.mjs:x' }] })).rejects.toMatchObject({
      code: 'bad_breakpoint',
    });
  });

  it('INT-31 evaluates in any frame, lists scopes and values page by page, and sets variables', async () => {
    await put({
      'a.mjs': `const limit = 3;
function check(items, note) {
  let count = items.length;
  const big = Array.from({ length: 5000 }, (_, i) => i);
  const map = new Map([['k', { v: 1 }]]);
  const text = 'x'.repeat(1_000_000);
  return [count, note.text, big, map, text, limit];
}
const note = { text: 'old', get lazy() { return 'called'; } };
console.log(check([1, 2], note).slice(0, 2).join());
`,
    });
    const stopped = await launch(`${NODE} a.mjs`, { breakpoints: [{ place: 'a.mjs:7' }] });
    const { locals, frames } = stopOf(stopped);
    expect(localsOf(stopped)).toMatchObject({ count: '2', items: '[1, 2]', map: 'Map(1) {"k" => {v: 1}}' });
    expect(JSON.stringify(stopOf(stopped)).length).toBeLessThan(10_000);
    const session = debug().current;
    expect((await session.evaluate('items[0] + count + limit', undefined, never)).value).toBe('6');
    expect((await session.evaluate('typeof items', frames[1]!.id, never)).value).toBe('"undefined"');
    const refOf = (name: string) => locals.find((each) => each.name === name)!.reference;
    const page = await session.variables(refOf('big'), 4990, never);
    expect(page.map(({ value }) => value)).toEqual([
      '4990',
      '4991',
      '4992',
      '4993',
      '4994',
      '4995',
      '4996',
      '4997',
      '4998',
      '4999',
    ]);
    expect(await session.variables(refOf('big'), 0, never)).toHaveLength(100);
    expect(await session.variables(refOf('note'), 0, never)).toMatchObject([
      { name: 'text', value: '"old"' },
      { name: 'lazy', value: expect.stringContaining('getter') },
    ]);
    const [local] = await session.scopes(undefined, never);
    expect(local).toMatchObject({ name: 'Local' });
    await session.setVariable(local!.reference, 'count', '40 + 2', never);
    await session.setVariable(refOf('note'), 'text', '"new"', never);
    await expect(session.evaluate('nowhere', undefined, never)).rejects.toThrow(
      'ReferenceError: nowhere is not defined',
    );
    expect(await go('continue')).toMatchObject({ output: '42,new\n', outcome: { state: 'ended', exitCode: 0 } });
    await expect(session.variables(refOf('big'), 0, never)).rejects.toMatchObject({ code: 'session_over' });
  });

  it('INT-31 what belongs to an earlier stop is refused, and what belongs to another program is not', async () => {
    await put({
      'two.mjs': `import { fork } from 'node:child_process';
for (const name of ['one', 'two']) fork('./part.mjs', [name]);
`,
      'part.mjs': `const name = { is: process.argv[2] };
debugger;
name.is += '!';
debugger;
`,
    });
    let answer = await launch(`${NODE} two.mjs`);
    while (stopOf(answer).alsoStopped.length === 0) answer = await debug().wait(10, never);
    const session = debug().current;
    const { thread, alsoStopped, locals, top } = stopOf(answer);
    const [other] = alsoStopped;
    const [frame] = await session.stack(other!.id, never);
    const value = await session.evaluate('name.is', frame!.id, never);
    answer = await debug().go('next', undefined, never, thread.id);
    const stale = await session.variables(locals[0]!.reference, 0, never).catch((error: Error) => error);
    expect(stale).toMatchObject({ code: 'stale_reference' });
    await expect(session.evaluate('1', top!.id, never)).rejects.toMatchObject({ code: 'no_frame' });
    expect((await session.evaluate('name.is', frame!.id, never)).value).toBe(value.value);
    await expect(session.evaluate('1', 4711, never)).rejects.toMatchObject({ code: 'unknown_handle' });
    await expect(session.stack(4711, never)).rejects.toMatchObject({ code: 'unknown_handle' });
  });

  it('INT-33 shows the lines of code that is in no file', async () => {
    const stopped = await launch(`${NODE} -e 'const a = 40 + 2;\ndebugger;\nconsole.log(a);'`);
    expect(stopOf(stopped)).toMatchObject({
      top: { place: '[eval]', line: 2, path: undefined },
      source: { from: 1, lines: ['const a = 40 + 2;', 'debugger;', 'console.log(a);'] },
    });
  });

  it('INT-31 follows source maps: inline ones, ones in files, and a step goes through original lines', async () => {
    const original = `interface Named {
  name: string;
}

export function greet(named: Named) {
  const text = \`hi \${named.name}\`;
  return text;
}
`;
    const made = stripTypeScriptTypes(original, { mode: 'transform', sourceMap: true, sourceUrl: 'src/greet.ts' });
    const [code = '', map = ''] = made.split(/\/\/# sourceMappingURL=data:application\/json;base64,/);
    expect(code.split('\n')[1]).toContain('const text');
    await put({
      'src/greet.ts': original,
      'greet.mjs': `${code}//# sourceMappingURL=greet.mjs.map\n`,
      'greet.mjs.map': Buffer.from(map, 'base64').toString(),
      'inline.mjs': made,
      'main.mjs': `import { greet } from './greet.mjs';\nconst { greet: inline } = await import('./inline.mjs');\nconsole.log(greet({ name: 'a' }), inline({ name: 'b' }));\n`,
    });
    const stopped = await launch(`${NODE} main.mjs`, { breakpoints: [{ place: 'src/greet.ts:7' }] });
    expect(placeOf(stopped)).toBe('greet src/greet.ts:7');
    expect(localsOf(stopped)).toMatchObject({ named: '{name: "a"}', text: '"hi a"' });
    expect(stopOf(stopped).source).toMatchObject({ from: 2, lines: expect.arrayContaining(['  return text;']) });
    expect(localsOf(await go('continue'))).toMatchObject({ text: '"hi b"' });
    expect(placeOf(await go('stepOut'))).toBe('(anonymous) main.mjs:3');
    await debug().terminate(never);
    // CommonJS runs at once when it is loaded: its breakpoints have to be there before.
    const common = `const { greet } = (() => { ${code.replace('export ', 'return { greet }; ')} })();\ngreet({ name: 'c' });\n`;
    expect(common.split('\n')[1]).toContain('const text');
    await put({ 'c.cjs': `${common}//# sourceMappingURL=greet.mjs.map\n`, 'load.cjs': "require('./c.cjs');\n" });
    const loaded = await launch(`${NODE} load.cjs`, { breakpoints: [{ place: 'src/greet.ts:6' }] });
    expect(placeOf(loaded)).toBe('greet src/greet.ts:6');
    expect(localsOf(await go('next'))).toMatchObject({ text: '"hi c"' });
  });

  it('INT-31 sees TypeScript that Node strips, worker threads and child processes as threads of one session', async () => {
    await put({
      'main.ts': `import { fork } from 'node:child_process';
import { Worker } from 'node:worker_threads';
const file: string = new URL('./part.ts', import.meta.url).pathname;
new Worker(file, { workerData: 'worker' });
fork(file, ['child']);
`,
      'part.ts': `import { workerData } from 'node:worker_threads';
type Who = string;
const who: Who = workerData ?? process.argv[2];
console.log(who);
`,
    });
    const breakpoints = [{ place: 'part.ts:4' }];
    const first = await launch(`${NODE} main.ts`, { breakpoints });
    const session = debug().current;
    const seen = new Set<string>();
    let answer = first;
    for (let stop = 0; stop < 2; stop += 1) {
      expect(placeOf(answer)).toBe('(anonymous) part.ts:4');
      seen.add((await session.evaluate('who', undefined, never)).value);
      answer = await go('continue');
    }
    expect([...seen].sort()).toEqual(['"child"', '"worker"']);
    expect(answer.outcome).toMatchObject({ state: 'ended', exitCode: 0 });
  });

  it('INT-31 pauses a program that runs for ever, tells its threads, and ends it', async () => {
    await put({ 'a.mjs': 'let n = 0;\nsetInterval(() => {\n  n += 1;\n}, 1);\n' });
    const running = await launch(`${NODE} a.mjs`, { waitMs: 300 });
    expect(running.outcome).toEqual({ state: 'running' });
    const [thread] = await debug().current.threads(never);
    expect(thread).toMatchObject({ stopped: false, name: expect.stringContaining('a.mjs (process ') });
    await expect(debug().current.stack(undefined, never)).rejects.toMatchObject({ code: 'not_stopped' });
    const paused = await debug().pause(undefined, never);
    expect(stopOf(paused)).toMatchObject({ reason: 'pause', thread: { id: thread!.id } });
    expect(await debug().terminate(never)).toMatchObject({ outcome: { state: 'ended', why: 'stopped' } });
    expect(debug().running).toBe(undefined);
  });

  it('INT-31 attaches to a program behind its port and lets it go on', async () => {
    await put({
      'a.mjs': `import inspector from 'node:inspector';
let n = 0;
const timer = setInterval(() => {
  n += 1;
  if (globalThis.enough) {
    clearInterval(timer);
    console.log('ended well');
  }
}, 5);
inspector.open(0, '127.0.0.1');
console.log(inspector.url());
`,
    });
    const program = await startProcess({ command: process.execPath, args: ['a.mjs'], cwd: here.workspace.path });
    const [, port] = await program.waitForOutput(/ws:\/\/127\.0\.0\.1:(\d+)/);
    const world = worldOf();
    const request = { kind: 'attach' as const, to: { port: Number(port) }, cwd: here.workspace.path };
    const debuggee = debuggeeOf(request, undefined, { root: world.root, env: world.env, trusted: true }, world);
    const attached = await debug().launch(debuggee, { breakpoints: [{ place: 'a.mjs:5' }] }, never);
    expect(placeOf(attached)).toBe('(anonymous) a.mjs:5');
    await debug().current.evaluate('globalThis.enough = true', undefined, never);
    await debug().terminate(never);
    expect((await program.result).stdout).toContain('ended well');
  });
});
