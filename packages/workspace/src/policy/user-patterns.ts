import type { RE2JS } from 're2js';

/** A pattern of the user that is not in force. */
export interface PatternDiagnostic {
  list: 'allow' | 'deny';
  pattern: string;
  /** What is wrong with it, for a person. */
  message: string;
}

interface Compiled {
  source: string;
  expression: RE2JS;
}

/** A longer pattern, or one of more steps, would take too long on a long line even in linear time. */
const MAX_PATTERN = 2_000;
const MAX_PROGRAM = 1_500;

/**
 * The user's allow or deny list. The patterns run on RE2's algorithm (`re2js`), which takes time in proportion to the
 * text for every pattern, so that none can hang the policy; look-around and back-references do not exist there and are
 * reported like any other error. Written for JavaScript otherwise: `\b`, `\d`, `(?:…)`, `(?i)`.
 */
export class UserPatterns {
  readonly diagnostics: readonly PatternDiagnostic[];
  readonly #patterns: readonly Compiled[];

  private constructor(patterns: readonly Compiled[], diagnostics: readonly PatternDiagnostic[]) {
    this.#patterns = patterns;
    this.diagnostics = diagnostics;
  }

  /** Never throws: what is no pattern is left out and reported. */
  static async compile(list: 'allow' | 'deny', sources: readonly unknown[]): Promise<UserPatterns> {
    const patterns: Compiled[] = [];
    const diagnostics: PatternDiagnostic[] = [];
    if (sources.length === 0) return new UserPatterns(patterns, diagnostics);
    const { RE2JS: engine } = await import('re2js');
    for (const source of sources) {
      const report = (message: string): void => {
        diagnostics.push({ list, pattern: typeof source === 'string' ? source : JSON.stringify(source), message });
      };
      if (typeof source !== 'string') report('It is no text.');
      else if (source.length > MAX_PATTERN) report(`It is longer than ${MAX_PATTERN} characters.`);
      else if (source.trim() === '') report('It is empty and would match every command.');
      else {
        try {
          const expression = engine.compile(source, engine.LONGEST_MATCH);
          if (expression.programSize() > MAX_PROGRAM)
            report('It repeats too much: make its counted repetitions smaller.');
          else patterns.push({ source, expression });
        } catch (error) {
          report(explain(error));
        }
      }
    }
    return new UserPatterns(patterns, diagnostics);
  }

  /** There is no pattern that could match. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** The first pattern found anywhere in one of the texts. */
  find(texts: readonly string[]): string | undefined {
    return this.#patterns.find(({ expression }) => texts.some((text) => expression.test(text)))?.source;
  }

  /**
   * Patterns that match a command from its beginning and end where a word ends: `^git log` takes in `git log -p`, but
   * neither `git logout` nor `git log-tree`.
   */
  leading(text: string): string[] {
    return this.#patterns.filter(({ expression }) => endsAtWord(expression, text)).map(({ source }) => source);
  }
}

function endsAtWord(expression: RE2JS, text: string): boolean {
  const matcher = expression.matcher(text);
  if (!matcher.lookingAt()) return false;
  const end = matcher.end();
  const next = text[end];
  if (next === undefined) return true;
  const inName = !/\s/.test(text.slice(0, end));
  if (inName) return /\s/.test(next);
  return !/[A-Za-z0-9_-]/.test(next) || !/[A-Za-z0-9_]/.test(text[end - 1] ?? '');
}

/**
 * Whether a pattern names a word itself, so that it was written with it in mind: `^find .* -delete` names `-delete`,
 * `^find\b` does not.
 */
export function namesWord(pattern: string, word: string): boolean {
  if (word === '') return false;
  const text = pattern.replace(/\\([^A-Za-z0-9])/g, '$1');
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? '';
    const after = text[at + word.length] ?? '';
    if (!/[A-Za-z0-9_-]/.test(before) && (word.endsWith('=') || !/[A-Za-z0-9_-]/.test(after))) return true;
  }
  return false;
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = /\(\?[!=<]/.test(message) ? ' Look-around is not supported: it could hang.' : '';
  return `It is no regular expression: ${message}.${hint}`;
}
