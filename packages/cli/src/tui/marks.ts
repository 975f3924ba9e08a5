type Env = Readonly<Record<string, string | undefined>>;

/** Whether the locale says that the terminal shows more than ASCII. */
export function showsUnicode(env: Env, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
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
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '…': '~',
  '“': '"',
  '”': '"',
  '’': "'",
  '‘': "'",
};

/** A drawn line for a terminal without UTF-8: our marks in ASCII, everything else that it cannot show as `?`. */
export function asciiLine(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences stay
  return line.replace(/[^\u0000-\u007f]/gu, (character) => ASCII[character] ?? '?');
}
