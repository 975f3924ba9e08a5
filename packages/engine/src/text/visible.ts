/** Characters that steer or hide text: controls, bidi marks, invisible ones, tags. Line feeds and tabs stay. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text with its hidden characters written out, e.g. `<U+202E>`. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(HIDDEN, (character) => {
      const point = character.codePointAt(0)!;
      if (point < 0x20) return String.fromCodePoint(0x2400 + point);
      return `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
    });
}
