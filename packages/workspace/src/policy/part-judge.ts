import { provenReadOnly } from './allows/read-only.ts';
import { isSecret } from './allows/secret-paths.ts';
import { isForeignShell, isInside, type Veto, vetoes } from './allows/vetoes.ts';
import { assignedCommandText, commandText, deniedTexts } from './command-text.ts';
import type { CommandContext, PolicyPart } from './decision.ts';
import { type HardDeny, hardDeny, hardDenyRedirect } from './denies/hard-denies.ts';
import { rawTextDeny } from './denies/raw-text.ts';
import { matchesPrefixRule, prefixRuleFor, prefixRuleText } from './prefix-rule.ts';
import type { AssignmentFact, CommandFact, Fact, RedirectFact, UnreadableScriptFact } from './shell/facts.ts';
import { isGlob, isUnknown } from './shell/markers.ts';
import { namesWord, type UserPatterns } from './user-patterns.ts';

interface Lists {
  context: CommandContext;
  allow: UserPatterns | undefined;
  deny: UserPatterns | undefined;
}

/** Lower-case names that reach into other programs all the same. */
const TELLING_VARIABLE = /^(https?_proxy|ftp_proxy|all_proxy|no_proxy|path|fpath|cdpath|ifs|histfile)$/i;

/** Judges the parts of a line one by one, in the order of precedence of IDE-64. */
export class PartJudge {
  readonly #context: CommandContext;
  readonly #allow: UserPatterns | undefined;
  readonly #deny: UserPatterns | undefined;

  constructor(lists: Lists) {
    this.#context = lists.context;
    this.#allow = lists.allow;
    this.#deny = lists.deny;
  }

