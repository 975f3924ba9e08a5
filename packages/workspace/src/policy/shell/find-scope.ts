import type { Field } from './facts.ts';
import { activateGlobs, SOME, STAR, withGlobs } from './markers.ts';

/** Predicates of `find` that leave over only some of the files; a pattern must be more than wildcards. */
function isNarrowed(words: readonly Field[]): boolean {
  const values = words.map(({ value }) => value);
  if (values.some((value) => /^(-o|-or|,|!|-not)$/.test(value))) return false;
  return values.some((value, index) =>
    /^-i?(name|path|wholename|regex|lname)$/.test(value)
      ? /[A-Za-z0-9_]{2}/.test(values[index + 1] ?? '')
      : value === '-empty',
  );
}

/** Where a `find` starts, and whether it takes nearly everything below. */
export function findScope(words: readonly Field[]): { roots: readonly Field[]; sweeping: boolean } {
  const start = words.findIndex(({ value }) => !/^-([HLPD]|O\d)/.test(value));
  const from = start < 0 ? words : words.slice(start);
  const end = from.findIndex(({ value }) => /^[-(!,]/.test(value));
  const roots = end < 0 ? from : from.slice(0, end);
  return {
    roots: roots.length > 0 ? roots : [{ value: '.', source: '.', literal: true }],
    sweeping: !isNarrowed(words),
  };
}

/** What a `find` finds, as patterns: for nearly everything below a root the root, its files, and anything below. */
export function foundItems(words: readonly Field[]): string[] {
  const { roots, sweeping } = findScope(words);
  const patterns = sweeping ? undefined : alternatives(words.map(({ value }) => withGlobs(value)));
  return roots.flatMap(({ value }) => {
    const base = value.replace(/\/+$/, '');
    if (sweeping) return [value, `${base}/${STAR}`, `${base}/${SOME}`];
    return (patterns ?? [SOME]).map((pattern) => `${base}/${pattern}`);
  });
}

/** The patterns of `-name`, if every alternative of the expression has one. */
function alternatives(values: readonly string[]): readonly string[] | undefined {
  const found: string[] = [];
  let named = false;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as string;
    if (/^(-o|-or|,)$/.test(value)) {
      if (!named) return undefined;
      named = false;
    } else if (/^(-i?name|-i?path|-i?wholename)$/.test(value) && !/^(!|-not)$/.test(values[at - 1] ?? '')) {
      const pattern = (values[at + 1] ?? '').replace(/^.*\//, '');
      if (/path|wholename/.test(value) && /[*?[]/.test(pattern)) return undefined;
      found.push(activateGlobs(value.startsWith('-i') ? pattern.toLowerCase() : pattern));
      named = true;
    }
  }
  return named ? found : undefined;
}
