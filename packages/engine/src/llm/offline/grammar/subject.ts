import { cleanPath, looksLikePath } from '../code/file-kind.ts';
import { splitWords } from '../code/words.ts';
import type { Said } from './said.ts';

/** What a search is for. */
export interface Subject {
  /** Quoted texts of more than one word: looked for as they stand. */
  phrases: string[];
  /** Names as they are written in code. */
  names: string[];
  /** Plain words, in lower case, without those that say nothing. */
  words: string[];
  /** What the question's verb asks for. */
  wants: 'definition' | 'throw' | 'any';
  /** A file or folder to look in. */
  place?: string;
  /** True where there were more words than a search takes. */
  dropped?: boolean;
  /** A file that is itself looked for. */
  file?: string;
}

const EMPTY = new Set(
  `a an the this that these those it its they them their my our your his her we you i he she one ones
  of in for to at on by with from into onto inside within under over and or but not if as than then so such per via
  is are was were be been being am do does did done doing has have had can could should would will shall may might must
  where what which who whom whose when why how there here
  all any some each every both other another same actually actual exact exactly currently really code codebase repo
  repository project program app application place places part parts thing things stuff line lines spot piece
  file files folder folders directory module modules function functions method methods class classes variable variables
  get gets got getting go goes going come comes coming happen happens happening take takes made put place live lives located
  find found look looks looking see me us please about something anything somewhere logic bit
  comment comments
  handled handles handle handling done call calls called occur occurs used uses using referenced`.split(/\s+/),
);
const DEFINITION = new Set(
  'defined define defines definition definitions declared declare declares declaration implemented implement implements implementation'.split(
    ' ',
  ),
);
const THROWING = new Set('thrown throw throws threw throwing raised raise raises rejected'.split(' '));
const KIND = /^(?:class|interface|type|struct|enum|trait|function|method|component|module|hook|constant)$/;
const PRONOUNS = new Set(['it', 'this', 'that', 'they', 'them', 'these', 'those']);

/** A search goes by so many words. */
const MOST_WORDS = 6;

/** Reads what a search is for; undefined where nothing in the phrase says it. */
export function readSubject(said: Said, phrase: string): Subject | undefined {
  const { phrase: body, place } = takePlace(said, phrase);
  const subject: Subject = { phrases: [], names: [], words: [], wants: 'any', ...(place ? { place } : {}) };
  const { quotes, rest } = said.split(body);
  for (const quote of quotes) {
    const text = quote.trim();
    if (text === '') continue;
    if (isName(text) || /^[\p{L}\p{N}_$]+$/u.test(text)) subject.names.push(text.replace(/\(\)$/, ''));
    else subject.phrases.push(text);
  }
  const tokens = rest.split(/\s+/u);
  for (const [at, raw] of tokens.entries()) {
    const token = raw.replace(/^[([{]+|[.,;:!?)\]}]+$/g, '') || raw;
    const lower = token.toLowerCase();
    if (DEFINITION.has(lower)) subject.wants = 'definition';
    else if (THROWING.has(lower)) subject.wants = 'throw';
    else if ((EMPTY.has(lower) && !completes(lower, tokens[at - 1])) || token === '') continue;
    else if (looksLikePath(token) && quotes.length === 0) subject.file = cleanPath(token);
    else if (/^--?[a-z][\w-]*$/i.test(token)) subject.phrases.push(token);
    else if (isName(raw) || isNamed(token, tokens, at)) subject.names.push(raw.replace(/\(.*\)$/, ''));
    else subject.words.push(...wordsOf(token));
  }
  const words = [...new Set(subject.words)];
  subject.words = words.slice(0, MOST_WORDS);
  if (words.length > MOST_WORDS) subject.dropped = true;
  subject.names = [...new Set(subject.names)].slice(0, 3);
  const found = subject.phrases.length + subject.names.length + subject.words.length > 0 || subject.file;
  return found ? subject : lastResort(subject, rest);
}

/** In `exit code` and `command line` a word that otherwise says nothing is half of the name of a thing. */
function completes(word: string, before: string | undefined): boolean {
  if (/^codes?$/.test(word))
    return /^(?:exit|status|error|return|char|key|op|byte|language|country|response|colou?r)$/i.test(before ?? '');
  return /^lines?$/.test(word) && /^(?:command|status|blank|empty|new|base)$/i.test(before ?? '');
}

/**
 * A question such as `where is x` or `where is the code` has only a letter, or words that say nothing: the last one is
 * better than none.
 */
function lastResort(subject: Subject, rest: string): Subject | undefined {
  if (/^[\p{L}_$]$/u.test(rest) && !EMPTY.has(rest)) return { ...subject, names: [rest] };
  const words = splitWords(rest).filter((word) => word.length > 2 && !PRONOUNS.has(word));
  const last = words.at(-1);
  const generic = subject.wants !== 'any' || /^(?:it|this|that|they|them|these|those|there|here)\b/i.test(rest);
  return last && !generic ? { ...subject, words: [last] } : undefined;
}

/**
 * `… in src/store.ts` at the end says where to look; only what is plainly a path, is quoted like one, or is called a
 * folder counts.
 */
export function takePlace(
  said: Said,
  phrase: string,
  joints = 'in|inside|within|under|from|of',
): { phrase: string; place?: string } {
  const found = new RegExp(
    `^(.+?)\\s+(?:${joints})\\s+(?:the\\s+)?(?:(?<before>file|folder|directory|package|module)\\s+)?(\\S+)(?:\\s+(?<after>file|folder|directory|package|module))?$`,
    'iu',
  ).exec(phrase);
  const path = found ? said.open(found[3]!).text : '';
  const { before, after } = found?.groups ?? {};
  const called = /^(?:folder|directory)$/i.test(before ?? after ?? '') && /^[\w.@-]+$/.test(path);
  return found && (called || looksLikePath(path)) ? { phrase: found[1]!, place: cleanPath(path) } : { phrase };
}

/** A capital in `the class Composer`, `the Composer class` or a lone `Composer` makes a name of it; in prose it does not. */
function isNamed(token: string, tokens: readonly string[], at: number): boolean {
  if (!/^\p{Lu}[\p{Ll}\p{N}]+$/u.test(token)) return false;
  const others = tokens.filter((other, index) => index !== at && !EMPTY.has(other) && !DEFINITION.has(other));
  return others.length === 0 || KIND.test(tokens[at - 1] ?? '') || KIND.test(tokens[at + 1] ?? '');
}

/** True for what is written as names are in code and never in prose: an inner capital, `_`, `$`, `::`, `a.b`, `f()`. */
export function isName(text: string): boolean {
  if (/^\p{Lu}+s?$/u.test(text)) return false;
  if (/^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*\([^()]*\)$/u.test(text)) return true;
  if (!/^[#@]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(text)) return false;
  return /[_$]|::|->|\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|[\p{L}\p{N}][.#]\p{L}|\p{L}\p{N}/u.test(text);
}

function wordsOf(token: string): string[] {
  const plain = token.replace(/['’]s$/u, '');
  const words = /^[\p{L}\p{M}\p{N}'’]+$/u.test(plain) ? [plain.toLowerCase().replace(/['’]/gu, '')] : splitWords(plain);
  // What has neither a letter nor a digit in it can only be looked for as it stands.
  if (words.length === 0 && /[^\s\p{L}\p{N}]{2,}/u.test(plain)) return [plain];
  return words.filter((word) => word.length > 1 || /[^\x20-\x7e]/.test(word));
}
