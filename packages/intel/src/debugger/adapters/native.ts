import { dirname, join, resolve } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { findLocalProgram, findProgram, pathExists } from '@black-ide/workspace';
import type { AdapterSearch, AdapterSpec } from './adapter-spec.ts';
import type { AdapterWorld, DebugRequest } from './adapter-world.ts';
import { plainCommand } from './command-words.ts';

const MARKERS = [
  ...['Cargo.toml', 'CMakeLists.txt', 'Makefile', 'meson.build', 'configure.ac', 'BUILD.bazel', 'WORKSPACE'],
  ...['*.c', '*.cc', '*.cpp', '*.cxx', '*.rs', '*.zig'],
];
const VERSIONS = [22, 21, 20, 19, 18, 17, 16, 15, 14];
const LLDB = [
  'lldb-dap',
  ...VERSIONS.map((version) => `lldb-dap-${version}`),
  ...VERSIONS.map((version) => `lldb-vscode-${version}`),
];

const native = {
  languages: 'C, C++, Rust and other compiled programs',
  markers: MARKERS,
  fits: (_command: unknown, isBinary: () => boolean) => isBinary(),
  evaluatesExpressions: true,
  // A panic of Rust is a function, and an abort stops as the signal that it is.
  exceptionFunctions: (mode: string) => (mode === 'none' ? [] : ['rust_panic']),
} as const;

/** Compiled programs, by LLVM's lldb-dap. */
export const LLDB_DAP: AdapterSpec = {
  ...native,
  id: 'lldb-dap',
  title: 'lldb-dap',
  get: "sudo apt-get install -y lldb   (or your system's own package manager)",
  find: (search) => firstOf(LLDB, search),
  exceptionFilters: (mode) => (mode === 'all' ? ['cpp_throw'] : []),
  start: (request, program, world) =>
    startAdapter(program, [], request, world, (command) => ({
      ...command,
      env: Object.entries(command.env).map(([name, value]) => `${name}=${value}`),
    })),
};

/** The same by GDB, which speaks the protocol since version 14. */
export const GDB: AdapterSpec = {
  ...native,
  id: 'gdb',
  title: 'GDB',
  get: "GDB 14 or newer, from your system's package manager",
  find: (search) => {
    const gdb = findProgram('gdb', { env: search.env, workspace: search.root });
    const part = gdb && join(dirname(dirname(gdb)), 'share', 'gdb', 'python', 'gdb', 'dap', '__init__.py');
    return part && pathExists(part) ? gdb : undefined;
  },
  exceptionFilters: (mode) => (mode === 'all' ? ['throw'] : []),
  start: (request, program, world) =>
    startAdapter(program, ['-i', 'dap', '-q', '-nx'], request, world, (command) => ({
      ...command,
      stopAtBeginningOfMainSubprogram: command.stopOnEntry,
    })),
};

interface Launch {
  program: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  stopOnEntry: boolean;
}

async function startAdapter(
  adapter: string,
  args: readonly string[],
  request: DebugRequest,
  world: AdapterWorld,
  shaped: (launch: Launch) => Record<string, unknown>,
) {
  const { cwd } = request;
  const own = request.kind === 'attach' ? attachArguments(request.to) : shaped(launchOf(request, world));
  const { AdapterProcess } = await import('./adapter-process.ts');
  return AdapterProcess.start({
    program: adapter,
    args,
    cwd,
    world,
    configuration: { request: request.kind, arguments: own },
  });
}

function attachArguments(to: { port: number } | { pid: number }): Record<string, unknown> {
  if ('pid' in to) return { pid: to.pid };
  throw new BlackError('no_pid', 'A compiled program is attached to by its process.', 'Give its pid.');
}

function launchOf(request: DebugRequest & { kind: 'launch' }, { env }: AdapterWorld): Launch {
  const { cwd, stopOnEntry } = request;
  const command = plainCommand(request.command);
  if (!command) {
    const next = 'Build it first, then give the program and its arguments, such as `./build/app --check a.txt`.';
    throw new BlackError('not_plain', 'The command needs a shell; this debugger starts one program.', next);
  }
  const { program, args } = command;
  const path = program.includes('/') ? resolve(cwd, program) : findLocalProgram(program, (env.PATH ?? '').split(':'));
  if (path !== undefined && pathExists(path)) return { program: path, args, env: command.env, cwd, stopOnEntry };
  throw new BlackError('no_program', `There is no program ${program}.`, 'Build it first, and name it by its path.');
}

function firstOf(names: readonly string[], { env, root }: AdapterSearch): string | undefined {
  for (const name of names) {
    const found = findProgram(name, { env, workspace: root });
    if (found !== undefined) return found;
  }
  return undefined;
}
