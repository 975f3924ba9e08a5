import { chmodSync } from 'node:fs';
import { createTempWorkspace } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import type { AdapterSpec } from './adapter-spec.ts';
import type { AdapterWorld, DebugRequest } from './adapter-world.ts';
import { DEBUGPY } from './debugpy.ts';
import { DELVE } from './delve.ts';
import { GDB, LLDB_DAP } from './native.ts';

const server = { ended: new Promise(() => undefined), errors: '', write: () => undefined, end: async () => undefined };

/** What an adapter would be told to do, and how it would be started. */
async function begun(spec: AdapterSpec, request: DebugRequest, program: string, env: Record<string, string> = {}) {
  const started: { program: string; args: readonly string[] }[] = [];
  const processes = {
    serve: async (options: { program: string; args: readonly string[] }) => {
      started.push(options);
      return server;
    },
    makeFolder: (runId: string) => `/state/${runId}`,
  };
  const world = { root: request.cwd, processes, env, readText: async () => undefined } as unknown as AdapterWorld;
  const { configuration } = await spec.start(request, program, world);
  return { ...configuration, command: [started[0]!.program, ...started[0]!.args].join(' ') };
}

const launch = (command: string, cwd = '/w'): DebugRequest => ({ kind: 'launch', command, cwd, stopOnEntry: false });

describe('what Delve is told', () => {
  it.each([
    ['go test', { mode: 'test', program: '.', args: [] }],
    [
      'go test -v -race -run TestA -count=1 -tags "a b" ./store -args x',
      {
        mode: 'test',
        program: './store',
        args: ['-test.v', '-test.run', 'TestA', '-test.count=1', 'x'],
        buildFlags: "'-race' '-tags' 'a b'",
      },
    ],
    ['go run . --flag x', { mode: 'debug', program: '.', args: ['--flag', 'x'] }],
    ['go run -race a.go b.go c', { mode: 'debug', program: 'a.go b.go', args: ['c'], buildFlags: "'-race'" }],
    ['./built x', { mode: 'exec', program: './built', args: ['x'] }],
  ])('INT-31 for %s', async (command, expected) => {
    const { arguments: told, command: started } = await begun(DELVE, launch(command), '/bin/dlv');
    expect(told).toMatchObject({ ...expected, cwd: '/w', output: expect.stringMatching(/^\/state\/.*\/program$/) });
    expect(started).toContain('dlv dap --listen=127.0.0.1:0');
  });

  it.each([
    ['go test ./...', 'one_package'],
    ['go test a b', 'one_package'],
    ['go run', 'no_package'],
    ['go test . && echo', 'not_plain'],
  ])('INT-31 refuses %s', async (command, code) => {
    await expect(
      begun(DELVE, launch(command), '/bin/dlv').catch((error: { code: string }) => error.code),
    ).resolves.toBe(code);
  });
});

describe('what debugpy is told', () => {
  it('INT-31 the file, module or code, with the interpreter that is named', async () => {
    await using disk = await createTempWorkspace({
      files: {
        'bin/python3': '',
        'bin/pytest': '',
        'lib/python3.11/site-packages/debugpy/__init__.py': '',
      },
    });
    for (const name of ['python3', 'pytest']) chmodSync(disk.at(`bin/${name}`), 0o755);
    const env = { PATH: disk.at('bin') };
    const python = disk.at('bin/python3');
    const told = async (command: string) => (await begun(DEBUGPY, launch(command), python, env)).arguments;
    expect(await told('python3 -X dev -W ignore a.py')).toMatchObject({
      program: '/w/a.py',
      python: [python, '-X', 'dev', '-W', 'ignore'],
    });
    expect(await told('python3 -u a.py --flag')).toMatchObject({
      program: '/w/a.py',
      args: ['--flag'],
      python: [python, '-u'],
    });
    expect(await told('A=1 python3 -m pytest -x t.py')).toMatchObject({
      module: 'pytest',
      args: ['-x', 't.py'],
      env: { A: '1' },
    });
    expect(await told('pytest -x')).toMatchObject({ module: 'pytest', args: ['-x'], python: [python] });
    expect(await told('python3 -c "print(1)"')).toMatchObject({ code: 'print(1)', args: [] });
    expect(await told('./tool.py x')).toMatchObject({ program: '/w/tool.py', args: ['x'] });
    await expect(told('python3')).rejects.toMatchObject({ code: 'no_file' });
    await expect(told('python3 a.py | tee x')).rejects.toMatchObject({ code: 'not_plain' });
    const { command } = await begun(DEBUGPY, launch('python3 a.py'), python, env);
    expect(command).toBe(`${python} -m debugpy.adapter`);
  });

  it('INT-31 refuses to debug with a debugpy that serves another Python only', async () => {
    await using disk = await createTempWorkspace({
      files: { 'usr/bin/python3': '', 'usr/lib/python3/dist-packages/debugpy/__init__.py': '', 'own/bin/python3': '' },
    });
    chmodSync(disk.at('own/bin/python3'), 0o755);
    const started = begun(DEBUGPY, launch(`${disk.at('own/bin/python3')} a.py`), disk.at('usr/bin/python3'));
    await expect(started).rejects.toMatchObject({
      code: 'no_debugpy',
      next: expect.stringContaining('pip install debugpy'),
    });
  });
});

describe('what debuggers of compiled programs are told', () => {
  it('INT-31 the program by its path, or by the PATH, and where to attach', async () => {
    const env = { PATH: '/bin:/usr/bin' };
    const lldb = await begun(LLDB_DAP, launch('A=1 /bin/sh -c x'), '/bin/lldb-dap', env);
    expect(lldb).toMatchObject({
      request: 'launch',
      arguments: { program: '/bin/sh', args: ['-c', 'x'], env: ['A=1'] },
    });
    const gdb = await begun(GDB, launch('sh'), '/bin/gdb', env);
    expect(gdb).toMatchObject({
      command: '/bin/gdb -i dap -q -nx',
      arguments: { program: expect.stringMatching(/\/sh$/) },
    });
    await expect(begun(GDB, launch('./missing'), '/bin/gdb', env)).rejects.toMatchObject({ code: 'no_program' });
    const attach = (to: { pid: number } | { port: number }): DebugRequest => ({ kind: 'attach', to, cwd: '/w' });
    expect(await begun(LLDB_DAP, attach({ pid: 7 }), '/bin/lldb-dap')).toMatchObject({
      request: 'attach',
      arguments: { pid: 7 },
    });
    await expect(begun(LLDB_DAP, attach({ port: 7 }), '/bin/lldb-dap')).rejects.toMatchObject({ code: 'no_pid' });
  });
});
