import { BlackError } from '@black-ide/protocol';

/** One thing that must occur. */
export interface SearchTerm {
  /** Global, ignoring case. */
  pattern: RegExp;
  /** What every line with a match holds, also in JSON's spelling; undefined where nothing is known of it. */
  hint: RegExp | undefined;
}

const TERM = /"([^"]*)"?|(\S+)/g;
/** Longer ones are as good as their beginning. */
const MOST_TERMS = 20;

/**
 * What a query asks for: `re:` and a regular expression, or words and `"phrases"`, all of which must occur. Case does
 * not matter, nor does what white space a phrase has between its words.
 * @throws BlackError `bad_query`.
 */
export function parseQuery(query: string): SearchTerm[] {
  const text = query.normalize('NFC').trim();
  if (/^re:/i.test(text)) return [{ pattern: expression(text.slice(3)), hint: undefined }];
  const words = [...text.matchAll(TERM)].map(([, phrase, word]) => (phrase ?? word ?? '').trim());
  const terms = words.filter((word) => word !== '').slice(0, MOST_TERMS);
  if (terms.length === 0) throw new BlackError('bad_query', 'There is nothing to search for.', 'Give a word.');
  return terms.map((term) => ({ pattern: literal(term), hint: hintOf(term) }));
}

function expression(source: string): RegExp {
  if (source.trim() === '') throw new BlackError('bad_query', 'There is nothing after re:.', 'Give an expression.');
  try {
    return new RegExp(source, 'giu');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BlackError('bad_query', reason, 'Put a \\ before characters that are meant as they are.');
  }
}

function literal(term: string): RegExp {
  const words = term.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(words.join('\\s+'), 'giu');
}

/** The longest run of letters and digits that no JSON writes in another way. */
function hintOf(term: string): RegExp | undefined {
  const runs = term.match(/[A-Za-z0-9]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest ? new RegExp(longest, 'iu') : undefined;
}
