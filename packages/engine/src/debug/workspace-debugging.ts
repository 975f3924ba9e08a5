import type { DebugHost, DebugSandbox } from '@black-ide/intel';
import type { Documents, ProcessRegistry } from '@black-ide/workspace';
import type { Clock } from '../engine-api.ts';
import { SessionDebugger } from './session-debugger.ts';

export interface WorkspaceDebuggingOptions {
  /** The workspace's real path. */
  root: string;
  documents: Pick<Documents, 'list'>;
  processes: ProcessRegistry;
  clock: Clock;
  /** The environment of commands. */
  environment(): Record<string, string>;
  trusted(): boolean;
  /** The sandbox that commands run in, with folders that may be read besides; undefined where there is none. */
  sandbox(readable: readonly string[]): Promise<DebugSandbox | undefined>;
  /** The text of a file of the workspace; undefined where it is not to be read. */
  readText(path: string): Promise<string | undefined>;
  host: DebugHost | undefined;
}

/** What there is to debug in one engine's workspace. */
export class WorkspaceDebugging {
  readonly #options: WorkspaceDebuggingOptions;
  #offered: { trusted: boolean; offered: Promise<boolean> } | undefined;

  constructor(options: WorkspaceDebuggingOptions) {
    this.#options = options;
  }

  /**
   * Whether there is something to debug here, and a debugger for it (INT-20): found out once, so that requests begin alike;
   * anew where the folder has come to be trusted.
   */
  isOffered(): Promise<boolean> {
    const trusted = this.#options.trusted();
    if (this.#offered?.trusted !== trusted) this.#offered = { trusted, offered: this.#find(trusted) };
    return this.#offered.offered;
  }

  /** @param outputFolder where the session's large outputs are, which a program may read */
  forSession(outputFolder: string | undefined): SessionDebugger {
    const { root, processes, clock, environment, trusted, sandbox, readText, host } = this.#options;
    return new SessionDebugger({
      root,
      processes,
      clock,
      environment,
      trusted,
      sandbox: () => sandbox(outputFolder === undefined ? [] : [outputFolder]),
      readText,
      ...(host ? { host } : {}),
    });
  }

  async #find(trusted: boolean): Promise<boolean> {
    const { root, documents, environment, host } = this.#options;
    if (host) return true;
    const { canDebug } = await import('@black-ide/intel/detection');
    return canDebug({ root, env: environment(), trusted }, documents);
  }
}
