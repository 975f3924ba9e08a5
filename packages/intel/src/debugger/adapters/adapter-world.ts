import type { Socket } from 'node:net';
import type { ProcessRegistry, SandboxLaunch } from '@black-ide/workspace';

/** Where debuggees and adapters of a session run, and what they reach. */
export interface AdapterWorld {
  /** The workspace, absolute. */
  root: string;
  processes: Pick<ProcessRegistry, 'run' | 'serve' | 'makeFolder'>;
  /** The environment of programs. */
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined: they run without. */
  sandbox?: DebugSandbox;
  /** The text of a file, for source maps; undefined where it is not to be read. */
  readText(path: string): Promise<string | undefined>;
}

/** What a session needs of the sandbox that its programs run in. */
export interface DebugSandbox {
  contain(options: { cwd: string; env: Readonly<Record<string, string>> }): Promise<SandboxLaunch>;
  /** Connects to a port inside. */
  connect(port: number): Promise<Socket>;
  /** The folder that they know as `/tmp`. */
  temporary: string;
}

/** What is to be debugged. */
export type DebugRequest =
  | { kind: 'launch'; command: string; cwd: string; stopOnEntry: boolean }
  /** A program that runs already: the port that it can be debugged behind, or its process. */
  | { kind: 'attach'; to: { port: number } | { pid: number }; cwd: string };