  /** The parts, without repetition. */
  parts(facts: readonly Fact[]): PolicyPart[] {
    const parts = facts.map((fact) => this.#judge(fact)).filter((part) => part !== undefined);
    return [...new Map(parts.map((part) => [`${part.text}\0${part.stage}\0${part.rule}\0${part.why}`, part])).values()];
  }

  #judge(fact: Fact): PolicyPart | undefined {
    switch (fact.kind) {
      case 'command':
        return this.#command(fact);
      case 'redirect':
        return this.#redirect(fact);
      case 'assignment':
        return this.#assignment(fact);
      case 'construct':
        return this.#approvedOrAsked(fact.source, `it holds ${fact.what}`);
      case 'fork-bomb':
        return hardPart(fact.source, { rule: 'fork-bomb', why: 'it multiplies without end' });
      case 'unreadable':
        return this.#unreadable(fact);
      case 'code': {
        const found = rawTextDeny(fact.code, { cwds: fact.cwds, home: this.#context.home });
        return found && hardPart(fact.source, found);
      }
    }
  }

  /** Like a line that cannot be parsed: nothing but the user's own answer lets it run. */
  #unreadable(fact: UnreadableScriptFact): PolicyPart {
    const found = rawTextDeny(fact.script, { cwds: fact.cwds, home: this.#context.home });
    if (found) return hardPart(fact.source, found);
    const denied = this.#deny?.find([fact.script]);
    if (denied !== undefined) return userDenial(fact.source, denied);
    const why = 'it holds a script that cannot be parsed';
    return { text: fact.source, decision: 'ask', stage: 'ask', rule: 'unreadable', why };
  }

  #command(fact: CommandFact): PolicyPart | undefined {
    const text = commandText(fact);
    const hard = hardDeny(fact, this.#context);
    if (hard) return hardPart(text, hard);
    if (fact.speculative) return undefined;
    const denied = this.#deny && !this.#deny.isEmpty ? this.#deny.find(deniedTexts(fact)) : undefined;
    if (denied !== undefined) return userDenial(text, denied);

    if (isForeignShell(fact)) {
      const why = `\`${text}\` is for PowerShell or cmd, which is always asked about`;
      return { text, decision: 'ask', stage: 'ask', rule: 'foreign-shell', why };
    }
    const { gitPrograms } = this.#context;
    const objections = vetoes(fact, { roots: this.#roots, ...(gitPrograms ? { gitPrograms } : {}) });
    const allowing = [
      ...(this.#allow?.leading(text) ?? []),
      ...(fact.assignments.length > 0 ? (this.#allow?.leading(assignedCommandText(fact)) ?? []) : []),
    ];
    const pattern = allowing.find((source) => this.#covers(source, fact, objections));
    if (pattern !== undefined) {
      return {
        text,
        decision: 'allow',
        stage: 'user-allow',
        rule: pattern,
        why: `the allow pattern \`${pattern}\` matches it`,
      };
    }
    const grant =
      objections.length === 0 ? this.#context.grants?.find((rule) => matchesPrefixRule(rule, fact)) : undefined;
    if (grant) {
      const rule = prefixRuleText(grant);
      return { text, decision: 'allow', stage: 'user-allow', rule, why: `you allowed \`${rule}\`` };
    }
    if (fact.wrapper === 'transparent' && fact.assignments.length === 0) {
      return { text, decision: 'allow', stage: 'read-only', rule: 'wrapper', why: 'only what it runs counts' };
    }
    if (this.#staysInside(fact)) {
      return {
        text,
        decision: 'allow',
        stage: 'read-only',
        rule: 'read-only',
        why: 'it goes to a folder of the workspace',
      };
    }
    if (this.#isReadOnly(fact)) {
      return {
        text,
        decision: 'allow',
        stage: 'read-only',
        rule: 'read-only',
        why: 'it can be shown to change nothing',
      };
    }
    const [first] = objections;
    const why =
      allowing.length > 0 && first
        ? `an allow pattern matches \`${text}\`, but ${first.why}`
        : `\`${text}\` could change something, and nothing allows it`;
    const offer = objections.length === 0 ? prefixRuleFor(fact) : undefined;
    return { ...this.#approvedOrAsked(text, why), ...(offer ? { offer } : {}) };
  }

  get #roots(): readonly string[] {
    return this.#context.roots ?? [this.#context.cwd];
  }

  /** A pattern covers a wrapper only if it names what the wrapper runs, and a danger only if it names that. */
  #covers(pattern: string, fact: CommandFact, objections: readonly Veto[]): boolean {
    if (
      fact.wrapper === 'opaque' &&
      !fact.words.slice(1).some(({ value }) => /^\w/.test(value) && namesWord(pattern, value))
    ) {
      return false;
    }
    return objections.every(({ token }) => token !== undefined && namesWord(pattern, token));
  }

  #isReadOnly(fact: CommandFact): boolean {
    if (!provenReadOnly(fact)) return false;
    // git takes its configuration, and with it programs to run, from the folder it is in.
    if (fact.words[0]?.value !== 'git') return true;
    const { cwd: own, gitPrograms } = this.#context;
    return fact.cwds.every((cwd) => cwd === own && gitPrograms?.(cwd) === undefined);
  }

  #staysInside(fact: CommandFact): boolean {
    const [name, target, ...more] = fact.words;
    if (name?.value !== 'cd' || !target || more.length > 0 || fact.assignments.length > 0) return false;
    if (isUnknown(target.value) || isGlob(target.value) || target.value.startsWith('-')) return false;
    return fact.cwds.every((cwd) =>
      isInside(target.value.startsWith('/') ? target.value : `${cwd}/${target.value}`, this.#roots),
    );
  }

  #redirect(fact: RedirectFact): PolicyPart | undefined {
    const text = fact.source;
    const hard = hardDenyRedirect(fact);
    if (hard) return hardPart(text, hard);
    const reads = fact.operator === '<';
    const harmless =
      /-$/.test(fact.operator) ||
      (fact.targets.length > 0 &&
        fact.targets.every((target) => {
          if (/^([<>]&)$/.test(fact.operator) && /^\d+$/.test(target.value)) return true;
          if (/^\/dev\/(null|stdout|stderr)$/.test(target.value)) return true;
          if (/^\/dev\/fd\/1\d\d$/.test(target.value)) return reads;
          return reads && !isUnknown(target.value) && !isSecret(target) && !/^\/(dev|proc|sys)\//.test(target.value);
        }));
    if (harmless) {
      return { text, decision: 'allow', stage: 'read-only', rule: 'redirection', why: 'it changes no file' };
    }
    return this.#approvedOrAsked(text, reads ? `it reads from \`${text}\`` : `it writes to a file: \`${text}\``);
  }

  #assignment(fact: AssignmentFact): PolicyPart {
    const { name } = fact.assigned;
    if (/^[a-z_][a-z0-9_]*$/.test(name) && !TELLING_VARIABLE.test(name)) {
      return {
        text: fact.source,
        decision: 'allow',
        stage: 'read-only',
        rule: 'variable',
        why: 'it sets a variable of the line',
      };
    }
    return this.#approvedOrAsked(fact.source, `it sets ${name}, which other programs may heed`);
  }

  #approvedOrAsked(text: string, why: string): PolicyPart {
    return this.#context.autoApprove
      ? {
          text,
          decision: 'allow',
          stage: 'auto-approve',
          rule: 'auto-approve',
          why: 'terminal commands are approved automatically',
        }
      : { text, decision: 'ask', stage: 'ask', rule: 'ask', why };
  }
}

function hardPart(text: string, { rule, why }: HardDeny): PolicyPart {
  return { text, decision: 'deny', stage: 'hard-deny', rule, why };
}

function userDenial(text: string, pattern: string): PolicyPart {
  return {
    text,
    decision: 'deny',
    stage: 'user-deny',
    rule: pattern,
    why: `the deny pattern \`${pattern}\` matches it`,
  };
}
