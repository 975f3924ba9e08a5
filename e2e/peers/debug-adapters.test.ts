import {
  createTempWorkspace,
  leakCheck,
  readProcessTable,
  runProcess,
  startProcess,
  type TempWorkspace,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AdapterId,
  type DebugAnswer,
  Debugger,
  type DebugStart,
  debuggeeOf,
  type StopReport,
} from '../../packages/intel/src/index.ts';
import { cleanEnvironment, DiskDocuments, ProcessRegistry, Sandbox } from '../../packages/workspace/src/index.ts';

/** Debian's Python, whose debugpy it is. */
const PYTHON = '/usr/bin/python3';
const never = new AbortController().signal;

let workspace: TempWorkspace;
let home: TempWorkspace;
let processes: ProcessRegistry;
let debug: Debugger;
let leaks: ReturnType<typeof leakCheck>;

beforeEach(async () => {
  leaks = leakCheck();
  workspace = await createTempWorkspace();
  home = await createTempWorkspace();
  processes = new ProcessRegistry({ stateFolder: home.path });
  debug = new Debugger({ root: workspace.path, now: Date.now, readText });
});

afterEach(async () => {
  await debug.dispose();
  await processes.dispose();
  await leaks.expectNoLeaks();
  await workspace.dispose();
  await home.dispose();
});

const documents = new DiskDocuments();
async function readText(path: string): Promise<string | undefined> {
  const read = await documents.read(path);
  return read.ok ? (read.document.text ?? undefined) : undefined;
}

type Launch = DebugStart & { adapter?: AdapterId; stopOnEntry?: boolean; box?: Sandbox };

async function attach(to: { port: number } | { pid: number }, adapter: AdapterId, start: DebugStart) {
  const env = { ...cleanEnvironment(process.env), HOME: process.env.HOME ?? '/' };
  const world = { root: workspace.path, processes, env, readText };
  const request = { kind: 'attach' as const, to, cwd: workspace.path };
  const debuggee = debuggeeOf(request, adapter, { root: workspace.path, env, trusted: true }, world);
  return debug.launch(debuggee, { waitMs: 60_000, ...start }, never);
}

async function launch(command: string, { box, ...start }: Launch = {}) {
  const env = { ...cleanEnvironment(process.env), HOME: process.env.HOME ?? '/' };
  const sandbox = box && {
    temporary: (await box.temporary())!,
    contain: (options: { cwd: string; env: Record<string, string> }) => box.contain({ ...options, background: true }),
    connect: (port: number) => box.connect(port),
  };
  const world = { root: workspace.path, processes, env, readText, ...(sandbox ? { sandbox } : {}) };
  const request = { kind: 'launch' as const, command, cwd: workspace.path, stopOnEntry: start.stopOnEntry ?? false };
  const debuggee = debuggeeOf(request, start.adapter, { root: workspace.path, env, trusted: true }, world);
  return debug.launch(debuggee, { waitMs: 120_000, ...start }, never);
}

function stopOf({ outcome }: DebugAnswer): StopReport {
  if (outcome.state === 'stopped') return outcome.stop;
  throw new Error(`It has not stopped: ${JSON.stringify(outcome)}`);
}

const placeOf = (answer: DebugAnswer) =>
  `${stopOf(answer).top?.name} ${stopOf(answer).top?.place}:${stopOf(answer).top?.line}`;
const localsOf = (answer: DebugAnswer) =>
  Object.fromEntries(stopOf(answer).locals.map(({ name, value }) => [name, value]));
const go = (how: Parameters<Debugger['go']>[0]) => debug.go(how, 30_000, never);

/** Sets a local of the innermost frame, whichever scope has it. */
async function setLocal(name: string, value: string): Promise<void> {
  for (const scope of await debug.current.scopes(undefined, never)) {
    const found = (await debug.current.variables(scope.reference, 0, never)).some((each) => each.name === name);
    if (found) return void (await debug.current.setVariable(scope.reference, name, value, never));
  }
  throw new Error(`There is no ${name}.`);
}

async function compile(...args: string[]): Promise<void> {
  const made = await runProcess({ command: 'cc', args, cwd: workspace.path, env: process.env });
  expect(made.stderr).toBe('');
}

