import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { EngineOptions } from '@black-ide/engine';
import type { Keyring } from '@black-ide/workspace';
import { main } from '../main.ts';
import type { EngineModule, InputKind, World } from '../world.ts';
import { FakeEngine } from './fake-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A stream of the process that keeps what is written to it. */
export class CaptureStream extends Writable {
  text = '';
  isTTY: boolean;
  columns: number;

  constructor(isTTY = false, columns = 80) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

export interface TestWorldOptions {
  engine?: FakeEngine;
  env?: Record<string, string | undefined>;
  /** What standard input brings; a terminal when left out. */
  input?: string | Uint8Array | Readable;
  inputKind?: InputKind;
  terminal?: boolean;
  columns?: number;
  cwd?: string | undefined;
  stdout?: Writable;
  serveHost?: EngineModule['serveHost'];
}

/** A world without a process: streams in memory, a fake engine, time that only a test moves. */
export class TestWorld implements World {
  readonly env: Record<string, string | undefined>;
  readonly platform = 'linux';
  readonly node = { version: '24.1.0', path: '/usr/bin/node' };
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: CaptureStream;
  readonly stderr: CaptureStream;
  readonly engine: FakeEngine;
  readonly home: string;
  /** In memory: a test never touches the keyring of its machine. */
  readonly keys = new Map<string, string>();
  readonly keyring: Keyring = {
    get: async (account) => this.keys.get(account),
    set: async (account, secret) => void this.keys.set(account, secret),
    remove: async (account) => void this.keys.delete(account),
  };
  engineOptions: EngineOptions | undefined;
  readonly exits: number[] = [];
  /** Files that were opened in the editor. */
  readonly edited: string[] = [];
  left: number | undefined;
  readonly #options: TestWorldOptions;
  readonly #interrupts = new Set<(signal: NodeJS.Signals) => void>();
  #now = 1_000;
  readonly #sleepers: { at: number; wake: () => void }[] = [];

  constructor(options: TestWorldOptions = {}) {
    const { terminal = false, columns = 80, input, engine = new FakeEngine() } = options;
    this.#options = options;
    this.home = join(temporaryFolder(), 'home');
    this.env = { BLACKIDE_HOME: this.home, TERM: 'xterm', ...options.env };
    this.stdin =
      input instanceof Readable ? input : input === undefined ? new PassThrough() : Readable.from([bytes(input)]);
    if (input === undefined) this.stdin.isTTY = terminal;
    this.stdout = (options.stdout as CaptureStream | undefined) ?? new CaptureStream(terminal, columns);
    this.stderr = new CaptureStream(terminal, columns);
    this.engine = engine;
  }

  readonly clock = {
    now: () => this.#now,
    sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const sleeper = { at: this.#now + ms, wake: resolve };
        this.#sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
          reject(signal.reason);
        });
      }),
  };

  /** Moves time and wakes whoever slept that long. */
  advance(ms: number): void {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers]) {
      if (sleeper.at > this.#now) continue;
      this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
      sleeper.wake();
    }
  }

  /** How many wait for time to pass. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  interrupt(): void {
    for (const listener of [...this.#interrupts]) listener('SIGINT');
  }

  cwd(): string {
    if ('cwd' in this.#options && this.#options.cwd === undefined) throw new Error('ENOENT: uv_cwd');
    return this.#options.cwd ?? '/work';
  }

  inputKind(): Promise<InputKind> {
    return Promise.resolve(this.#options.inputKind ?? (this.#options.input === undefined ? 'terminal' : 'pipe'));
  }

  loadEngine(): Promise<EngineModule> {
    return Promise.resolve({
      createEngine: (options) => {
        this.engineOptions = options;
        return this.engine;
      },
      openCodeEmbedder: () => Promise.resolve({ embedder: undefined, dispose: () => undefined }),
      serveHost: this.#options.serveHost ?? (() => Promise.resolve()),
    });
  }

  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void {
    this.#interrupts.add(listener);
    return () => this.#interrupts.delete(listener);
  }

  onJobControl(): () => void {
    // No shell stops a test's process.
    return () => undefined;
  }

  edit(files: readonly string[]): Promise<void> {
    this.edited.push(...files);
    return Promise.resolve();
  }

  suspend(): Promise<void> {
    return Promise.resolve();
  }

  exit(code: number): void {
    this.exits.push(code);
  }

  async releaseMemory(): Promise<void> {
    // A test's memory is its own affair.
  }

  leave(code: number): void {
    this.left = code;
  }
}

export interface Ran {
  code: number;
  out: string;
  err: string;
  world: TestWorld;
}

/** Runs `black` with these arguments in a test world. */
export async function runBlack(args: readonly string[], options: TestWorldOptions = {}): Promise<Ran> {
  const world = new TestWorld(options);
  const code = await main(args, world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

function bytes(input: string | Uint8Array): Uint8Array {
  return typeof input === 'string' ? Buffer.from(input) : input;
}
