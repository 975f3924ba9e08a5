/** What opens, closes or leads the lines of comments and docstrings in the languages that are parsed. */
const OPENING = /^\s*(?:\/\*+!?|\/\/+!?|\*+\/?|#+!?|--+\[*|;+|[rRbBuU]{0,2}(?:"""|'''|"|'))\s?/;
const CLOSING = /\s*(?:\*+\/|"""|'''|--\]\]|\]\])\s*$/;
/** Lines that begin a list of parameters, or another section that is no prose. */
const TAG = /^\s*(?:@|\\param|:param|:return|Args:|Parameters$|Returns?:|Example)/;
const FEWEST_WORDS = 4;
const LONGEST = 300;

/**
 * What a person would ask whose answer is the function: the first paragraph of its doc comment. Undefined: it says too
 * little.
 */
export function docQuestion(lines: readonly string[]): string | undefined {
  const words: string[] = [];
  for (const line of lines) {
    const text = line
      .replace(OPENING, '')
      .replace(CLOSING, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .trim();
    if (TAG.test(text) || (text === '' && words.length > 0)) break;
    if (text !== '') words.push(...text.split(/\s+/));
  }
  return words.length < FEWEST_WORDS ? undefined : words.join(' ').slice(0, LONGEST);
}
