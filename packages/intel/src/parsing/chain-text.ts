import type { LanguageSpec } from './language-spec.ts';

/** For an expression that is no chain of names and calls. */
export const NO_CHAIN = '?';

/** Longer texts are not looked through: nobody follows such a chain. */
const MAX_LENGTH = 1_000;
const PLAIN = /^[\p{L}_$#@][\p{L}\p{N}_$]*(?:\.[\p{L}_$#@][\p{L}\p{N}_$]*)*$/u;
const PLAIN_ASCII = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
const NAME = /[\p{L}_$#@][\p{L}\p{N}_$]*/uy;
const SPACE = /\s*/y;
/** Between two names of a chain, in any of the languages: `.`, `?.`, `!.`, `::`, `->`, `&.`. */
const LINK = /\s*(?:[?!&]{0,2}\.{1,2}|::|\??->)\s*/y;
const PREFIX = /^(?:await|yield|new|co_await|try[!?]?)\s+/;

type ChainRules = Pick<LanguageSpec, 'selves' | 'keywords'>;

/**
 * An expression as a chain: names joined by dots, `()` for a call and `[]` for an index, without what is in the brackets.
 * `NO_CHAIN` for all others.
 */
export function chainOf(text: string, rules: ChainRules): string {
  if (PLAIN_ASCII.test(text)) return rules.keywords.has(firstName(text)) ? NO_CHAIN : withSelf(text, rules);
  const chain = readExpression(text, rules);
  return chain === undefined || text.slice(chain.end).trim() !== '' ? NO_CHAIN : chain.text;
}

/** The type of a value in the form of `BindingColumn.TYPE`; undefined where its text does not say it. */
export function typeOfValue(
  text: string,
  rules: ChainRules,
  typeOf: (text: string) => string | undefined,
): string | undefined {
  const trimmed = text.trim();
  if (PLAIN_ASCII.test(trimmed)) {
    return rules.keywords.has(firstName(trimmed)) ? undefined : `=${withSelf(trimmed, rules)}`;
  }
  const chain = readExpression(trimmed, rules);
  if (chain === undefined) return undefined;
  const rest = trimmed.slice(chain.end).trimStart();
  const cast = /^(?:as|satisfies|as!|as\?)\s+(?!const\b)/.exec(rest);
  if (cast) return typeOf(rest.slice(cast[0].length));
  if (rest !== '' && !/^(?:\?\?|\|\||or\b|as const\b|;)/.test(rest)) return undefined;
  if (chain.isNew && chain.text.endsWith('()') && chain.text.indexOf('()') === chain.text.length - 2) {
    return chain.text.slice(0, -2);
  }
  if (chain.isNew && !chain.text.includes('(')) return chain.text;
  return chain.text.endsWith('()') ? chain.text : `=${chain.text}`;
}

interface Chain {
  text: string;
  /** Where it ends in the text that was read. */
  end: number;
  isNew: boolean;
}

function readExpression(text: string, rules: ChainRules): Chain | undefined {
  if (text.length > MAX_LENGTH && !text.slice(0, MAX_LENGTH).includes('(')) return undefined;
  let at = skip(SPACE, text, 0);
  let isNew = false;
  for (;;) {
    const prefix = PREFIX.exec(text.slice(at, at + 40))?.[0];
    if (!prefix) break;
    isNew ||= prefix.startsWith('new');
    at += prefix.length;
  }
  const chain = readChain(text, at, rules);
  return chain && { ...chain, isNew: isNew || chain.isNew };
}

function readChain(text: string, from: number, rules: ChainRules): Chain | undefined {
  let at = from;
  let chain: string;
  let isNew = false;
  if (text[at] === '(') {
    const close = endOfBrackets(text, at);
    const inner = close < 0 ? undefined : readExpression(text.slice(at + 1, close - 1), rules);
    if (!inner || text.slice(at + 1 + inner.end, close - 1).trim() !== '') return undefined;
    chain = inner.text;
    isNew = inner.isNew;
    at = close;
  } else {
    const end = skip(NAME, text, at);
    chain = text.slice(at, end);
    if (end === at || rules.keywords.has(chain)) return undefined;
    at = end;
  }
  for (;;) {
    const bracket = openingAfter(text, at);
    if (bracket >= 0) {
      const close = endOfBrackets(text, bracket);
      if (close < 0) return undefined;
      chain += text[bracket] === '[' ? '[]' : '()';
      at = close;
      continue;
    }
    const link = skip(LINK, text, at);
    const end = link === at ? at : skip(NAME, text, link);
    if (end === link || link === at) break;
    chain += `.${text.slice(link, end)}`;
    at = end;
  }
  return { text: withSelf(chain, rules), end: text[at] === '!' ? at + 1 : at, isNew };
}

/** Where the brackets of a call or an index begin that follow directly, after type arguments or `?.` or `!`; -1 for none. */
function openingAfter(text: string, at: number): number {
  let next = at;
  if (text.startsWith('?.', next) && (text[next + 2] === '(' || text[next + 2] === '[')) next += 2;
  else if (text[next] === '!') next += 1;
  else if (text[next] === '<' || text.startsWith('::<', next)) {
    const close = endOfTypeArguments(text, text.indexOf('<', next));
    if (close < 0 || text[close] !== '(') return -1;
    next = close;
  }
  const character = text[next];
  return character === '(' || character === '[' || character === '`' ? next : -1;
}

function endOfTypeArguments(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length && at < open + 200; at += 1) {
    const character = text[at];
    if (character === '<') depth += 1;
    else if (character === '>' && text[at - 1] !== '=' && text[at - 1] !== '-') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (character === ';' || character === '"' || character === '(') return -1;
  }
  return -1;
}

/** Behind the bracket that closes the one at `open`; -1 where it is not closed soon. Strings and comments are skipped. */
function endOfBrackets(text: string, open: number): number {
  let depth = 0;
  const limit = Math.min(text.length, open + MAX_LENGTH);
  for (let at = open; at < limit; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 40 || character === 91 || character === 123) depth += 1;
    else if (character === 41 || character === 93 || character === 125) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (character === 34 || character === 39 || character === 96) {
      at = endOfString(text, at, limit);
      if (at < 0) return -1;
      if (depth === 0) return at + 1;
    } else if (character === 47 && text[at + 1] === '*') {
      at = text.indexOf('*/', at) + 1;
      if (at === 0) return -1;
    } else if (character === 47 && text[at + 1] === '/') {
      at = text.indexOf('\n', at);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** The place of the quote that closes the one at `open`. */
function endOfString(text: string, open: number, limit: number): number {
  const quote = text[open];
  for (let at = open + 1; at < limit; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function firstName(chain: string): string {
  const dot = chain.indexOf('.');
  return dot < 0 ? chain : chain.slice(0, dot);
}

function withSelf(chain: string, { selves }: ChainRules): string {
  const first = firstName(chain);
  // A variable of the object in Ruby.
  if (first.startsWith('@')) return `this.${first.replace(/^@+/, '')}${chain.slice(first.length)}`;
  const self = selves.get(first);
  return self === undefined ? chain : self + chain.slice(first.length);
}

/** Whether a text is names joined by dots and nothing else. */
export function isDottedName(text: string): boolean {
  return PLAIN.test(text);
}
