import { BlackError } from '@black-ide/protocol';
import {
  type CommandContext,
  type CommandDecision,
  CommandPolicy,
  GrantStore,
  gitPrograms,
  isPlainLine,
  linkedOperand,
  type PrefixRule,
  prefixRuleText,
  ShellParser,
} from '@black-ide/workspace';
import type { CommandFact } from './facts.ts';

/** What the settings say of commands. */
export interface CommandSettings {
  allow: readonly string[];
  deny: readonly string[];
  autoApproveTerminal: boolean;
  /** Why the settings cannot be read: until then nothing runs unasked. */
  closed?: string;
}

export interface CommandJudgeOptions {
  /** The workspace with its links resolved. */
  root: string;
  /** The state folder. */
  home: string;
  /** The person's home folder. */
  userHome: string;
  /** The environment that commands get. */
  env: Readonly<Record<string, string>>;
  /** Read anew for every command: a change of the settings counts at once. */
  settings(): CommandSettings;
}

/** So many forms of commands a refusal names. */
const MAX_HINTS = 8;
/** Rules of the policy that nobody can have said yes to in advance: it is not known what would run. */
const UNREAD = /^(unreadable|foreign-shell|deny-list-broken)$/;

/** What the command policy says of a command, under the person's settings and what they have allowed from now on. */
export class CommandJudge {
  readonly #options: CommandJudgeOptions;
  readonly #store: GrantStore;
  readonly #parser = new ShellParser();
  #made: { key: string; policy: Promise<CommandPolicy> } | undefined;

  constructor(options: CommandJudgeOptions) {
    this.#options = options;
    this.#store = new GrantStore(options);
  }

  /** Whether questions about commands are answered with yes in an interactive chat (`autoApproveTerminal`). */
  get autoApproves(): boolean {
    const { autoApproveTerminal, closed } = this.#options.settings();
    return autoApproveTerminal && closed === undefined;
  }

  /** @param grants what the person has allowed in this session */
  async judge(command: string, cwd: string, grants: readonly PrefixRule[] = []): Promise<CommandFact> {
    const { decision, fact } = await this.#judge(command, cwd, grants);
    const offers = offersOf(decision);
    return { ...fact, ...(offers ? { offers } : {}) };
  }

  /** The same with every simple part of the line, for a person who wants to know. */
  async explain(command: string, cwd: string): Promise<{ fact: CommandFact; parts: CommandDecision['parts'] }> {
    const { decision, fact } = await this.#judge(command, cwd, []);
    return { fact, parts: decision.parts };
  }

  /** For a model that was refused: the forms that run unasked, in a line; undefined where the person named none. */
  hint(grants: readonly PrefixRule[] = []): string | undefined {
    const { allow, closed } = this.#options.settings();
    if (closed !== undefined) return undefined;
    const kept = this.#kept();
    const rules = [...grants, ...(typeof kept === 'string' ? [] : kept)].map(prefixRuleText);
    const forms = [...new Set([...rules, ...allow])].slice(0, MAX_HINTS);
    return forms.length > 0
      ? `Commands that run unasked: ${forms.map((form) => `\`${form}\``).join(', ')}.`
      : undefined;
  }

  /** Lets commands of these rules run in this workspace from now on. @throws BlackError where that cannot be kept. */
  remember(rules: readonly PrefixRule[]): void {
    this.#store.add(rules);
  }

  dispose(): void {
    this.#parser.dispose();
  }

  async #judge(
    command: string,
    cwd: string,
    grants: readonly PrefixRule[],
  ): Promise<{ decision: CommandDecision; fact: CommandFact }> {
    const { root, userHome, env, settings } = this.#options;
    const policy = await this.#policy();
    const { closed } = settings();
    const kept = this.#kept();
    const context: CommandContext = {
      cwd,
      home: userHome,
      env,
      roots: [root],
      grants: closed === undefined && typeof kept !== 'string' ? [...grants, ...kept] : [],
      gitPrograms,
    };
    const decision = await policy.decide(command, context);
    const { stage, rule, why, parts } = decision;
    // Whoever misreads a shell misreads it in one way: three readings have to agree, and not in a folder of its own choice.
    const isRead = async () =>
      cwd === root &&
      isPlainLine(command, root) &&
      linkedOperand(command, root) !== 'astray' &&
      (await policy.provablyReadOnly(command, context));
    const readOnly = decision.decision === 'allow' && (await isRead());
    const judged = (): CommandFact => {
      if (stage === 'hard-deny' || stage === 'user-deny') return { by: stage, rule, why };
      if (closed !== undefined) return { by: 'unreadable', rule: 'settings', why: closed };
      if (stage === 'user-allow' || (stage === 'read-only' && readOnly)) return { by: stage, rule, why };
      if (stage === 'read-only')
        return { by: 'none', rule: 'not-plain', why: 'It is not written plainly enough to run unasked.' };
      const unread = UNREAD.test(rule) || parts.length === 0 || parts.some((part) => UNREAD.test(part.rule));
      return { by: unread ? 'unreadable' : 'none', rule, why };
    };
    return { decision, fact: { ...judged(), ...(readOnly ? { readOnly } : {}) } };
  }

  /** The rules that are kept, or why they cannot be read: then none of them holds. */
  #kept(): readonly PrefixRule[] | string {
    try {
      return this.#store.read();
    } catch (cause) {
      return BlackError.toValue(cause).message;
    }
  }

  async #policy(): Promise<CommandPolicy> {
    const { allow, deny } = this.#options.settings();
    const key = JSON.stringify([allow, deny]);
    if (this.#made?.key !== key) {
      this.#made = { key, policy: CommandPolicy.create({ allow, deny, parser: this.#parser }) };
    }
    return this.#made.policy;
  }
}

/** One rule for every part that is asked about, or none at all: half a yes would not let the line run. */
function offersOf({ decision, rule, parts }: CommandDecision): readonly PrefixRule[] | undefined {
  if (decision !== 'ask' || UNREAD.test(rule)) return undefined;
  const asked = parts.filter((part) => part.decision === 'ask');
  const offers = asked.flatMap(({ offer }) => offer ?? []);
  return asked.length > 0 && offers.length === asked.length ? offers : undefined;
}
