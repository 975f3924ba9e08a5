import type { DebugHost, Diagnostic } from '@black-ide/intel';
import type { CommandResult, CommandType, EngineCommandInput, EngineEvent } from '@black-ide/protocol';
import type { SandboxOptions } from '@black-ide/workspace';
import type { BeforeToolCall } from './permissions/tool-hooks.ts';

/** Time, as the engine sees it; a test hands in a fake one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * What happens when a question to a person comes up:
 * `wait` a face is attached and will answer; `stop` nobody can answer now: the task stops with its question open, to be
 * answered and resumed later (headless); `refuse` nobody will ever answer: the question's default counts (unattended).
 */
export type AskPolicy = 'wait' | 'stop' | 'refuse';

/** The editor that hosts us, where it knows the diagnostics of files itself; paths are absolute and real. */
export interface HostDiagnostics {
  /** As people know it. */
  title: string;
  /**
   * How files stand as they are on the disk, as soon as the editor is sure; of files that it does not check nothing.
   * `written`: they have just been written.
   */
  diagnosticsOf(
    paths: readonly string[],
    options: { written: boolean },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Diagnostic[]>>;
  /** Calls the listener when diagnostics have changed. @returns the function that ends it */
  onChange(listener: () => void): () => void;
}

/** Everything an engine needs to know of the world around it. Nothing is read from `process` inside. */
export interface EngineOptions {
  /** The workspace folder: absolute. */
  cwd: string;
  /** The state folder, normally `~/.blackide` or `BLACKIDE_HOME`. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The face's name, as it is logged with an answer, e.g. `headless`. */
  face: string;
  asks: AskPolicy;
  /** Turns the gate's `ask` into `allow` (`--auto-approve`); never lifts a deny. */
  autoApprove?: boolean;
  /** The folder is trusted for this run (`--trust`), whatever is stored; it approves no server and no hook. */
  trust?: boolean;
  /** The face stays for long: files of modes are watched, and it is told of those that come to be faulty. */
  watch?: boolean;
  /** Hooks of the person: asked before every call that nothing has refused yet. */
  beforeToolCall?: BeforeToolCall;
  /** Approves each plan at once (`--approve-plan`). */
  approvePlan?: boolean;
  /** What the face does better than we: its diagnostics in place of our language servers', its debug adapters before ours. */
  host?: { diagnostics?: HostDiagnostics; debug?: DebugHost };
  /** Sessions are kept in memory only, e.g. because the home is read-only. */
  inMemory?: boolean;
  /** For tests: web addresses that are fetched although they are not public. Nothing that a model says gets here. */
  webAllowance?: (url: URL) => boolean;
  /** For tests: goes before the settings of the sandbox. */
  sandbox?: Pick<SandboxOptions, 'off' | 'allowedHosts' | 'resolve'>;
  clock?: Clock;
  /** Hands out unique ids of `bytes` random bytes in hex. */
  randomHex?: (bytes: number) => string;
}

/**
 * One engine serves one workspace folder and any number of its sessions. Faces talk to it by commands and events alone.
 */
export interface Engine {
  /** Carries out a command. Never throws: a failure is a value. */
  execute<T extends CommandType>(command: Extract<EngineCommandInput, { type: T }>): Promise<CommandResult<T>>;
  /** The same for a message of unknown shape, as it comes over a wire. */
  executeUnknown(input: unknown): Promise<CommandResult>;
  /** Calls the listener with every event, in order; answers the call that ends it. A listener that throws is skipped. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
  /** Cancels what runs, closes every session, ends every process. */
  dispose(): Promise<void>;
}