describe('debugpy', () => {
  const CALC = `def add(a, b):
    total = a + b
    return total

def main():
    first = add(40, 2)
    second = add(first, 1)
    print("result", second)

main()
`;

  it('INT-31 INT-33 stops at a line, steps, evaluates, sets a variable, and tells the exit code', async () => {
    await workspace.write('calc.py', CALC);
    const stopped = await launch(`${PYTHON} calc.py`, { breakpoints: [{ place: 'calc.py:3' }] });
    expect(placeOf(stopped)).toBe('add calc.py:3');
    expect(localsOf(stopped)).toEqual({ a: '40', b: '2', total: '42' });
    expect(stopOf(stopped).source?.lines).toContain('    return total');
    expect((await debug.current.evaluate('total * 2', undefined, never)).value).toBe('84');
    await expect(debug.current.evaluate('nothing', undefined, never)).rejects.toThrow(/NameError/);
    await setLocal('total', '100');
    expect(placeOf(await go('stepOut'))).toMatch(/^main calc\.py:[67]$/);
    await debug.setBreakpoints({ remove: [], add: [{ place: 'calc.py:2', condition: 'a == 100' }] }, never);
    expect(localsOf(await go('continue'))).toMatchObject({ a: '100', b: '1' });
    const ended = await go('continue');
    expect(ended).toMatchObject({
      outcome: { state: 'ended', exitCode: 0 },
      output: expect.stringContaining('result 101'),
    });
  });

  it('INT-34 stops a failing test where it fails, not where an exception is expected', async () => {
    await workspace.write(
      'test_calc.py',
      `import unittest
class Calc(unittest.TestCase):
    def test_add(self):
        got = 1 + 2
        with self.assertRaises(ZeroDivisionError):
            1 / 0
        self.assertEqual(got, 4)
`,
    );
    const stopped = await launch(`${PYTHON} -m unittest test_calc`);
    expect(stopOf(stopped)).toMatchObject({ reason: 'exception', text: expect.stringContaining('3 != 4') });
    expect(placeOf(stopped)).toBe('test_add test_calc.py:7');
    expect(localsOf(stopped)).toMatchObject({ got: '3' });
    expect((await go('continue')).outcome).toMatchObject({ state: 'ended', exitCode: 1 });
  });

  it('INT-31 child processes are part of the session', async () => {
    await workspace.write(
      'parent.py',
      `import subprocess, sys
print(subprocess.run([sys.executable, "child.py"], capture_output=True, text=True).stdout)
`,
    );
    await workspace.write('child.py', 'who = "child"\nprint(who)\n');
    const stopped = await launch(`${PYTHON} parent.py`, { breakpoints: [{ place: 'child.py:2' }] });
    expect(placeOf(stopped)).toBe('<module> child.py:2');
    expect(localsOf(stopped)).toMatchObject({ who: "'child'" });
    const ended = await go('continue');
    expect(ended).toMatchObject({ outcome: { state: 'ended', exitCode: 0 }, output: expect.stringContaining('child') });
  });

  it('INT-32 a killed adapter takes the program with it', async () => {
    await workspace.write('loop.py', 'import time\nprint("begun", flush=True)\nwhile True:\n    time.sleep(0.01)\n');
    const stopped = await launch(`${PYTHON} loop.py`, { breakpoints: [{ place: 'loop.py:4' }] });
    expect(stopOf(stopped).reason).toBe('breakpoint');
    const of = (text: string) => readProcessTable().filter(({ command }) => command.includes(text));
    const [adapter] = of('debugpy.adapter');
    process.kill(adapter!.pid, 'SIGKILL');
    await expect.poll(() => debug.running, { timeout: 10_000 }).toBe(undefined);
    expect((await debug.wait(5_000, never)).outcome).toMatchObject({ state: 'ended', why: 'adapter' });
    expect(of('loop.py')).toEqual([]);
  });

  it('INT-31 attaches to a program that waits for it, and lets it go on', async () => {
    await workspace.write(
      'wait.py',
      'import debugpy\nprint(debugpy.listen(0)[1], flush=True)\ndebugpy.wait_for_client()\nn = 5\nprint("n", n)\n',
    );
    const program = await startProcess({ command: PYTHON, args: ['wait.py'], cwd: workspace.path, env: process.env });
    const [port] = await program.waitForOutput(/\d+/);
    const stopped = await attach({ port: Number(port) }, 'debugpy', { breakpoints: [{ place: 'wait.py:5' }] });
    expect(localsOf(stopped)).toMatchObject({ n: '5' });
    expect((await debug.terminate(never)).outcome).toMatchObject({ state: 'ended', why: 'stopped' });
    expect(await program.result).toMatchObject({ code: 0, stdout: `${port}\nn 5\n` });
  });

  it('INT-31 programs that do not begin say why', async () => {
    await workspace.write('broken.py', 'def f(:\n');
    const broken = await launch(`${PYTHON} broken.py`);
    expect(JSON.stringify(broken)).toContain('SyntaxError');
    await debug.end();
    const missing = await launch(`${PYTHON} missing.py`).catch((error: Error) => error);
    expect(JSON.stringify(missing) + String(missing)).toMatch(/missing\.py/);
  });
});

