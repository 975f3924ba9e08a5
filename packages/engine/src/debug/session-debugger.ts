import type {
  AdapterId,
  DebugAnswer,
  Debuggee,
  Debugger,
  DebugHost,
  DebugRequest,
  DebugSandbox,
  DebugStart,
} from '@black-ide/intel';
import type { ProcessRegistry } from '@black-ide/workspace';
import type { Clock } from '../engine-api.ts';

export interface SessionDebuggerParts {
  /** The workspace's real path. */
  root: string;
  processes: ProcessRegistry;
  clock: Clock;
  /** The environment of commands. */
  environment(): Record<string, string>;
  trusted(): boolean;
  /** The sandbox that commands run in; undefined where there is none. */
  sandbox(): Promise<DebugSandbox | undefined>;
  /** The text of a file of the workspace; undefined where it is not to be read. */
  readText(path: string): Promise<string | undefined>;
  host?: DebugHost;
  ttlMs?: number;
}

/** What is launched, and how. */
export interface DebugLaunch extends DebugStart {
  request: DebugRequest;
  adapter?: AdapterId;
  unsandboxed: boolean;
}

/** The debugger of one conversation, loaded at its first use: most debug nothing. */
export class SessionDebugger {
  readonly #parts: SessionDebuggerParts;
  #debugger: Promise<Debugger> | undefined;
  #launchedAt = 0;

  constructor(parts: SessionDebuggerParts) {
    this.#parts = parts;
  }

  /** @throws what `Debugger.launch` throws; BlackError `no_adapter` */
  async launch({ request, adapter, unsandboxed, ...start }: DebugLaunch, signal: AbortSignal): Promise<DebugAnswer> {
    this.#launchedAt = this.#parts.clock.now();
    const [loaded, debuggee] = await Promise.all([this.load(), this.#debuggeeOf(request, adapter, unsandboxed)]);
    return loaded.launch(debuggee, start, signal);
  }

  load(): Promise<Debugger> {
    this.#debugger ??= this.#make();
    return this.#debugger;
  }

  /** Ends what was launched at this time or later. */
  async end(since: number): Promise<void> {
    if (this.#launchedAt >= since) await (await this.#debugger)?.end();
  }

  async dispose(): Promise<void> {
    await (await this.#debugger)?.dispose();
  }

  async #make(): Promise<Debugger> {
    const { Debugger: Made } = await import('@black-ide/intel');
    const { root, clock, readText, ttlMs } = this.#parts;
    return new Made({
      root,
      now: () => clock.now(),
      sleep: (ms, signal) => clock.sleep(ms, signal),
      readText,
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });
  }

  async #debuggeeOf(request: DebugRequest, adapter: AdapterId | undefined, unsandboxed: boolean): Promise<Debuggee> {
    const { host, root, processes, readText } = this.#parts;
    const sandbox = unsandboxed ? undefined : await this.#parts.sandbox();
    // What a face starts is in no sandbox.
    const offered = adapter === undefined && !sandbox ? await host?.debuggeeOf(request) : undefined;
    if (offered) return offered;
    const { debuggeeOf } = await import('@black-ide/intel');
    const env = this.#parts.environment();
    const world = { root, processes, env, readText, ...(sandbox ? { sandbox } : {}) };
    return debuggeeOf(request, adapter, { root, env, trusted: this.#parts.trusted() }, world);
  }
}
