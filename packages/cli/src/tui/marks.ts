import { widthOf } from '../text/fit-width.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Whether the terminal shows more than ASCII: not where a locale is set that is not UTF-8. Where none is set, as in a
 * container, the terminal around it speaks UTF-8 all the same.
 */
export function showsUnicode(env: Env, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8');
}

/** Marks of ours, each with one that takes the same width. */
const ASCII: Readonly<Record<string, string>> = {
  '▸': '>',
  '›': '>',
  '✎': '*',
  '•': '*',
  '✗': 'x',
  '✓': '+',
  '·': '-',
  '–': '-',
  '−': '-',
  '—': '-',
  '─': '-',
  '│': '|',
  '↻': '~',
  '→': '>',
  '⇥': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '…': '~',
  '“': '"',
  '”': '"',
  '’': "'",
  '‘': "'",
};

/** A drawn line for a terminal without UTF-8: our marks in ASCII, everything else that it cannot show by its number. */
export function asciiLine(line: string): string {
  return line.replace(NOT_ASCII, (character) => ASCII[character] ?? numbered(character));
}

/** What a person decides about, for such a terminal: no character that is not ASCII passes for another one. */
export function asciiText(text: string): string {
  return text.replace(NOT_ASCII, numbered);
}

/** A line of the input for such a terminal, as wide as it was, so that the cursor stays where it belongs. */
export function asciiInput(line: string): string {
  return line.replace(NOT_ASCII, (character) => ASCII[character] ?? '?'.repeat(widthOf(character)));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences stay
const NOT_ASCII = /[^\u0000-\u007f]/gu;

function numbered(character: string): string {
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
}
