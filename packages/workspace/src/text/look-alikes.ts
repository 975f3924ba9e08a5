/** Characters that people and models take for an ASCII one, beyond what NFKC already folds. */
const SINGLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": '\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u02c8\u00b4\uff07',
    '"': '\u201c\u201d\u201e\u201f\u2033\u2036\u02ba\uff02',
    '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d',
    ' ': '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
    // Nothing at all: soft hyphen, zero width space, word joiner, byte order mark.
    '': '\u00ad\u200b\u2060\ufeff',
  }).flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)),
);

/** Every kind of white space, and what has no width, that may stand unseen at a line's end. */
const BLANK = new Set([' ', '\t', ...[...SINGLE].filter(([, plain]) => plain.trim() === '').map(([other]) => other)]);

/**
 * What a character with its combining marks is compared as: quotes, dashes and spaces as their ASCII form, the rest in
 * Unicode's NFKC. For comparing only, never for writing.
 */
export function foldLookAlike(cluster: string): string {
  const single = SINGLE.get(cluster);
  if (single !== undefined) return single;
  let folded = '';
  for (const character of cluster.normalize('NFKC')) folded += SINGLE.get(character) ?? character;
  return folded;
}

/** Whether a character is unseen at a line's end, look-alikes of a space included. */
export function isBlankLookAlike(character: string): boolean {
  return BLANK.has(character);
}

/** A piece of text cut into characters with their combining marks. */
export const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
