import { BlackError } from '@black-ide/protocol';
import { isReadOnlyShape } from './allows/read-only-shape.ts';
import type { CommandContext, CommandDecision, PolicyPart } from './decision.ts';
import type { HardDeny } from './denies/hard-denies.ts';
import { rawTextDeny } from './denies/raw-text.ts';
import { PartJudge } from './part-judge.ts';
import type { Fact } from './shell/facts.ts';
import { ShellInterpreter } from './shell/interpreter.ts';
import { ShellParser, type ShellSyntax, type SoundSyntax } from './shell/shell-parser.ts';
import { TooComplex } from './shell/too-complex.ts';
import { type PatternDiagnostic, UserPatterns } from './user-patterns.ts';

export interface CommandPolicyOptions {
  /** Patterns of commands the user allows: each is matched from the beginning of a simple command. */
  allow?: readonly unknown[];
  /** Patterns of commands the user forbids: each is looked for anywhere in a simple command and in the whole line. */
  deny?: readonly unknown[];
  /** Handed in to be shared; otherwise the policy makes one and disposes it. */
  parser?: ShellParser;
}

/** A longer line is never allowed without a question (it cannot be read on a card either). */
const MAX_COMMAND = 10_000;
/** So much of a line the deny patterns are tried on. */
const MAX_DENIED = 200_000;
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/**
 * Decides what becomes of a command line (IDE-62 … IDE-64): hard deny > user deny > user allow > provably read-only >
 * auto-approve > ask. The line is parsed, followed the way a shell would, and taken apart into everything it may run;
 * the strictest part decides. It is no boundary: the sandbox is.
 */
export class CommandPolicy {
  readonly #parser: ShellParser;
  readonly #ownsParser: boolean;
  readonly #allow: UserPatterns;
  readonly #deny: UserPatterns;

  private constructor(parser: ShellParser, ownsParser: boolean, allow: UserPatterns, deny: UserPatterns) {
    this.#parser = parser;
    this.#ownsParser = ownsParser;
    this.#allow = allow;
    this.#deny = deny;
  }

  /** Never throws for bad patterns: see `diagnostics`. */
  static async create(options: CommandPolicyOptions = {}): Promise<CommandPolicy> {
    const [allow, deny] = await Promise.all([
      UserPatterns.compile('allow', options.allow ?? []),
      UserPatterns.compile('deny', options.deny ?? []),
    ]);
    return new CommandPolicy(options.parser ?? new ShellParser(), options.parser === undefined, allow, deny);
  }

  /** Patterns that are not in force, to be shown to the user. While one of them is a deny, nothing is allowed unasked. */
  get diagnostics(): readonly PatternDiagnostic[] {
    return [...this.#deny.diagnostics, ...this.#allow.diagnostics];
  }

  /** Never throws: what cannot be judged is asked about. */
  async decide(command: string, context: CommandContext): Promise<CommandDecision> {
    const syntax = await this.#parse(command);
    const judged = syntax.sound ? this.#judge(syntax, context) : this.#unreadable(command, syntax.why, context);
    const denied = judged.decision === 'deny' ? undefined : this.#deny.find([command.slice(0, MAX_DENIED)]);
    if (denied !== undefined) return { ...judged, ...denial(denied) };
    if (judged.decision === 'deny' || this.#deny.diagnostics.length === 0) return judged;
    return {
      ...judged,
      decision: 'ask',
      stage: 'ask',
      rule: 'deny-list-broken',
      why: 'a pattern of the deny list is not valid, so nothing runs without being asked about',
    };
  }

  /** Whether the whole line can be shown to change nothing, from its text alone; false whenever in doubt. */
  async provablyReadOnly(command: string, context: CommandContext): Promise<boolean> {
    const syntax = await this.#parse(command);
    if (!syntax.sound || !isReadOnlyShape(syntax.root, command)) return false;
    const facts = this.#follow(syntax, context);
    const judge = new PartJudge({ context, allow: undefined, deny: undefined });
    const parts = typeof facts === 'string' ? [] : judge.parts(facts);
    return parts.length > 0 && parts.every(({ stage, rule }) => stage === 'read-only' && rule !== 'wrapper');
  }

  dispose(): void {
    if (this.#ownsParser) this.#parser.dispose();
  }

  async #parse(command: string): Promise<ShellSyntax> {
    if (command.length > MAX_COMMAND) {
      return { sound: false, source: command, why: `it is longer than ${MAX_COMMAND} characters` };
    }
    if (command.trim() === '') return { sound: false, source: command, why: 'it is empty' };
    try {
      await this.#parser.load();
    } catch (error) {
      return { sound: false, source: command, why: BlackError.toValue(error).message };
    }
    return this.#parser.parse(command);
  }

  /** Everything the line may run, or why that cannot be told. */
  #follow(syntax: SoundSyntax, context: CommandContext): readonly Fact[] | string {
    const interpreter = new ShellInterpreter(this.#parser);
    try {
      interpreter.run(syntax, context);
      return interpreter.facts;
    } catch (error) {
      if (error instanceof TooComplex || error instanceof RangeError) return new TooComplex().message;
      throw error;
    }
  }

  #judge(syntax: SoundSyntax, context: CommandContext): CommandDecision {
    const facts = this.#follow(syntax, context);
    if (typeof facts === 'string') return this.#unreadable(syntax.source, facts, context);
    const judge = new PartJudge({ context, allow: this.#allow, deny: this.#deny });
    const parts = judge.parts(facts);
    const strictest = parts.reduce<PolicyPart | undefined>(
      (worst, part) => (worst && STRICTNESS[worst.decision] >= STRICTNESS[part.decision] ? worst : part),
      undefined,
    );
    // Where a pattern of the user lets a part run, the line runs by it: the rest is harmless beside it.
    const deciding =
      strictest?.decision === 'allow' ? (parts.find(({ stage }) => stage === 'user-allow') ?? strictest) : strictest;
    if (!deciding) return this.#unreadable(syntax.source, 'it holds no command', context);
    const { decision, stage, rule, why } = deciding;
    return { decision, stage, rule, why, parts };
  }

  /** A line without a reliable reading: the hard denies on its text, then the question, which nothing answers for the user. */
  #unreadable(command: string, why: string, context: CommandContext): CommandDecision {
    const found = rawTextDeny(command, { cwds: [context.cwd], home: context.home });
    if (found) return hardDenial(found);
    return { decision: 'ask', stage: 'ask', rule: 'unreadable', why: `it cannot be judged: ${why}`, parts: [] };
  }
}

function hardDenial({ rule, why }: HardDeny): CommandDecision {
  return { decision: 'deny', stage: 'hard-deny', rule, why, parts: [] };
}

function denial(pattern: string): Pick<CommandDecision, 'decision' | 'stage' | 'rule' | 'why'> {
  return { decision: 'deny', stage: 'user-deny', rule: pattern, why: `the deny pattern \`${pattern}\` matches it` };
}
