const VOWELS = new Set([...'aeiouy']);

/**
 * The part of an English word that its relatives share: `parse`, `parses`, `parsed`, `parsing` are all `pars`. Lighter
 * than Porter's: it only has to bring a question's word and an identifier's part together.
 * @param word in small letters.
 */
export function stem(word: string): string {
  const base = withoutEnding(singular(word));
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) {
    return word;
  }
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutEnding(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  for (const ending of ['ing', 'ed']) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    return rest.length > 2 && hasVowel(rest) ? withoutDouble(rest) : word;
  }
  return word;
}

function hasVowel(word: string): boolean {
  for (const letter of word) if (VOWELS.has(letter)) return true;
  return false;
}

/** `stopp` of `stopped` is `stop`; `call` and `miss` are whole. */
function withoutDouble(word: string): string {
  const last = word.at(-1)!;
  return last === word.at(-2) && !'lsz'.includes(last) && !VOWELS.has(last) ? word.slice(0, -1) : word;
}
