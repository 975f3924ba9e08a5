import type { Access } from '../tools/define-tool.ts';

/** What a path argument, or a web address, turned out to be. */
export type PathFact = { ok: true; protected?: string } | { ok: false; why: string };

/** What the command policy said of a command line, and by which kind of rule. */
export interface CommandFact {
  by: 'hard-deny' | 'user-deny' | 'user-allow' | 'read-only' | 'none' | 'unreadable';
  rule: string;
  why: string;
  /** Why it would run without a sandbox; absent: it is contained. */
  unsandboxed?: string;
  /** There is a sandbox, and the call asks to run without. */
  leavesSandbox?: true;
}

/** Everything `decide()` looks at, gathered before it is asked: it does no input or output of its own. */
export interface CallFacts {
  name: string;
  /** Absent: there is no such tool. */
  access?: Access;
  /** Why the tool is not in the set of this moment (mode ∩ plan state ∩ trust ∩ parent's); absent: it is. */
  withheld?: string;
  /** What is wrong with the arguments; absent: nothing. */
  malformed?: string;
  /** One for each path argument, and for a web address. */
  paths: PathFact[];
  command?: CommandFact;
  /** The tool only ends or steers the loop: it touches nothing outside. */
  steersLoop: boolean;
  /** A person's answer to the Request about this very call. */
  answer?: { allowed: boolean; text?: string };
  autoApprove: boolean;
}
