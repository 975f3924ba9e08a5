import { visibleText } from '@black-ide/protocol';

export { visibleText };

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence
const COLOURS = /\u001b\[[\d;:]*m/g;

/** What joins or alters letters in other scripts and in emoji, but has no place in a command; and blanks that are no blank. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
/** So many blanks push what follows out of sight. */
const LONG_BLANK = /[ \t]{12,}/g;

/**
 * Text as `visibleText` shows it, for what a person is asked to allow: nothing in it is invisible, and a long run of blanks is counted instead
 * of drawn.
 */
export function visibleCommand(text: string): string {
  return visibleText(text)
    .replace(UNSEEN, (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`)
    .replace(LONG_BLANK, (blanks) => `<${blanks.length} blanks>`);
}

/** Text as `visibleText` shows it, on one line: colours dropped, white space collapsed. Of other escape sequences nothing is dropped: they hide text. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(COLOURS, '').replace(/\s+/g, ' ').trim());
}
