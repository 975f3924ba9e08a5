import { visibleText } from '@black-ide/protocol';

export { visibleText };

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence
const COLOURS = /\u001b\[[\d;:]*m/g;

/** Text as `visibleText` shows it, on one line: colours dropped, white space collapsed. Of other escape sequences nothing is dropped: they hide text. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(COLOURS, '').replace(/\s+/g, ' ').trim());
}
