import type { GrepQuery } from '../ask.ts';
import type { Subject } from '../grammar/subject.ts';
import type { Term } from './rank.ts';
import { relatives, splitWords, stem } from './words.ts';

/** The terms of a subject, in its own order. */
export function termsOf(subject: Subject): Term[] {
  return [
    ...subject.phrases.map((text): Term => ({ text, kind: 'phrase', stem: text, relatives: [] })),
    ...subject.names.map((text): Term => ({ text, kind: 'name', stem: text, relatives: [] })),
    ...subject.words.map((text): Term => ({ text, kind: 'word', stem: stem(text), relatives: relatives(stem(text)) })),
  ];
}

/** The searches that bring up every line that may matter, one for each term; each result is cut by itself. */
export function searchesFor(terms: readonly Term[], path: string | undefined): GrepQuery[] {
  const scope = path ? { path } : {};
  const queries: GrepQuery[] = [];
  for (const term of terms) {
    if (term.kind === 'phrase') queries.push({ pattern: term.text, literal: true, ignore_case: true, ...scope });
    if (term.kind === 'name') queries.push({ pattern: spellings(term.text), ignore_case: true, ...scope });
  }
  const words = terms.filter((term) => term.kind === 'word').slice(0, 6);
  for (const word of words) queries.push({ pattern: piece(word.stem), ignore_case: true, ...scope });
  return queries;
}

/** Narrower searches for where those were cut: lines that hold two of the words, or that define one. */
export function narrowerSearches(terms: readonly Term[], path: string | undefined): GrepQuery[] {
  const scope = path ? { path } : {};
  const words = terms.filter((term) => term.kind === 'word').map((term) => piece(term.stem));
  if (words.length === 1) return [{ pattern: `(?:${DEFINING})\\s+\\w*${words[0]}`, ignore_case: true, ...scope }];
  const pairs = words.flatMap((one, at) =>
    words.slice(at + 1).flatMap((other) => [`${one}.*${other}`, `${other}.*${one}`]),
  );
  return pairs.length > 0 ? [{ pattern: pairs.slice(0, 30).join('|'), ignore_case: true, ...scope }] : [];
}

/** A second, wider search: what a phrase or name is made of, and the relatives of words. */
export function widerSearches(
  terms: readonly Term[],
  path: string | undefined,
): { terms: Term[]; queries: GrepQuery[] } {
  const scope = path ? { path } : {};
  const split = terms.flatMap((term): Term[] => {
    if (term.kind === 'word') return [term];
    const words = splitWords(term.text).filter((word) => word.length > 2);
    return [...new Set(words)]
      .slice(0, 5)
      .map((text) => ({ text, kind: 'word', stem: stem(text), relatives: relatives(stem(text)) }));
  });
  const queries = split.flatMap((term) => {
    const stems = terms.includes(term) ? term.relatives : [term.stem, ...term.relatives];
    return stems.length > 0 ? [{ pattern: stems.map(piece).join('|'), ignore_case: true as const, ...scope }] : [];
  });
  return { terms: split, queries };
}

const DEFINING =
  'class|function|def|fn|func|fun|interface|type|struct|enum|trait|const|let|var|module|namespace|record|object|sub';

/** A name in any of the ways to join its parts: `saveNote`, `save_note`, `save-note`. */
function spellings(name: string): string {
  const parts = name.match(
    /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu,
  ) ?? [name];
  let out = '';
  for (const [at, part] of parts.entries()) {
    if (/^[_-]+$/.test(part) && at > 0 && at < parts.length - 1) continue;
    const joins = at > 0 && /[\p{L}\p{N}\p{M}]$/u.test(out) && /^[\p{L}\p{N}]/u.test(part);
    out += (joins ? '[_-]?' : '') + escapePattern(part);
  }
  return out;
}

/** A stem as a pattern; a short one must begin a word, or half the code would match. */
function piece(text: string): string {
  const escaped = escapePattern(text);
  return /^[a-z0-9]{1,3}$/.test(text) ? `(?:\\b|_)${escaped}` : escaped;
}

/** Text as a pattern for itself, in the syntax that ripgrep and JavaScript share. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
