import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Preloaded (`node --import`) into a process under test: counts its steps with an outside effect — every change to a file
 * below the watched roots, every started process — and kills the process with SIGKILL before the step it is told to, or
 * in the middle of it. So a test can stop a program at every point at which the disk could be seen, without its help.
 */

const STEP_VARIABLES = ['BLACK_TEST_STEP_ROOTS', 'BLACK_TEST_STEP_LOG', 'BLACK_TEST_KILL_AT', 'BLACK_TEST_KILL_TEAR'];
const WRITING_FLAGS = /[wa+]/;

type Callable = (...args: unknown[]) => unknown;
type Members = Record<string, Callable>;

/** Functions whose first argument is a path or a descriptor, the path being what they change; renames name it second. */
const BY_PATH = ['mkdir', 'mkdtemp', 'rmdir', 'rm', 'unlink', 'truncate', 'chmod', 'utimes'];
const BY_TARGET = ['rename', 'link', 'symlink', 'copyFile', 'cp'];
const BY_DESCRIPTOR = ['ftruncate', 'fsync', 'fdatasync', 'writev'];
const WITH_DATA = ['write', 'writeFile', 'appendFile'];

class StepHook {
  readonly #roots: string[];
  readonly #log: string | undefined;
  readonly #killAt: number;
  readonly #tear: boolean;
  readonly #paths = new Map<number, string>();
  readonly #append = fs.appendFileSync;
  #steps = 0;
  #depth = 0;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#roots = JSON.parse(environment.BLACK_TEST_STEP_ROOTS ?? '[]') as string[];
    this.#log = environment.BLACK_TEST_STEP_LOG;
    this.#killAt = Number(environment.BLACK_TEST_KILL_AT ?? 0);
    this.#tear = environment.BLACK_TEST_KILL_TEAR === '1';
  }

  /** Counts a step; `torn` does half of it. Does not return when this is the one. */
  step(name: string, path: string | undefined, torn?: () => void): void {
    if (this.#depth > 0) return;
    if (path !== undefined && !this.#roots.some((root) => path === root || path.startsWith(`${root}/`))) return;
    this.#steps++;
    if (this.#log !== undefined) this.#append(this.#log, `${name} ${path ?? ''}\n`);
    if (this.#steps !== this.#killAt) return;
    if (this.#tear && torn) this.within(torn);
    process.kill(process.pid, 'SIGKILL');
  }

  /** Runs a function of Node whose own use of other functions is no step of the program. */
  within<T>(run: () => T): T {
    this.#depth++;
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }

  pathOf(target: unknown): string | undefined {
    if (typeof target === 'number') return this.#paths.get(target) ?? '';
    if (typeof target === 'string') return resolve(target);
    if (target instanceof URL) return fileURLToPath(target);
    return Buffer.isBuffer(target) ? resolve(target.toString()) : '';
  }

  opened(descriptor: unknown, path: unknown): void {
    if (typeof descriptor === 'number') this.#paths.set(descriptor, this.pathOf(path) ?? '');
  }
}

function isWriting(flags: unknown): boolean {
  const writing = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT;
  if (typeof flags === 'number') return (flags & writing) !== 0;
  return typeof flags === 'string' && WRITING_FLAGS.test(flags);
}

function half(data: unknown): unknown {
  if (typeof data === 'string') return data.slice(0, data.length >> 1);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength >> 1) : '';
}

/** Puts `before` in front of a function of `owner`, if it has it. */
function wrap(hook: StepHook, owner: Members, name: string, before: (args: unknown[]) => void): void {
  const original = owner[name];
  if (typeof original !== 'function') return;
  const around = (run: Callable): Callable =>
    function wrapped(this: unknown, ...args: unknown[]) {
      before(args);
      return hook.within(() => run.apply(this, args));
    };
  owner[name] = around(original);
  // `promisify(execFile)` and a few others come with a promise form of their own.
  const promised = (original as { [promisify.custom]?: Callable })[promisify.custom];
  if (promised) Object.assign(owner[name], { [promisify.custom]: around(promised) });
}

function wrapFunctions(hook: StepHook, owner: Members, suffix: string, writeHalf: Members): void {
  for (const name of [...BY_PATH, ...BY_DESCRIPTOR]) {
    wrap(hook, owner, `${name}${suffix}`, ([target]) => hook.step(name, hook.pathOf(target)));
  }
  for (const name of BY_TARGET) {
    wrap(hook, owner, `${name}${suffix}`, ([, target]) => hook.step(name, hook.pathOf(target)));
  }
  for (const name of WITH_DATA) {
    const tear = writeHalf[`${name}Sync`]!;
    wrap(hook, owner, `${name}${suffix}`, ([target, data, options]) => {
      const torn = () => tear(target, half(data), name === 'write' ? undefined : options);
      hook.step(name, hook.pathOf(target), torn);
    });
  }
}

function wrapOpens(hook: StepHook, members: Members, promises: Members): void {
  const openSync = members.openSync!;
  members.openSync = (...args) => {
    if (isWriting(args[1])) hook.step('open', hook.pathOf(args[0]));
    const descriptor = hook.within(() => openSync(...args));
    hook.opened(descriptor, args[0]);
    return descriptor;
  };
  const open = members.open!;
  members.open = (...args) => {
    if (isWriting(args[1])) hook.step('open', hook.pathOf(args[0]));
    const done = args.at(-1) as Callable;
    return open(...args.slice(0, -1), (error: unknown, descriptor: unknown) => {
      if (!error) hook.opened(descriptor, args[0]);
      done(error, descriptor);
    });
  };
  const openHandle = promises.open!;
  promises.open = async (...args) => {
    if (isWriting(args[1])) hook.step('open', hook.pathOf(args[0]));
    const handle = (await openHandle(...args)) as { fd: number };
    hook.opened(handle.fd, args[0]);
    return handle;
  };
}

function wrapHandles(hook: StepHook, prototype: Members, writeHalf: Members): void {
  for (const name of ['truncate', 'sync', 'datasync', 'writev', 'chmod', 'utimes']) {
    const original = prototype[name]!;
    prototype[name] = function wrapped(this: { fd: number }, ...args: unknown[]) {
      hook.step(name, hook.pathOf(this.fd));
      return hook.within(() => original.apply(this, args));
    };
  }
  for (const name of WITH_DATA) {
    const original = prototype[name]!;
    prototype[name] = function wrapped(this: { fd: number }, ...args: unknown[]) {
      hook.step(name, hook.pathOf(this.fd), () => writeHalf.writeSync!(this.fd, half(args[0])));
      return hook.within(() => original.apply(this, args));
    };
  }
}

async function install(): Promise<void> {
  const hook = new StepHook(process.env);
  for (const name of STEP_VARIABLES) delete process.env[name];
  // Programs that this one starts are not stopped at their own steps.
  process.env.NODE_OPTIONS = (process.env.NODE_OPTIONS ?? '').replace(/--import=\S*fs-step-hook\S*/, '').trim();
  if (process.env.NODE_OPTIONS === '') delete process.env.NODE_OPTIONS;

  const members = fs as unknown as Members;
  const promises = fs.promises as unknown as Members;
  const untouched: Members = { ...members };
  const handle = await fs.promises.open(process.execPath, 'r');
  const prototype = Object.getPrototypeOf(handle) as Members;
  await handle.close();

  wrapHandles(hook, prototype, untouched);
  for (const [owner, suffix] of [
    [members, ''],
    [members, 'Sync'],
    [promises, ''],
  ] as const) {
    wrapFunctions(hook, owner, suffix, untouched);
  }
  wrapOpens(hook, members, promises);
  for (const name of ['spawn', 'spawnSync', 'exec', 'execFile', 'execSync', 'execFileSync', 'fork']) {
    wrap(hook, childProcess as unknown as Members, name, () => hook.step('spawn', undefined));
  }
  syncBuiltinESMExports();
}

// Awaited here, so that the program does not start before its steps are counted.
await install();
