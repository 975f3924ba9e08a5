import type { Decision } from '@black-ide/protocol';
import type { CallFacts } from './facts.ts';

/** Stages whose parts come with later versions: they are walked, decide nothing, and say so in the log. */
const NOT_YET = [5, 6];

type Verdict = Omit<Decision, 'stage' | 'notYet'>;
type Stage = (facts: CallFacts) => Verdict | undefined;

/**
 * The one gate: the only way to a side effect (architecture: One gate). Pure. The first stage that has an answer
 * decides; the last one always has.
 */
export function decide(facts: CallFacts): Decision {
  for (const [index, stage] of STAGES.entries()) {
    const verdict = stage(facts);
    if (verdict) return { ...verdict, stage: index + 1, notYet: NOT_YET.filter((number) => number <= index + 1) };
  }
  return { decision: 'ask', stage: 10, rule: 'ask', why: 'Nothing allows or denies it.', notYet: NOT_YET };
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

function toolSet({ name, access, withheld }: CallFacts): Verdict | undefined {
  if (!access) return deny('unknown-tool', `There is no tool \`${name}\`.`);
  return withheld ? deny('tool-set', withheld) : undefined;
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

/** The person's deny list. The command policy has the rule; no setting feeds it yet. */
function userDeny({ command }: CallFacts): Verdict | undefined {
  return command?.by === 'user-deny' ? deny(command.rule, command.why) : undefined;
}

/** Hooks may block, ask or rewrite. None can be registered yet. */
function hooks(_facts: CallFacts): Verdict | undefined {
  return undefined;
}

function grants({ answer, access, paths, command, steersLoop }: CallFacts): Verdict | undefined {
  if (answer) {
    const said = answer.text ? `: ${answer.text}` : '.';
    return answer.allowed ? allow('answer', `A person allowed it${said}`) : deny('answer', `A person denied it${said}`);
  }
  if (steersLoop) return allow('steers-loop', 'It only steers the loop.');
  if (command?.by === 'user-allow') return allow(command.rule, command.why);
  if (access === 'write' && paths.length > 0 && !protectedPath(paths)) {
    return allow('file-in-workspace', 'The file is in the workspace, and its change can be taken back.');
  }
  return undefined;
}

function readOnly({ access, command, paths }: CallFacts): Verdict | undefined {
  if (access === 'read' && !command) return allow('read-only', 'It only reads.');
  return command?.by === 'read-only' && !protectedPath(paths) ? allow(command.rule, command.why) : undefined;
}

function autoApprove(facts: CallFacts): Verdict | undefined {
  // Nobody has said yes in advance to what nobody could read.
  if (facts.command?.by === 'unreadable') return undefined;
  // Yes was said to commands in the sandbox.
  if (facts.command?.leavesSandbox) return undefined;
  return facts.autoApprove ? allow('auto-approve', 'Questions are answered with yes in this run.') : undefined;
}

function request({ access, command, paths }: CallFacts): Verdict {
  const guarded = protectedPath(paths);
  if (guarded) return { decision: 'ask', rule: 'protected-path', why: guarded };
  if (command) return { decision: 'ask', rule: command.rule, why: command.why };
  return { decision: 'ask', rule: `access-${access}`, why: `A ${access} tool asks first.` };
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
