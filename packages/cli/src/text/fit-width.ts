import truncatedWidth from 'fast-string-truncated-width';

/** The columns that a text takes. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

/** The text, or its beginning and an ellipsis where it takes more than `columns`; never splits a character as seen. */
export function fitWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (text.length <= columns && /^[\x20-\x7e]*$/.test(text)) return text;
  if (widthOf(text) <= columns) return text;
  let fitted = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    const next = width + widthOf(segment);
    if (next > columns - 1) break;
    fitted += segment;
    width = next;
  }
  return `${fitted}…`;
}
