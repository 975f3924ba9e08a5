import type { Readable, Writable } from 'node:stream';
import type { Clock, Engine, EngineOptions, openCodeEmbedder } from '@black-ide/engine';
import type { Keyring } from '@black-ide/workspace';

/** What standard input is connected to; a pipe is a shell's, a socket another program's. */
export type InputKind = 'terminal' | 'file' | 'pipe' | 'socket' | 'other';

export type InputStream = Readable & { isTTY?: boolean; setRawMode?(raw: boolean): unknown };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

export interface JobControlListener {
  /** We are asked to stop, e.g. by `kill -TSTP`: `suspend` does it, once the listener is off. */
  stop(): void;
  /** We were stopped, and go on. */
  continued(): void;
}

/** The parts of the engine's package that the terminal uses; loaded on first use. */
export interface EngineModule {
  createEngine(options: EngineOptions): Engine;
  openCodeEmbedder: typeof openCodeEmbedder;
  serveHost(engine: Engine, input: Readable, output: Writable): Promise<void>;
}

/** Everything `black` knows of the process and machine around it; a test hands in its own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The running Node: its version without the `v`, and its path. */
  readonly node: { version: string; path: string };
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  /** Where keys are kept; left out: this machine's own keyring. */
  readonly keyring?: Keyring;
  /** The working folder, absolute. Throws when it no longer exists. */
  cwd(): string;
  inputKind(): Promise<InputKind>;
  loadEngine(): Promise<EngineModule>;
  /** Calls the listener on each SIGINT, SIGTERM and SIGHUP until the answered call. */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void;
  /**
   * Hears until the answered call of being stopped from outside, which then does not stop us by itself, and of going on
   * (also after a stop that nobody can hear of).
   */
  onJobControl(listener: JobControlListener): () => void;
  /**
   * Opens files in the person's editor, which has the terminal until it ends.
   * @param cwd the workspace
   * @throws BlackError where there is no editor, or it fails.
   */
  edit(files: readonly string[], cwd: string): Promise<void>;
  /** Stops the process and those it shares its terminal with, as Ctrl+Z does; resolves when it goes on. */
  suspend(): Promise<void>;
  /** Gives memory that nothing needs any more back to the system; takes tens of milliseconds. */
  releaseMemory(): Promise<void>;
  /** Ends the process at once. */
  exit(code: number): void;
  /** The work is done and flushed: ends the process soon even if something still holds it. */
  leave(code: number): void;
}
