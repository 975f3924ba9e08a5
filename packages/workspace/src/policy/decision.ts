import type { PrefixRule } from './prefix-rule.ts';

export type PolicyStage = 'hard-deny' | 'user-deny' | 'user-allow' | 'read-only' | 'auto-approve' | 'ask';

/** One thing the line does, judged by itself. */
export interface PolicyPart {
  /** As patterns see it. */
  text: string;
  decision: 'allow' | 'ask' | 'deny';
  stage: PolicyStage;
  rule: string;
  why: string;
  /** What would let a part that is asked about run from now on, where that may be offered. */
  offer?: PrefixRule;
}

export interface CommandContext {
  /** The folder the command runs in: absolute. */
  cwd: string;
  /** The user's home folder: absolute. */
  home: string;
  /** The workspace and other granted folders; `cwd` if missing. */
  roots?: readonly string[];
  /** The environment of the command. Without it variables the line does not set count as unknown. */
  env?: Readonly<Record<string, string | undefined>>;
  /** What a person has allowed from now on, beside their list of patterns. */
  grants?: readonly PrefixRule[];
  /**
   * Why git would run a program that the configuration of the repository around this folder names; undefined where it
   * would not. Left out: nobody has looked, and git is judged by its words alone.
   */
  gitPrograms?: (folder: string) => string | undefined;
  /** Where an operand leads that is a link; undefined where it is none. Left out: operands are what they are called. */
  linkTarget?: (folder: string, operand: string) => string | undefined;
  /** `autoApproveTerminal` is on and a person sits at an interactive chat. */
  autoApprove?: boolean;
}

export interface CommandDecision {
  decision: 'allow' | 'ask' | 'deny';
  /** The stage that decided, in the order of precedence. */
  stage: PolicyStage;
  /** The rule of that stage: a hard deny's name, a pattern of the user, or the stage's name. */
  rule: string;
  /** For a person, in one sentence. */
  why: string;
  /** What the line was taken apart into, in order, each judged by itself; empty when it could not be. */
  parts: readonly PolicyPart[];
}
