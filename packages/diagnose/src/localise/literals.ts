import { type GrepLine, grep } from '@black-ide/workspace';

/** A text of a report that stands somewhere in the code as it is. */
export interface LiteralHit {
  path: string;
  line: number;
  /** 1 where no other file has it. */
  weight: number;
}

const SHORTEST = 8;
const LONGEST = 120;
const MOST_TEXTS = 16;
const MOST_MATCHES = 400;
/** A text that so many files have tells nothing. */
const MOST_FILES = 12;
/** What stands in a message where the code has a placeholder. */
const VARIABLE =
  /\$\{[^}]*\}|\{[^}]*\}|%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]|["'`‘’“”«»][^"'`‘’“”«»]*["'`‘’“”«»]|<[^>]*>|0x[\da-f]+|\b\d+(?:[.,:]\d+)*\b|(?:[\w.-]*\/)+[\w.-]*|\[[^\]]*\]|\([^)]*\)/gi;
const ERROR_NAME =
  /^(?:Uncaught |Error: |[\w$.]+(?:Error|Exception|Failure|Warning)(?: \[\w+\])?: |panic: |fatal: |error: )+/i;

/** Cuts what errors and quotes say where the code would have something else each time; the longest pieces first. */
export function literalsOf(quotes: readonly string[]): string[] {
  const pieces = quotes.flatMap((quote) => {
    const said = quote.replace(ERROR_NAME, '').trim();
    const whole = said.length <= LONGEST ? [said] : [];
    return [...whole, ...said.split(VARIABLE)];
  });
  const useful = pieces
    .map((piece) => piece.replace(/^[\s.,:;!?—–-]+|[\s.,:;!?—–-]+$/g, '').replace(/\s+/g, ' '))
    .filter(
      (piece) => piece.length >= SHORTEST && piece.length <= LONGEST && /\p{L}{3}/u.test(piece) && isTelling(piece),
    );
  return [...new Set(useful)].sort((x, y) => y.length - x.length).slice(0, MOST_TEXTS);
}

/** Several words, or a word that is no plain one. */
function isTelling(piece: string): boolean {
  return /\S\s+\S+\s+\S/.test(piece) || /[_\-.:/]\w|\p{Ll}\p{Lu}/u.test(piece);
}

/** Finds such texts in the files of a repository. @throws the signal's reason; see `grep`. */
export async function findLiterals(
  root: string,
  quotes: readonly string[],
  signal: AbortSignal,
): Promise<LiteralHit[]> {
  const texts = literalsOf(quotes);
  if (texts.length === 0) return [];
  const pattern = texts
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&').replaceAll(' ', '\\s+'))
    .join('|');
  const { lines } = await grep({ root, pattern, ignoreCase: true, maxMatches: MOST_MATCHES, signal });
  return texts.flatMap((text) => hitsOf(text, lines));
}

function hitsOf(text: string, lines: readonly GrepLine[]): LiteralHit[] {
  const wanted = text.toLowerCase();
  const having = lines.filter((line) => line.text.toLowerCase().replace(/\s+/g, ' ').includes(wanted));
  const files = new Set(having.map(({ path }) => path));
  if (files.size === 0 || files.size > MOST_FILES) return [];
  const length = Math.min(1, text.length / 24);
  return having.map(({ path, line }) => ({ path, line, weight: length / Math.sqrt(files.size) }));
}
