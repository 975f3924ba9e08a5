/** One step of a name: `*`, or what one UTF-16 unit must be. */
type Token = 'star' | ((unit: number) => boolean);

/** A compiled part of a pattern, between two slashes. */
export type Segment = 'folders' | ((name: string) => boolean);

const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/** Named classes, for ASCII as in the C locale. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/**
 * Compiles a pattern of Git's ignore files, without its sign and slashes at either end, into its parts: `*`, `?`, classes
 * and backslashes inside a part, `**` as a part (`folders`, any number of them). Undefined for a pattern that can match
 * nothing, such as one with an open class. Semantics: Git's wildmatch with WM_PATHNAME, on UTF-16 units in place of bytes.
 */
export function compileGlob(pattern: string): Segment[] | undefined {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let literal = '';
  let stars = 0;
  const endSegment = (): void => {
    const isFolders = tokens.length === 1 && stars > 1;
    segments.push(isFolders ? 'folders' : matcherOf(tokens, literal));
    tokens = [];
    literal = '';
    stars = 0;
  };
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern[at]!;
    if (unit === '*') {
      stars++;
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (unit === '/' || (unit === '\\' && pattern[at + 1] === '/')) {
      if (unit === '\\') at++;
      endSegment();
    } else if (unit === '?') tokens.push(() => true);
    else if (unit === '[') {
      const parsed = parseClass(pattern, at);
      if (!parsed) return undefined;
      tokens.push(parsed.test);
      at = parsed.end;
    } else {
      if (unit === '\\') at++;
      const wanted = pattern.charCodeAt(at);
      if (Number.isNaN(wanted)) return undefined;
      literal += pattern[at]!;
      tokens.push((each) => each === wanted);
    }
  }
  endSegment();
  return segments;
}

/** Whether the parts of a pattern match the parts of a path. The greedy way is right and never slow. */
export function matchesGlob(segments: readonly Segment[], path: readonly string[]): boolean {
  const isOpen = segments.at(-1) === 'folders';
  // At the end of a pattern `**` stands for something, elsewhere perhaps for nothing.
  const fixed = isOpen ? segments.slice(0, -1) : segments;
  let [at, pattern, retryAt, retryPattern] = [0, 0, -1, -1];
  while (at < path.length || pattern < fixed.length) {
    const segment = fixed[pattern];
    if (segment === undefined && isOpen && at < path.length) return true;
    if (segment === 'folders') {
      [retryAt, retryPattern] = [at, ++pattern];
    } else if (segment !== undefined && at < path.length && segment(path[at]!)) {
      at++;
      pattern++;
    } else if (retryAt >= 0 && retryAt < path.length) {
      [at, pattern] = [++retryAt, retryPattern];
    } else return false;
  }
  return !isOpen;
}

function matcherOf(tokens: readonly Token[], literal: string): (name: string) => boolean {
  if (literal.length === tokens.length) return (name) => name === literal;
  if (tokens[0] === 'star' && literal.length === tokens.length - 1) return (name) => name.endsWith(literal);
  return (name) => matchesTokens(tokens, name);
}

/** The last star takes as little as possible, then one more whenever the rest fails. */
function matchesTokens(tokens: readonly Token[], name: string): boolean {
  let [at, token, retryAt, retryToken] = [0, 0, -1, -1];
  while (at < name.length || token < tokens.length) {
    const wanted = tokens[token];
    if (wanted === 'star') {
      [retryAt, retryToken] = [at, ++token];
    } else if (wanted !== undefined && at < name.length && wanted(name.charCodeAt(at))) {
      at++;
      token++;
    } else if (retryAt >= 0 && retryAt < name.length) {
      [at, token] = [++retryAt, retryToken];
    } else return false;
  }
  return true;
}

/** Reads a class from its `[`; undefined where it does not end. */
function parseClass(pattern: string, start: number): { test: (unit: number) => boolean; end: number } | undefined {
  const tests: ((unit: number) => boolean)[] = [];
  let at = start + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at++;
  let previous: number | undefined;
  // A `]` that comes first is one of the class.
  for (const first = at; at === first || pattern[at] !== ']'; at++) {
    const named = /^\[:([^\]]*):\]/.exec(pattern.slice(at, at + 20));
    if (named) {
      const known = NAMED[named[1]!];
      if (!known) return undefined;
      tests.push((unit) => known.test(String.fromCharCode(unit)));
      at += named[0].length - 1;
      previous = undefined;
      continue;
    }
    const isRange = pattern[at] === '-' && previous !== undefined && at + 1 < pattern.length && pattern[at + 1] !== ']';
    if (isRange) at++;
    if (pattern.charCodeAt(at) === BACKSLASH) at++;
    const unit = pattern.charCodeAt(at);
    if (Number.isNaN(unit)) return undefined;
    const from = isRange ? previous! : unit;
    tests.push((each) => each >= from && each <= unit);
    previous = isRange ? undefined : unit;
  }
  return { test: (unit) => unit !== SLASH && tests.some((test) => test(unit)) !== isNegated, end: at };
}
