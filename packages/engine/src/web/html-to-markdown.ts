import { Parser } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer.ts';

/** Pages of people are never so deep; the parser's time grows with the square of the depth. */
const MAX_DEPTH = 1_000;

class TooDeep extends Error {
  override name = 'TooDeep';
}

/** HTML as readable Markdown; of a page that is nested absurdly deep, what comes before that. */
export function htmlToMarkdown(html: string, base: URL): { text: string; cut: boolean } {
  const writer = new MarkdownWriter(base);
  let depth = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeep();
      writer.open(name, attributes);
    },
    ontext: (text) => writer.text(text),
    onclosetag: (name) => {
      depth -= 1;
      writer.close(name);
    },
  });
  try {
    parser.end(html);
    return { text: writer.toString(), cut: false };
  } catch (error) {
    if (error instanceof TooDeep) return { text: writer.toString(), cut: true };
    throw error;
  }
}
