import type { CommandFact, Field } from './shell/facts.ts';
import { isGlob, isUnknown } from './shell/markers.ts';
import { programName } from './shell/wrappers.ts';

/** "Allow this from now on", as it is saved: a simple command, or what it begins with. */
export interface PrefixRule {
  /** The words that a command must begin with, or with `exact` all of its words. */
  words: readonly string[];
  /** Options that may stand behind them: those of the command that was shown. */
  options: readonly string[];
  /** No further word may follow. */
  exact: boolean;
  /** The folder it runs in, absolute: the same words mean another script elsewhere. */
  folder: string;
}

/**
 * Programs whose first words say what is done; what follows are names of files, tests or packages of the project. Those
 * whose further words are targets, tasks, goals or commands again (`make`, `just`, `mvn`, `gradle`, `zig build`, `go
 * mod`) are none of them: `make lint` must not let `make lint deploy` run.
 */
const VERBS: readonly (readonly [program: RegExp, verbs: RegExp, words: number])[] = [
  [/^(npm|pnpm|yarn|bun)$/, /^(run|run-script)$/, 3],
  [/^(npm|pnpm|yarn|bun)$/, /^(test|t|ls|list|outdated|why|lint|build|format|typecheck)$/, 2],
  [/^git$/, /^(add|commit|status|diff|log|show)$/, 2],
  [/^git$/, /^fetch$/, 3],
  [/^cargo$/, /^(build|test|check|clippy|fmt|doc|bench|tree)$/, 2],
  [/^go$/, /^(build|test|vet|fmt|list)$/, 2],
  [/^(dotnet|mix|swift|stack|cabal|deno)$/, /^(build|test|check|fmt|lint|format)$/, 2],
  [/^(bazel|buck2)$/, /^(build|test)$/, 2],
  [/^ruff$/, /^(check|format)$/, 2],
  [/^biome$/, /^(check|lint|format|ci)$/, 2],
  [/^vitest$/, /^(run|related)$/, 2],
];
/** Programs that check and build, and do nothing else, whatever words they are given: they have no commands. */
const CHECKERS =
  /^(pytest|mypy|flake8|pylint|tsc|eslint|prettier|jest|mocha|stylelint|rubocop|rspec|phpunit|ctest|shellcheck|gofmt|rustfmt|clang-format|clang-tidy)$/;
/** A word that names something in the project: no option, no address, no way out, nothing a program reads a meaning into. */
const NAME = /^[A-Za-z0-9_@][\w./@ ,-]*$/;

/**
 * The rule that would let this command run from now on; undefined where none may be offered, because it runs another
 * command, sets variables, or has words that are not known beforehand.
 */
export function prefixRuleFor(fact: CommandFact): PrefixRule | undefined {
  const [folder] = fact.cwds;
  if (!isPlain(fact) || folder === undefined) return undefined;
  const values = fact.words.map(({ value }) => value);
  const length = prefixLength(fact.words);
  const rest = values.slice(length ?? values.length);
  if (length === undefined || !rest.every((value) => value.startsWith('-') || isName(value))) {
    return { words: values, options: [], exact: true, folder };
  }
  return {
    words: values.slice(0, length),
    options: rest.filter((value) => value.startsWith('-')),
    exact: false,
    folder,
  };
}

/** Whether the rule lets this very command run. Redirections, substitutions and neighbours are judged beside it. */
export function matchesPrefixRule(rule: PrefixRule, fact: CommandFact): boolean {
  if (!isPlain(fact) || fact.cwds[0] !== rule.folder) return false;
  const values = fact.words.map(({ value }) => value);
  // A rule that was saved when more of its kind were open counts as it would be offered today.
  const exact = rule.exact || prefixLength(fact.words) !== rule.words.length;
  if (exact ? values.length !== rule.words.length : values.length < rule.words.length) return false;
  if (!rule.words.every((word, index) => values[index] === word)) return false;
  return values.slice(rule.words.length).every((value) => rule.options.includes(value) || isName(value));
}

/** For a person: `npm run build …`. */
export function prefixRuleText({ words, options, exact }: PrefixRule): string {
  const text = [...words, ...options].map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  return exact ? text : `${text} …`;
}

/** Whether a value that was read from a file or a log is a rule. */
export function isPrefixRule(value: unknown): value is PrefixRule {
  if (typeof value !== 'object' || value === null) return false;
  const { words, options, exact, folder } = value as Record<string, unknown>;
  const areTexts = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item === 'string');
  const isList = areTexts(words) && (words as string[]).length > 0 && areTexts(options);
  return isList && typeof exact === 'boolean' && typeof folder === 'string';
}

function isPlain({ words, assignments, wrapper, sweeping, moreOperands, speculative, cwds }: CommandFact): boolean {
  if (cwds.length !== 1 || assignments.length > 0 || wrapper || sweeping || moreOperands || speculative) return false;
  return words.every(({ value }) => value !== '' && !isUnknown(value) && !isGlob(value));
}

/** How many words say what is done; undefined where only the whole command does. */
function prefixLength(words: readonly Field[]): number | undefined {
  const [name, verb, target] = words;
  if (!name?.literal) return undefined;
  const program = programName(name);
  if (CHECKERS.test(program) && /^[\w.-]+$/.test(name.value)) return 1;
  const [, , length] = VERBS.find(([names, verbs]) => names.test(program) && verbs.test(verb?.value ?? '')) ?? [];
  if (length === 3 && !(target && isName(target.value))) return undefined;
  return length;
}

function isName(value: string): boolean {
  return NAME.test(value) && !value.split(/[/ ]/).includes('..');
}
