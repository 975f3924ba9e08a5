import { cleanPath, looksLikePath } from '../code/file-kind.ts';
import type { LineRange, Target } from './request.ts';
import type { Said } from './said.ts';
import { isName, readSubject } from './subject.ts';

const PROJECT =
  /^(?:(?:this|the|my|our)\s+)?(?:whole\s+|entire\s+)?(?:project|repo|repository|codebase|code base|code|app|application|program|workspace|package|folder|directory)(?:\s+here)?$/iu;
const ARTICLES =
  /^(?:(?:the|a|an|this|that|my|our)\s+)?(?:(?:file|function|method|class|type|interface|struct|module|symbol|variable|constant|component|hook|folder|directory)\s+)?/iu;
const KIND_AFTER =
  /\s+(?:file|function|method|class|type|interface|struct|module|symbol|variable|constant|component|hook|folder|directory|command)$/iu;

/** What is to be explained; undefined where the phrase names nothing. */
export function readTarget(said: Said, phrase: string): Target | undefined {
  if (PROJECT.test(phrase.trim())) return { of: 'project' };
  const bare = phrase.trim().replace(ARTICLES, '').replace(KIND_AFTER, '');
  const { text, quoted } = said.open(bare || phrase);
  if (looksLikePath(text)) return { of: 'path', path: cleanPath(text) };
  const name = asSymbol(text);
  if (name && (quoted || isName(text) || /^\p{Lu}/u.test(text))) return { of: 'symbol', ...splitOwner(name) };
  const subject = readSubject(said, phrase);
  if (!subject) return undefined;
  if (subject.file && subject.words.length + subject.names.length === 0) return { of: 'path', path: subject.file };
  const [only, ...others] = [...subject.names, ...subject.words, ...subject.phrases];
  if (only && others.length === 0 && subject.names.length === 1) return { of: 'symbol', ...splitOwner(only) };
  return { of: 'words', subject };
}

/** One name to follow through the code, or undefined where the phrase is no single name. */
export function readSymbol(said: Said, phrase: string): string | undefined {
  const bare = phrase.trim().replace(ARTICLES, '').replace(KIND_AFTER, '');
  const { text } = said.open(bare || phrase);
  if (looksLikePath(text)) return cleanPath(text);
  return asSymbol(text);
}

/** The same, but a plain word with an article, as in `the title`, is prose and names nothing; `the function title` does. */
export function readNamed(said: Said, phrase: string): string | undefined {
  const symbol = readSymbol(said, phrase);
  if (symbol === undefined || PRONOUN.test(symbol)) return undefined;
  const isPlain = /^\p{Ll}+$/u.test(phrase.trim().replace(ARTICLE, ''));
  return ARTICLE.test(phrase.trim()) && isPlain ? undefined : symbol;
}

const ARTICLE = /^(?:the|an?|this|that|my|our)\s+/iu;
const PRONOUN = /^(?:it|this|that|them|these|those|they|everything|something|anything|you|me)$/iu;

/** `save()` is save; undefined for anything with a space or an operator in it. */
function asSymbol(text: string): string | undefined {
  const name = text.trim().replace(/\([\w$,. ]*\)$/, '');
  return /^[#@]?[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:(?:\.|::|#|->|-)[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*[?!]?$/u.test(name)
    ? name
    : undefined;
}

function splitOwner(name: string): { name: string; owner?: string } {
  const cut = /^(.+)(?:\.|::|#|->)([^.:#>]+)$/u.exec(name);
  return cut ? { name: cut[2]!, owner: cut[1]!.split(/\.|::|#|->/).at(-1)! } : { name };
}

/** A path with an optional `:10-20`, `#L10-L20` at its end. */
export function readPath(said: Said, phrase: string): { path: string; lines?: LineRange } | undefined {
  const bare = phrase
    .trim()
    .replace(/^(?:the\s+)?(?:(?:contents?|text|source)\s+of\s+)?(?:the\s+)?(?:file\s+)?/iu, '')
    .replace(/\s+file$/iu, '');
  const { text, quoted } = said.open(bare);
  const found = /^(.+?)(?::(\d{1,7})(?:[-–:](\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/u.exec(text);
  const path = found ? found[1]! : text;
  if (!(looksLikePath(path) || (quoted && looksLikePath(path.replaceAll(' ', '_'))))) return undefined;
  const lines = found ? lineRange(found[2] ?? found[4], found[3] ?? found[5]) : undefined;
  return { path: cleanPath(path), ...(lines ? { lines } : {}) };
}

/** Line numbers as they were written, in either order; one alone is a range of one. */
export function lineRange(from: string | undefined, to: string | undefined): LineRange | undefined {
  if (from === undefined) return undefined;
  const ends = [Math.max(1, Number(from)), Math.max(1, Number(to ?? from))].sort((a, b) => a - b);
  return { from: ends[0]!, to: ends[1]! };
}
