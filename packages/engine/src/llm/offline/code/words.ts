/** Parts of identifiers and words: `parseHTTPBody_v2` is parse, http, body, v, 2. Letters without case stay together. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu;

export function splitWords(text: string): string[] {
  return Array.from(text.matchAll(PART), (match) => match[0].toLowerCase());
}

const VOWEL = /[aeiouy]/;

/** Words whose form the rules below would get wrong. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ...['thrown', 'threw'].map((word) => [word, 'throw'] as const),
  ...['write', 'writes', 'written', 'wrote', 'writing', 'writer'].map((word) => [word, 'writ'] as const),
  ...['use', 'uses', 'used', 'using', 'usage'].map((word) => [word, 'use'] as const),
  ...['setting', 'settings'].map((word) => [word, 'setting'] as const),
  ...['built', 'builds'].map((word) => [word, 'build'] as const),
  ...['validate', 'validates', 'validated', 'validating', 'validation', 'validator', 'validators', 'validity'].map(
    (word) => [word, 'valid'] as const,
  ),
  ['cookies', 'cooki'],
  ['movies', 'movi'],
  ['taken', 'take'],
  ['took', 'take'],
  ['held', 'hold'],
  ['given', 'give'],
  ['caught', 'catch'],
  ['sent', 'send'],
  ['kept', 'keep'],
  ['chosen', 'choos'],
  ['hidden', 'hide'],
  ['drawn', 'draw'],
  ['shown', 'show'],
  ['ran', 'run'],
]);

/** Endings, longest first, with what takes their place. */
const ENDINGS: readonly (readonly [ending: string, instead: string, leastLeft: number])[] = [
  ['ation', 'at', 3],
  ['ating', 'at', 3],
  ['ator', 'at', 3],
  ['ated', 'at', 3],
  ['ate', 'at', 3],
  ['ied', 'y', 2],
  ['ing', '', 3],
  ['ion', '', 4],
  ['ed', '', 3],
  ['er', '', 4],
  ['e', '', 4],
];

/**
 * The part of an English word that its relatives share: created, creates, creation and creator are all
 * `creat`. Deliberately light: it only has to bring a question's word and an identifier's part together.
 */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  const known = IRREGULAR.get(lower);
  if (known) return known;
  if (!/^[a-z]{4,}$/.test(lower)) return lower;
  let base = singular(lower);
  const found = ENDINGS.find(([ending, instead, least]) => {
    const left = base.length - ending.length + instead.length;
    return base.endsWith(ending) && left >= least && VOWEL.test(base.slice(0, -ending.length));
  });
  if (found) base = tidy(base.slice(0, -found[0].length) + found[1], found[0]);
  return base.length > 3 && base.endsWith('y') ? base.slice(0, -1) : base;
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^suia]s$/.test(word) ? word.slice(0, -1) : word;
}

/** After an ending: `stopp` is stop, `sav` is save. */
function tidy(base: string, ending: string): string {
  if (ending !== 'ing' && ending !== 'ed') return base;
  if (base.length > 3 && /([bdfgmnprt])\1$/.test(base)) return base.slice(0, -1);
  return base.length === 3 && /^[^aeiou][aeiou][^aeiouwxy]$/.test(base) ? `${base}e` : base;
}

/** Words that may stand for one another in code, by stem; the first finds the others, and they count for less. */
const RELATIVES: readonly (readonly string[])[] = [
  ['valid', 'check', 'verif', 'ensur', 'assert', 'invalid'],
  ['save', 'stor', 'persist', 'writ'],
  ['delet', 'remov', 'destroy', 'drop'],
  ['creat', 'add', 'make', 'insert', 'new'],
  ['load', 'read', 'fetch', 'get'],
  ['throw', 'rais', 'error', 'panic'],
  ['start', 'boot', 'launch', 'init', 'main', 'listen'],
  ['login', 'signin', 'auth'],
  ['config', 'setting', 'option', 'preferenc'],
  ['send', 'post', 'dispatch', 'emit'],
  ['show', 'render', 'draw', 'display', 'print'],
  ['format', 'render', 'print', 'stringif'],
  ['pars', 'decod', 'read'],
  ['updat', 'edit', 'chang', 'patch'],
  ['search', 'find', 'quer', 'lookup'],
  ['sort', 'order', 'compar'],
  ['build', 'make', 'creat', 'construct', 'assembl', 'compos'],
  ['report', 'warn', 'error', 'notif'],
];

/** Stems that mean nearly the same in code; never the stem itself. */
export function relatives(word: string): string[] {
  const found = RELATIVES.filter((group) => group.includes(word)).flat();
  return [...new Set(found)].filter((each) => each !== word);
}

/**
 * How well a text's part answers a stem: 1 for the same word, less for one that only begins alike (`note` in `notebook`),
 * 0 for none.
 */
export function partMatches(part: string, wanted: string): number {
  if (part === wanted || stem(part) === wanted) return 1;
  if (wanted.length >= 3 && part.startsWith(wanted)) return part.length - wanted.length <= 4 ? 0.8 : 0.4;
  return 0;
}

/** True for a character that continues a word or identifier, in any script. */
export function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /^[\p{L}\p{M}\p{N}_$]/u.test(char);
}
