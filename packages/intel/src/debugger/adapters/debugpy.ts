import { dirname, extname, join, resolve } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { findLocalProgram, findProgram, pythonBehindShim, pythonPackage } from '@black-ide/workspace';
import { dialHere } from '../node-adapter/dial.ts';
import type { AdapterSearch, AdapterSpec } from './adapter-spec.ts';
import type { AdapterWorld, DebugRequest } from './adapter-world.ts';
import { type PlainCommand, plainCommand } from './command-words.ts';

const PYTHON = /^(python|pypy)[\d.]*$/;
const PYTEST = /^(pytest|py\.test)$/;
const LOCAL = ['.venv/bin', 'venv/bin', '.venv/Scripts', 'venv/Scripts'];
const FILTERS = { uncaught: ['uncaught', 'userUnhandled'], all: ['raised', 'uncaught'], none: [] } as const;

/** Python, by Microsoft's debugpy. Exceptions that leave the person's code for a test runner's count as uncaught. */
export const DEBUGPY: AdapterSpec = {
  id: 'debugpy',
  title: 'debugpy',
  languages: 'Python',
  markers: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'tox.ini', 'manage.py', '*.py'],
  get: 'python3 -m pip install debugpy   (or sudo apt-get install -y python3-debugpy)',
  find: (search) => pythonsOf(search).find((python) => pythonPackage(python, 'debugpy', search.env.HOME) !== undefined),
  fits: (command) => {
    if (!command) return false;
    const name = nameOf(command.program);
    return PYTHON.test(name) || PYTEST.test(name) || extname(name) === '.py';
  },
  exceptionFilters: (mode) => FILTERS[mode],
  start: async (request, python, world) => {
    // A program that waits for a debugger has its own adapter.
    if (request.kind === 'attach' && 'port' in request.to) {
      const dial = world.sandbox ? (port: number) => world.sandbox!.connect(port) : dialHere;
      const { AdapterAtPort } = await import('./adapter-at-port.ts');
      return new AdapterAtPort(request.to.port, dial, { type: 'python', justMyCode: true, subProcess: true });
    }
    const own = argumentsOf(request, world);
    const { AdapterProcess } = await import('./adapter-process.ts');
    return AdapterProcess.start({
      program: adapterFor(Array.isArray(own.python) ? String(own.python[0]) : undefined, python, request.cwd, world),
      args: ['-m', 'debugpy.adapter'],
      cwd: request.cwd,
      world,
      configuration: { request: request.kind, arguments: own },
    });
  },
};

/**
 * The interpreter whose debugpy serves: the program's own where it has one, else another that brings all it needs.
 * Debian's does not: parts of it are packages of Debian's Python.
 * @throws BlackError `no_debugpy`
 */
function adapterFor(interpreter: string | undefined, found: string, cwd: string, { env }: AdapterWorld): string {
  if (interpreter === undefined) return found;
  const python = pythonBehindShim(interpreter, cwd, env);
  if (python === found || pythonPackage(python, 'debugpy', env.HOME) !== undefined) return python;
  if (!/[\\/]dist-packages[\\/]/.test(pythonPackage(found, 'debugpy', env.HOME) ?? '')) return found;
  throw new BlackError(
    'no_debugpy',
    `${python} has no debugpy, and that of ${found} serves its own Python only.`,
    `Get it (${python} -m pip install debugpy), or run the program with ${found}.`,
  );
}

/** Interpreters whose debugpy may serve: whatever Python the program itself runs in. */
function pythonsOf({ root, env, trusted }: AdapterSearch): string[] {
  const local = trusted
    ? findLocalProgram(
        'python3',
        LOCAL.map((folder) => join(root, folder)),
      )
    : undefined;
  const system = { env: { PATH: '/usr/bin:/usr/local/bin' }, workspace: root };
  const found = [local, findProgram('python3', { env, workspace: root }), findProgram('python3', system)];
  return [...new Set(found.flatMap((path) => (path === undefined ? [] : pythonBehindShim(path, root, env))))];
}

function argumentsOf(request: DebugRequest, world: AdapterWorld): Record<string, unknown> {
  const common = { type: 'python', cwd: request.cwd, justMyCode: true, subProcess: true };
  if (request.kind === 'attach') return { ...common, ...('pid' in request.to ? { processId: request.to.pid } : {}) };
  const command = plainCommand(request.command);
  if (!command) {
    const next = 'Give one command, such as `python3 -m pytest tests/test_store.py`.';
    throw new BlackError('not_plain', 'The command needs a shell; debugpy starts one program.', next);
  }
  return {
    ...common,
    console: 'internalConsole',
    redirectOutput: true,
    env: command.env,
    stopOnEntry: request.stopOnEntry,
    ...targetOf(command, request.cwd, world),
  };
}

/** What Python is to run: a file, a module, or code. */
function targetOf({ program, args }: PlainCommand, cwd: string, { env, root }: AdapterWorld): Record<string, unknown> {
  const name = nameOf(program);
  const path = program.includes('/') ? resolve(cwd, program) : undefined;
  const onPath = (each: string): string | undefined => findLocalProgram(each, (env.PATH ?? '').split(':')) ?? undefined;
  if (PYTEST.test(name)) {
    const folder = dirname(path ?? onPath(name) ?? join(root, name));
    const python = findLocalProgram('python3', [folder]) ?? findLocalProgram('python', [folder]) ?? onPath('python3');
    return { ...(python ? { python: [python] } : {}), module: 'pytest', args };
  }
  if (!PYTHON.test(name)) return { program: path ?? resolve(cwd, program), args };
  const python = path ?? onPath(program);
  if (python === undefined) throw new BlackError('no_program', `There is no program ${program}.`, 'Look at the PATH.');
  // -X and -W have a value of their own.
  const at = args.findIndex(
    (each, index) => (!each.startsWith('-') || /^-[mc]/.test(each)) && !/^-[XW]$/.test(args[index - 1] ?? ''),
  );
  if (at < 0) throw new BlackError('no_file', 'Python is given nothing to run.', 'Name a file, or a module with -m.');
  const [option, rest] = [args[at]!, args.slice(at + 1)];
  const interpreter = { python: [python, ...args.slice(0, at)] };
  if (!option.startsWith('-')) return { ...interpreter, program: resolve(cwd, option), args: rest };
  const value = option.length > 2 ? option.slice(2) : rest.shift();
  return { ...interpreter, [option.startsWith('-m') ? 'module' : 'code']: value ?? '', args: rest };
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
}
