import { ABBREVIATIONS } from './words/abbreviations.ts';
import { hashTerm } from './words/hash-term.ts';
import { splitWord, WORDS } from './words/split-word.ts';
import { stem } from './words/stem.ts';

/** A term that is looked for. */
export interface QueryTerm {
  hash: number;
  /** How much it counts beside the others. */
  weight: number;
  /** The word of the query that it comes from. */
  word: string;
}

/** What the short form of a word counts beside the word, and what two words count when they are written as one. */
const ABBREVIATION = 0.3;
const PAIR = 0.2;
/** Words that are looked at; a longer question is a text, and its beginning says enough. */
const MOST_WORDS = 200;

/**
 * The terms of a question: its words, split and stemmed as those of the code are; with less weight, their usual
 * abbreviations, and each two words in a row as one, since that is how a name has them. What more weights would bring
 * was measured (bench/intel/search-quality.ts) and is not worth its cost.
 */
export function parseQuery(text: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const extras = new Map<string, QueryTerm>();
  let before = '';
  for (const word of (text.match(WORDS) ?? []).slice(0, MOST_WORDS)) {
    const split = splitWord(word);
    for (const term of split) {
      const known = terms.get(term);
      if (known) known.weight++;
      else terms.set(term, { hash: hashTerm(term), weight: 1, word });
      for (const short of ABBREVIATIONS.get(term) ?? []) addExtra(short, ABBREVIATION, word);
    }
    const single = split.length === 1 ? word.toLowerCase() : '';
    if (before !== '' && single !== '') addExtra(stem(before + single), PAIR, word);
    before = single;
  }
  // That a word comes twice says more, but not twice as much.
  for (const term of terms.values()) term.weight = Math.sqrt(term.weight);
  for (const [term, extra] of extras) if (!terms.has(term)) terms.set(term, extra);
  return [...terms.values()];

  function addExtra(term: string, weight: number, word: string): void {
    if (!extras.has(term)) extras.set(term, { hash: hashTerm(term), weight, word });
  }
}