describe('lldb-dap', () => {
  const SOURCE = `#include <stdio.h>
#include <stdlib.h>
struct point { int x; int y; };
static int sum(struct point p) {
  int total = p.x + p.y;
  return total;
}
int main(int argc, char **argv) {
  struct point p = { 40, 2 };
  int got = sum(p);
  printf("sum %d\\n", got);
  fflush(stdout);
  if (argc > 1) abort();
  return 3;
}
`;

  it('INT-31 INT-33 stops in a compiled program, at a line and a function, and sets a variable', async () => {
    await workspace.write('app.c', SOURCE);
    await compile('-g', '-O0', '-o', 'app', 'app.c');
    const stopped = await launch('./app', {
      adapter: 'lldb-dap',
      breakpoints: [{ place: 'sum' }, { place: 'app.c:6' }],
    });
    expect(placeOf(stopped)).toBe('sum app.c:5');
    expect(placeOf(await go('continue'))).toBe('sum app.c:6');
    await setLocal('total', '7');
    expect((await debug.current.evaluate('total', undefined, never)).value).toBe('7');
    const ended = await go('continue');
    expect(ended).toMatchObject({ outcome: { state: 'ended', exitCode: 3 }, output: expect.stringContaining('sum 7') });
  });

  it('INT-34 stops where a program aborts, in its own code', async () => {
    await workspace.write('app.c', SOURCE);
    await compile('-g', '-O0', '-o', 'app', 'app.c');
    const stopped = await launch('./app now', { adapter: 'lldb-dap' });
    expect(stopOf(stopped)).toMatchObject({ reason: 'exception', text: expect.stringContaining('SIGABRT') });
    expect(placeOf(stopped)).toBe('main app.c:13');
    expect(localsOf(stopped)).toMatchObject({ argc: '2', got: '42' });
  });

  it('INT-31 attaches to a process by its number, and lets it go on', async () => {
    const source =
      '#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  int n = 0;\n  for (; n < 1000000000; n++) {\n    usleep(1000);\n    if (access("enough", F_OK) == 0) break;\n  }\n  puts("went on");\n}\n';
    await workspace.write('wait.c', source);
    await compile('-g', '-O0', '-o', 'wait', 'wait.c');
    const program = await startProcess({ command: workspace.at('wait'), cwd: workspace.path, env: process.env });
    const stopped = await attach({ pid: program.pid }, 'lldb-dap', { breakpoints: [{ place: 'wait.c:7' }] });
    expect(placeOf(stopped.outcome.state === 'running' ? await go('continue') : stopped)).toMatch(/^(main wait|.* )/);
    await debug.terminate(never);
    await workspace.write('enough', '');
    expect(await program.result).toMatchObject({ stdout: 'went on\n' });
  });

  it('INT-32 a killed adapter takes the program with it', async () => {
    await workspace.write('loop.c', '#include <unistd.h>\nint main(void) {\n  for (;;)\n    usleep(1000);\n}\n');
    await compile('-g', '-O0', '-o', 'endless-loop', 'loop.c');
    const stopped = await launch('./endless-loop', { adapter: 'lldb-dap', breakpoints: [{ place: 'loop.c:4' }] });
    expect(stopOf(stopped).reason).toBe('breakpoint');
    const of = (text: string) => readProcessTable().filter(({ command }) => command.includes(text));
    const [adapter] = of('lldb-dap').filter(({ command }) => !command.includes('lldb-server'));
    process.kill(adapter!.pid, 'SIGKILL');
    await expect.poll(() => debug.running, { timeout: 10_000 }).toBe(undefined);
    expect(of('endless-loop')).toEqual([]);
  });
});

