import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { CodeSymbol } from '../graph/code-graph-api.ts';

/** Of a doc comment so many lines are looked at. */
const MOST_LINES = 20;

/** What opens, continues and closes comments and docstrings in the languages that are parsed. */
const OPENING = /^\s*(?:\/\*\*?|\/\/[/!]?|#['!:]?|--+\[*|[rRuU]?"""|[rRuU]?'''|\*(?!\/)|"|')\s?/;
const CLOSING = /\s*(?:\*+\/|"""|'''|--?\]\])\s*$/;

/** The first sentence of a symbol's doc comment, read from the file; undefined where it has none. */
export function docOf(intel: Pick<CodeIntelligence, 'lines'>, { path, doc }: CodeSymbol): string | undefined {
  if (!doc) return undefined;
  const lines = intel.lines(path, doc.startLine, Math.min(doc.endLine, doc.startLine + MOST_LINES - 1));
  return lines && firstSentence(lines);
}

function firstSentence(lines: readonly string[]): string | undefined {
  const words: string[] = [];
  for (const line of lines) {
    const text = line.replace(CLOSING, '').replace(OPENING, '').replace(CLOSING, '').trim();
    // A tag, or a rule of dashes, ends what is said of the symbol itself; so does a blank line.
    if (/^(?:@\w|:\w+|[-=*]{3,}$)/.test(text) || (text === '' && words.length > 0)) break;
    if (text !== '') words.push(text.replace(/^<summary>|<\/summary>$/g, ''));
  }
  const prose = words.join(' ').replace(/\s+/g, ' ').trim();
  const end = /[.!?。](?=\s+[\p{Lu}`{(\u0980-\u09ff]|$)/u.exec(prose);
  const sentence = end ? prose.slice(0, end.index + 1) : prose;
  return sentence === '' ? undefined : sentence;
}
