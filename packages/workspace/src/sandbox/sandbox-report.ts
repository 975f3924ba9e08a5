import type { BlockedHost } from './egress-proxy.ts';
import type { GuardReport } from './workspace-guard.ts';

/** What the sandbox kept a command from, as far as it can tell. */
export interface SandboxReport extends GuardReport {
  blockedHosts: BlockedHost[];
  /** What it wrote into the private home, e.g. `~/notes.md`: it goes with the session. */
  homeWrites: string[];
}

/** How to start a shell so that it is contained. */
export interface SandboxLaunch {
  /** Absolute path. */
  program: string;
  /** Ends where the command's own program follows. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Open descriptors that the program gets as 3 and 4. */
  descriptors: readonly [number, number];
  /** To be called once, when the command and everything it started has ended. */
  finish(): Promise<SandboxReport>;
}
