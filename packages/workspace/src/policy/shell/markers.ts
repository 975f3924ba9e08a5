/*
 * While a word of a command line is being worked out, characters that still mean something to the shell are kept apart
 * from the same characters quoted: they are carried as private-use code points. A command line that holds one of these
 * itself is never analysed (see `ShellParser`).
 */

/** Text that is not known and may be empty. */
export const ANY = '\uE000';
/** Text that is not known but not empty. */
export const SOME = '\uE001';
/** An active `*`, `?`, `[` and `]`. */
export const STAR = '\uE002';
export const QUESTION = '\uE003';
export const SET_OPEN = '\uE004';
export const SET_CLOSE = '\uE005';
/** An active `{`, `}` and `,` of a brace expansion. */
export const BRACE_OPEN = '\uE006';
export const BRACE_CLOSE = '\uE007';
export const COMMA = '\uE008';
/** Where the result of an unquoted expansion falls apart into two words. */
export const BREAK = '\uE009';
/** Marks that something was quoted here, so that an empty word stays a word. */
export const QUOTED = '\uE00A';
/** A blank outside of quotes that the grammar left inside a word. */
export const BLANK = '\uE00C';
/** An active `~`. */
export const TILDE = '\uE00B';

const PLAIN: Readonly<Record<string, string>> = {
  [STAR]: '*',
  [QUESTION]: '?',
  [SET_OPEN]: '[',
  [SET_CLOSE]: ']',
  [BRACE_OPEN]: '{',
  [BRACE_CLOSE]: '}',
  [COMMA]: ',',
  [BREAK]: ' ',
  [QUOTED]: '',
  [BLANK]: ' ',
  [TILDE]: '~',
};

/** Any code point of the block the markers are taken from. */
export const MARKER = /[\uE000-\uE00F]/;

const UNKNOWN = /[\uE000\uE001]/;
const GLOB = /[\uE002-\uE005]/;

/** The text with every marker but `ANY` and `SOME` turned back into the character it stands for. */
export function withoutMarkers(text: string): string {
  return text.replace(/[\uE002-\uE00C]/g, (marker) => PLAIN[marker] ?? '');
}

/** The same, but what is still a glob or unknown stays one: it stands for names that are not told apart. */
export function withGlobs(text: string): string {
  return text.replace(/[\uE006-\uE00C]/g, (marker) => PLAIN[marker] ?? '');
}

/** Turns the glob characters of an unquoted expansion's result into active ones. */
export function activateGlobs(text: string): string {
  return text.replaceAll('*', STAR).replaceAll('?', QUESTION).replaceAll('[', SET_OPEN).replaceAll(']', SET_CLOSE);
}

/** The text without its unknown parts. */
export function withoutUnknown(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '');
}

/** Whether a part of the text is not known. */
export function isUnknown(text: string): boolean {
  return UNKNOWN.test(text);
}

/** Whether the text holds an active glob character. */
export function isGlob(text: string): boolean {
  return GLOB.test(text);
}
