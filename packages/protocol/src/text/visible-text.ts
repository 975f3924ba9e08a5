/** Characters that steer a terminal or hide from a reader: controls, bidi marks, whatever is drawn as nothing at all. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** Scripts in which a joiner, or the want of one, is spelling. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const PICTURE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const HAS_TWO_LOOKS = /\p{Emoji}$/u;

/**
 * Text as it may go to a terminal or a page: what a terminal would obey or a reader would not see is written out, so that nothing
 * from a model, a file or a command can move the cursor, recolour a question or hide a part of it. Line feeds and tabs
 * stay; CR LF becomes LF; joiners and variation selectors stay where they are spelling or part of an emoji.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, (character, offset: number, whole: string) => {
      const code = character.codePointAt(0)!;
      if (belongs(code, whole.slice(Math.max(offset - 2, 0), offset))) return character;
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    });
}

function belongs(code: number, before: string): boolean {
  switch (code) {
    case 0x200c:
      return JOINING.test(before);
    case 0x200d:
      return JOINING.test(before) || PICTURE.test(before);
    case 0xfe0e:
    case 0xfe0f:
      return HAS_TWO_LOOKS.test(before);
    default:
      return false;
  }
}
