import { BlackError } from '@black-ide/protocol';
import type { HookFact } from './facts.ts';

/** A call that is about to run, as hooks see it. */
export interface ToolCallToJudge {
  callId: string;
  /** The tool: the inner one of `call_tool`. */
  name: string;
  args: Readonly<Record<string, unknown>>;
}

/** What one hook says of a call. */
export type HookAnswer =
  /** It must not run; the model reads the reason. */
  | { kind: 'block'; reason: string }
  /** A person has to be asked. */
  | { kind: 'ask'; reason?: string }
  /** It is to run with these arguments, which are judged like any others. */
  | { kind: 'rewrite'; args: Record<string, unknown> }
  /** It may run. Lifts no deny and no hook that asks. */
  | { kind: 'allow'; reason?: string };

/** Asked before every call that nothing has refused yet. An error of it has a person asked. */
export type BeforeToolCall = (
  call: ToolCallToJudge,
  signal: AbortSignal | undefined,
) => Promise<readonly HookAnswer[]> | readonly HookAnswer[];

/** What hooks made of a call. */
export interface HookOutcome {
  fact: HookFact;
  /** The arguments as the last hook that changed them wants them. */
  args?: Record<string, unknown>;
}

/** Asks the hooks about a call. Never throws but for an abort. */
export async function askHooks(
  beforeToolCall: BeforeToolCall,
  call: ToolCallToJudge,
  signal?: AbortSignal,
): Promise<HookOutcome> {
  let answers: readonly HookAnswer[];
  try {
    answers = await beforeToolCall(call, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    return { fact: { ask: `A hook failed: ${BlackError.toValue(cause).message}` } };
  }
  const fact: HookFact = {};
  let args: Record<string, unknown> | undefined;
  for (const answer of answers) {
    if (answer.kind === 'block') fact.block ??= answer.reason;
    else if (answer.kind === 'ask') fact.ask ??= answer.reason ?? 'A hook asks for it.';
    else if (answer.kind === 'allow') fact.allow ??= answer.reason ?? 'A hook allows it.';
    else args = answer.args;
  }
  const isNew = args !== undefined && JSON.stringify(args) !== JSON.stringify(call.args);
  return { fact, ...(isNew && args ? { args } : {}) };
}
