import type { Decision } from '@black-ide/protocol';
import type { CallFacts } from './facts.ts';

/** The rule of stage 1 that refuses for lack of trust. */
export const UNTRUSTED = 'untrusted';

type Verdict = Omit<Decision, 'stage'>;
type Stage = (facts: CallFacts) => Verdict | undefined;

/**
 * The one gate: the only way to a side effect (architecture: One gate). Pure. The first stage that has an answer
 * decides; the last one always has.
 */
export function decide(facts: CallFacts): Decision {
  for (const [index, stage] of STAGES.entries()) {
    const verdict = stage(facts);
    if (verdict) return { ...verdict, stage: index + 1 };
  }
  return { decision: 'ask', stage: 10, rule: 'ask', why: 'Nothing allows or denies it.' };
}

/** Whether the call is refused whatever hooks say of it: none is run for it then. */
export function isRefusedBeforeHooks(facts: CallFacts): boolean {
  return STAGES.slice(0, STAGES.indexOf(hooks)).some((stage) => stage(facts) !== undefined);
}

const STAGES: readonly Stage[] = [
  toolSet,
  schema,
  pathGuard,
  hardDeny,
  userDeny,
  hooks,
  grants,
  readOnly,
  autoApprove,
  request,
];

function toolSet(facts: CallFacts): Verdict | undefined {
  const { name, access, withheld, untrusted, readOnly, malformed, command } = facts;
  if (!access) return deny('unknown-tool', `There is no tool \`${name}\`.`);
  if (withheld) return deny('tool-set', withheld);
  // Without its arguments nobody can tell what a command is: the next stage refuses it.
  if (malformed) return undefined;
  const reads = command ? changesNothing(command) : access !== 'write' && access !== 'execute';
  if (untrusted && !reads) return deny(UNTRUSTED, untrustedWhy(name, command));
  // Neither a grant nor an answer nor auto-approve makes a command part of a set in which nothing may change.
  if (!readOnly || access !== 'execute' || reads) return undefined;
  const why = command ? ` ${command.why}` : '';
  return deny('read-only-set', `Nothing may change now, and it is not provably read-only.${why}`);
}

/** A command that is provably read-only, whatever list it is on. One that a sandbox holds read-only would count here. */
function changesNothing({ by, readOnly, leavesSandbox }: NonNullable<CallFacts['command']>): boolean {
  return !leavesSandbox && (by === 'read-only' || readOnly === true);
}

function untrustedWhy(name: string, command: CallFacts['command']): string {
  const what = command ? 'only commands that are known to read files run' : `\`${name}\` is not available`;
  const more = command?.rule === UNTRUSTED ? ` ${command.why}` : '';
  return `This folder is not trusted, so ${what}.${more} A person can trust it with \`black trust\`, or for one run with --trust.`;
}

function schema({ malformed }: CallFacts): Verdict | undefined {
  return malformed ? deny('schema', malformed) : undefined;
}

function pathGuard({ paths }: CallFacts): Verdict | undefined {
  const refused = paths.find((path) => !path.ok);
  return refused && !refused.ok ? deny('path-guard', refused.why) : undefined;
}

function hardDeny({ command }: CallFacts): Verdict | undefined {
  return command?.by === 'hard-deny' ? deny(command.rule, command.why) : undefined;
}

/** The person's deny list: `commandPolicy.deny`. */
function userDeny({ command }: CallFacts): Verdict | undefined {
  return command?.by === 'user-deny' ? deny(command.rule, command.why) : undefined;
}

/** Hooks may block and ask; what they have rewritten came through the stages before again, and an allow counts at 7. */
function hooks({ hook, answer }: CallFacts): Verdict | undefined {
  if (hook?.block !== undefined) return deny('hook', hook.block);
  // Nothing but a person's answer passes by a hook that asks.
  return hook?.ask !== undefined && !answer ? { decision: 'ask', rule: 'hook', why: hook.ask } : undefined;
}

function grants(facts: CallFacts): Verdict | undefined {
  const { answer, access, paths, command, steersLoop, continues, asksFirst, hook, closed } = facts;
  if (answer) {
    const said = answer.text ? `: ${answer.text}` : '.';
    return answer.allowed ? allow('answer', `A person allowed it${said}`) : deny('answer', `A person denied it${said}`);
  }
  if (steersLoop) return allow('steers-loop', 'It only steers the loop.');
  if (continues) return allow('goes-on', 'It goes on with a program that was allowed to start.');
  // Who said yes in advance said it to commands in the sandbox.
  const leaves = leavesSandbox(facts);
  if (command?.by === 'user-allow' && !leaves) return allow(command.rule, command.why);
  if (hook?.allow !== undefined && !closed && !leaves && command?.by !== 'unreadable') return allow('hook', hook.allow);
  if (access === 'write' && paths.length > 0 && !protectedPath(paths) && !asksFirst) {
    return allow('file-in-workspace', 'The file is in the workspace, and its change can be taken back.');
  }
  return undefined;
}

function readOnly({ access, command, paths, closed }: CallFacts): Verdict | undefined {
  if (access === 'read' && !command) return allow('read-only', 'It only reads.');
  // A list that forbids it may be in what could not be read.
  if (closed) return undefined;
  // Outside of the sandbox there are other people's keys to read.
  if (command?.leavesSandbox) return undefined;
  return command?.by === 'read-only' && !protectedPath(paths) ? allow(command.rule, command.why) : undefined;
}

function autoApprove(facts: CallFacts): Verdict | undefined {
  // Nobody has said yes in advance to what nobody could read.
  if (facts.command?.by === 'unreadable' || facts.closed) return undefined;
  if (leavesSandbox(facts)) return undefined;
  return facts.autoApprove ? allow('auto-approve', 'Questions are answered with yes in this run.') : undefined;
}

function request({ access, command, paths, closed }: CallFacts): Verdict {
  if (closed) return { decision: 'ask', rule: 'settings', why: `Nothing runs unasked until this is mended: ${closed}` };
  const guarded = protectedPath(paths);
  if (guarded) return { decision: 'ask', rule: 'protected-path', why: guarded };
  if (command) return { decision: 'ask', rule: command.rule, why: command.why };
  return { decision: 'ask', rule: `access-${access}`, why: `A ${access} tool asks first.` };
}

function leavesSandbox({ command, leavesSandbox: leaves }: CallFacts): boolean {
  return command?.leavesSandbox === true || leaves === true;
}

function protectedPath(paths: CallFacts['paths']): string | undefined {
  for (const path of paths) if (path.ok && path.protected) return path.protected;
  return undefined;
}

function allow(rule: string, why: string): Verdict {
  return { decision: 'allow', rule, why };
}

function deny(rule: string, why: string): Verdict {
  return { decision: 'deny', rule, why };
}
