import { stripVTControlCharacters } from 'node:util';

/** Characters that steer a terminal or hide from a reader: controls, bidi marks, invisible ones, tags. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Text as it may go to a terminal: what a terminal would obey or a reader would not see is written out, so that nothing
 * from a model, a file or a command can move the cursor, recolour a question or hide a part of it. Line feeds and tabs
 * stay; CR LF becomes LF.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** What joins or alters letters in other scripts and in emoji, but has no place in a command; and blanks that are no blank. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
/** So many blanks push what follows out of sight. */
const LONG_BLANK = /[ \t]{12,}/g;

/**
 * The same for what a person is asked to allow: nothing in it is invisible, and a long run of blanks is counted instead
 * of drawn.
 */
export function visibleCommand(text: string): string {
  return visibleText(text)
    .replace(UNSEEN, (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`)
    .replace(LONG_BLANK, (blanks) => `<${blanks.length} blanks>`);
}

/** The same on one line: colours dropped, white space collapsed. */
export function visibleLine(text: string): string {
  return visibleText(stripVTControlCharacters(text).replace(/\s+/g, ' ').trim());
}
