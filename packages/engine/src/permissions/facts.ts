import type { PrefixRule } from '@black-ide/workspace';
import type { Access } from '../tools/define-tool.ts';

/** What a path argument, or a web address, turned out to be. */
export type PathFact =
  /** `names`: from the workspace, as it was given and where its links lead. */
  { ok: true; protected?: string; names?: readonly string[] } | { ok: false; why: string };

/** What hooks said of a call before it runs; of several the strictest, which is the first of these that is there. */
export interface HookFact {
  /** It must not run, and why. */
  block?: string;
  /** A person has to be asked, and why. */
  ask?: string;
  /** It may run, which counts only where nothing forbids it. */
  allow?: string;
}

/** What the command policy said of a command line, and by which kind of rule. */
export interface CommandFact {
  by: 'hard-deny' | 'user-deny' | 'user-allow' | 'read-only' | 'none' | 'unreadable';
  rule: string;
  why: string;
  /** It can be shown to change nothing, whatever list it is on. */
  readOnly?: boolean;
  /** What would let every part that is asked about run from now on; absent where that is not offered. */
  offers?: readonly PrefixRule[];
  /** Why it would run without a sandbox; absent: it is contained. */
  unsandboxed?: string;
  /** It is contained: the hosts that it may reach. */
  hosts?: readonly string[];
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
  /** The folder is not trusted: only what reads is in the set. */
  untrusted?: boolean;
  /** Nothing may change now, e.g. while a plan is made: commands have to be provably read-only. */
  readOnly?: boolean;
  /** What is wrong with the arguments; absent: nothing. */
  malformed?: string;
  /** One for each path argument, and for a web address. */
  paths: PathFact[];
  command?: CommandFact;
  /** A person looks at what it would do first, wherever the files are. */
  asksFirst?: true;
  /** The tool only ends or steers the loop: it touches nothing outside. */
  steersLoop: boolean;
  /** It goes on with a program that was allowed to start, and starts no other. */
  continues?: true;
  /** It has no command to judge, and asks to reach what is outside of the sandbox. */
  leavesSandbox?: true;
  /** Absent: no hook had a say, or none was asked because the call is refused anyway. */
  hook?: HookFact;
  /** A person's answer to the Request about this very call. */
  answer?: { allowed: boolean; text?: string };
  /** Questions about this call are answered with yes. */
  autoApprove: boolean;
  /** Why nothing runs unasked now: configuration that could not be read (IDE-87). Absent: all of it could. */
  closed?: string;
}