describe('Delve', () => {
  const files = {
    'go.mod': 'module shop\n\ngo 1.19\n',
    'cart.go': 'package shop\n\nfunc Add(a, b int) int {\n\ttotal := a + b\n\treturn total\n}\n',
    'cart_test.go': `package shop

import "testing"

func TestAdd(t *testing.T) {
	got := Add(1, 2)
	if got != 4 {
		t.Errorf("got %d", got)
	}
}

func TestFine(t *testing.T) {
	if Add(1, 1) != 2 {
		t.Fatal("wrong")
	}
}
`,
  };

  it('INT-31 INT-34 stops a failing test where it says so, at a line, and leaves no binary behind', async () => {
    for (const [name, text] of Object.entries(files)) await workspace.write(name, text);
    const stopped = await launch('go test -run TestAdd .', { breakpoints: [{ place: 'cart.go:5' }] });
    expect(placeOf(stopped)).toBe('shop.Add cart.go:5');
    expect(localsOf(stopped)).toMatchObject({ total: '3' });
    expect((await debug.current.evaluate('total + 1', undefined, never)).value).toBe('4');
    const failed = await go('continue');
    expect(stopOf(failed)).toMatchObject({ reason: 'exception', text: expect.stringContaining('Errorf') });
    expect(placeOf(failed)).toBe('shop.TestAdd cart_test.go:8');
    expect(localsOf(failed)).toMatchObject({ got: '3' });
    const ended = await go('continue');
    expect(ended).toMatchObject({ outcome: { state: 'ended', exitCode: 1 }, output: expect.stringContaining('got 3') });
    expect(Object.keys(await workspace.snapshot()).sort()).toEqual(Object.keys(files).sort());
  }, 180_000);

  it('INT-32 a killed adapter takes the program with it', async () => {
    await workspace.write('go.mod', files['go.mod']);
    await workspace.write(
      'main.go',
      'package main\n\nimport "time"\n\nfunc main() {\n\tfor {\n\t\ttime.Sleep(1000)\n\t}\n}\n',
    );
    const stopped = await launch('go run .', { breakpoints: [{ place: 'main.go:7' }] });
    expect(stopOf(stopped).reason).toBe('breakpoint');
    const of = (text: string) => readProcessTable().filter(({ command }) => command.includes(text));
    const [adapter] = of('dlv dap');
    expect(of(`${home.path}/processes`)).not.toEqual([]);
    process.kill(adapter!.pid, 'SIGKILL');
    await expect.poll(() => debug.running, { timeout: 10_000 }).toBe(undefined);
    expect(of(`${home.path}/processes`)).toEqual([]);
  }, 180_000);
});

describe('in the sandbox', () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox({ root: workspace.path, stateHome: home.path, env: process.env });
  });
  afterEach(async () => {
    await debug.dispose();
    box.dispose();
  });

  it('INT-31 debugpy stops in a child process, which cannot write outside', async () => {
    await workspace.write('parent.py', 'import subprocess, sys\nsubprocess.run([sys.executable, "child.py"])\n');
    const child = 'import os\nwritable = os.access("/etc", os.W_OK)\nprint(writable)\n';
    await workspace.write('child.py', child);
    const stopped = await launch(`${PYTHON} parent.py`, { box, breakpoints: [{ place: 'child.py:3' }] });
    expect(placeOf(stopped)).toBe('<module> child.py:3');
    expect(localsOf(stopped)).toMatchObject({ writable: 'False' });
    expect((await go('continue')).outcome).toMatchObject({ state: 'ended', exitCode: 0 });
  });

  it('INT-31 lldb-dap and Delve trace programs there as well', async () => {
    await workspace.write('c/app.c', 'int main(void) {\n  int got = 7;\n  return got;\n}\n');
    await compile('-g', '-O0', '-o', 'app', 'c/app.c');
    const native = await launch('./app', { box, adapter: 'lldb-dap', breakpoints: [{ place: 'c/app.c:3' }] });
    expect(localsOf(native)).toMatchObject({ got: '7' });
    expect((await go('continue')).outcome).toMatchObject({ state: 'ended', exitCode: 7 });
    await workspace.write('go.mod', 'module app\n\ngo 1.19\n');
    await workspace.write('main.go', 'package main\n\nfunc main() {\n\tgot := 7\n\tprintln(got)\n}\n');
    const stopped = await launch('go run .', { box, breakpoints: [{ place: 'main.go:5' }] });
    expect(localsOf(stopped)).toMatchObject({ got: '7' });
    expect((await go('continue')).outcome).toMatchObject({ state: 'ended', exitCode: 0 });
  }, 180_000);
});
