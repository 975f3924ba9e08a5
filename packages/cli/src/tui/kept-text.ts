/*
 * The editor drops control characters and turns a tab into four blanks; the person's text has to arrive as it is. So
 * while it is in the editor, each of the 32 control characters is one of the 32 characters that Unicode keeps free for
 * use inside a program (U+FDD0 … U+FDEF), one column wide.
 */
const FIRST = 0xfdd0;
/** Stands before what the editor would otherwise take for a path and set apart by a blank. */
const GUARD = '\ufffe';

/** Text as the editor keeps it; line ends become LF. */
export function kept(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const inside = text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0009\u000b-\u001f]/g, (character) => {
    return String.fromCharCode(FIRST + character.charCodeAt(0));
  });
  return /^[/~.]/.test(inside) ? GUARD + inside : inside;
}

/** What the editor keeps, as it was. */
export function given(text: string): string {
  return text
    .replaceAll(GUARD, '')
    .replace(/[\ufdd0-\ufdef]/g, (character) => String.fromCharCode(character.charCodeAt(0) - FIRST));
}

/** A line of the editor as it is drawn, as wide: a tab as its mark, other control characters as their pictures. */
export function drawnKept(line: string): string {
  return line.replace(/[\ufdd0-\ufdef]/g, (character) => {
    const code = character.charCodeAt(0) - FIRST;
    return code === 0x09 ? '⇥' : String.fromCharCode(0x2400 + code);
  });
}
