import { chmodSync } from 'node:fs';
import { createTempWorkspace } from '@black-ide/testkit';
import { DiskDocuments } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import type { AdapterWorld, DebugRequest } from './adapter-world.ts';
import { canDebug, debuggeeOf, findAdapters } from './find-adapters.ts';

async function machine(files: readonly string[]) {
  const disk = await createTempWorkspace({ files: Object.fromEntries(files.map((name) => [name, ''])) });
  for (const name of files) chmodSync(disk.at(name), 0o755);
  return disk;
}

const launch = (command: string, cwd = '/w'): DebugRequest => ({ kind: 'launch', command, cwd, stopOnEntry: false });

describe('findAdapters', () => {
  it('INT-20 INT-31 finds by the PATH what is installed, and says how to get the rest', async () => {
    await using disk = await machine([
      'bin/node',
      'bin/lldb-dap-19',
      'bin/gdb',
      'share/gdb/python/gdb/dap/__init__.py',
    ]);
    const { usable, missing } = findAdapters({ root: '/w', env: { PATH: disk.at('bin') }, trusted: true });
    const found = usable.map(({ spec, program }) => [spec.id, program]).filter(([id]) => id !== 'debugpy');
    expect(found).toEqual([
      ['node', disk.at('bin/node')],
      ['lldb-dap', disk.at('bin/lldb-dap-19')],
      ['gdb', disk.at('bin/gdb')],
    ]);
    expect(missing.find(({ id }) => id === 'delve')?.get).toContain('go install');
  });

  it('INT-31 takes no GDB that does not speak the protocol', async () => {
    await using disk = await machine(['bin/gdb']);
    const { missing } = findAdapters({ root: '/w', env: { PATH: disk.at('bin') }, trusted: true });
    expect(missing.map(({ id }) => id)).toContain('gdb');
  });

  it('INT-20 takes programs of the workspace only where it is trusted', async () => {
    const packages = '.venv/lib/python3.11/site-packages/debugpy/__init__.py';
    await using disk = await machine(['.venv/bin/python3', packages, 'bin/dlv']);
    const env = { PATH: disk.at('bin') };
    const programs = (trusted: boolean) =>
      findAdapters({ root: disk.path, env, trusted }).usable.map(({ program }) => program);
    expect(programs(true)).toContain(disk.at('.venv/bin/python3'));
    expect(programs(false)).not.toContain(disk.at('.venv/bin/python3'));
    expect(programs(true)).not.toContain(disk.at('bin/dlv'));
  });
});

describe('canDebug', () => {
  it('INT-20 needs both halves: something to debug, and its adapter', async () => {
    await using tools = await machine(['bin/node']);
    const env = { PATH: tools.at('bin') };
    const documents = new DiskDocuments();
    const can = async (files: readonly string[], path: Record<string, string> = env) => {
      await using disk = await machine(files);
      return canDebug({ root: disk.path, env: path, trusted: true }, documents);
    };
    expect(await can(['package.json'])).toBe(true);
    expect(await can(['packages/a.ts'])).toBe(true);
    expect(await can(['notes.md'])).toBe(false);
    expect(await can(['node_modules/a.js', '.hidden/a.js', 'deep/er/a.js'])).toBe(false);
    expect(await can(['go.mod'])).toBe(false);
    expect(await can(['package.json'], { PATH: '' })).toBe(false);
  });
});

describe('debuggeeOf', () => {
  const world = {} as AdapterWorld;

  it.each([
    ['node a.mjs', 'node'],
    ['npm test', 'node'],
    ['cd x && npm test', 'node'],
    ['make check', 'node'],
    ['/usr/bin/python3.11 a.py', 'debugpy'],
    ['pytest -x', 'debugpy'],
    ['./manage.py test', 'debugpy'],
    ['go test ./a', 'delve'],
    [`${process.execPath} a.mjs`, 'node'],
    ['./app x', 'lldb-dap'],
  ])('INT-31 debugs %j with %s', async (command, id) => {
    await using disk = await machine(['bin/node', 'bin/python3', 'bin/dlv', 'bin/lldb-dap', 'app']);
    await disk.write('lib/python3.11/site-packages/debugpy/__init__.py', '');
    await disk.write('app', Buffer.from('\x7fELF'));
    const search = { root: '/w', env: { PATH: disk.at('bin') }, trusted: true };
    const { manners, title } = debuggeeOf(launch(command, disk.path), undefined, search, world);
    expect([manners, title]).toMatchObject([{ id }, command]);
  });

  it('INT-31 says what is missing, and how to get it', () => {
    const search = { root: '/w', env: { PATH: '' }, trusted: true };
    expect(() => debuggeeOf(launch('go test'), undefined, search, world)).toThrow(
      expect.objectContaining({ code: 'no_adapter', next: expect.stringContaining('go install') }),
    );
    expect(() => debuggeeOf({ kind: 'attach', to: { pid: 1 }, cwd: '/w' }, undefined, search, world)).toThrow(
      /compiled/,
    );
  });
});
