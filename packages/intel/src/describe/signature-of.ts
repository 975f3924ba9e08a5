import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { CodeSymbol } from '../graph/code-graph-api.ts';
import type { SymbolKind } from '../parsing/file-facts.ts';

/** A signature over more lines is cut there. */
const MOST_LINES = 12;

/** A comment behind the code of a line. */
const COMMENT = /\s(?:\/\/|#)\s.*$/;
/** A test that is a call has its name for a signature. */
const TEST = /^((?:it|test|describe|context|specify)(?:\.\w+)*\s*\((['"`]).*?\2),/;
const VALUES: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'field', 'property']);
const LONG_VALUE = 60;
/** Of a minified file a line may be all of it. */
const LONGEST = 300;

/**
 * The declaration of a symbol on one line, without its body and its decorators. It is read from the file: undefined where
 * the file cannot be read any more, or has changed so that the name is not there.
 */
export function signatureOf(intel: Pick<CodeIntelligence, 'lines'>, symbol: CodeSymbol): string | undefined {
  const { path, name, nameLine, signatureEndLine } = symbol;
  const last = Math.min(Math.max(nameLine, signatureEndLine), nameLine + MOST_LINES - 1);
  const lines = intel.lines(path, nameLine, last);
  if (!lines?.[0]?.includes(name)) return undefined;
  const test = TEST.exec(lines[0].slice(0, LONGEST).trim())?.[1];
  if (test) return `${test})`;
  const declared = withoutBody(lines.map((line) => line.slice(0, LONGEST).replace(COMMENT, '').trim()).join(' '));
  // Of a long value only the name and the type are a signature.
  const value = VALUES.has(symbol.kind) && declared.length > LONG_VALUE ? declared.indexOf(' = ') : -1;
  const signature = value > 0 ? declared.slice(0, value) : declared;
  return signature.length > LONGEST ? `${signature.slice(0, LONGEST - 1).toWellFormed()}…` : signature;
}

/** `export function f(a: A): B` of `export function f(a: A): B { return g(a); }`. */
function withoutBody(text: string): string {
  const whole = text
    .replace(/\/\*.*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();
  const cut = /\}[;,]?$/.test(whole) ? whole.slice(0, openingOfLast(whole)) : whole.replace(/\{$/, '');
  const bare = cut.replace(/(?:\s*(?:=>|[=:;,]|\bdo\b|\bthen\b))*\s*$/, '');
  return bare === '' ? whole : bare;
}

/** Where the block begins that ends the text. */
function openingOfLast(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === '}') depth += 1;
    else if (text[at] === '{' && --depth === 0) return at;
  }
  return text.length;
}
