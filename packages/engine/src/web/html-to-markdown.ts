import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer.ts';

/** Pages of people are read in a fraction of it. */
const PATIENCE_MS = 5_000;
/** After as many characters everything else has its turn, e.g. a key that was pressed. */
const SLICE = 64 * 1024;

/** Pages of people are never so deep; the parser's time grows with the square of the depth. */
const MAX_DEPTH = 1_000;

class TooDeep extends Error {
  override name = 'TooDeep';
}

export interface HtmlToMarkdownOptions {
  /** Ends the conversion with its reason. */
  signal?: AbortSignal;
  /** When to be content with what was read so far, in milliseconds. Default 5 s. */
  patienceMs?: number;
}

/**
 * HTML as readable Markdown. Of a page that is nested absurdly deep, or takes too long, what comes before that.
 * @throws the signal's reason.
 */
export async function htmlToMarkdown(
  html: string,
  base: URL,
  { signal, patienceMs = PATIENCE_MS }: HtmlToMarkdownOptions = {},
): Promise<{ text: string; cut?: 'deep' | 'slow' }> {
  const writer = new MarkdownWriter(base);
  const patience = AbortSignal.timeout(patienceMs);
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
    for (let at = 0; at < html.length; at += SLICE) {
      if (at > 0) await setImmediate();
      signal?.throwIfAborted();
      if (patience.aborted) return { text: writer.toString(), cut: 'slow' };
      parser.write(html.slice(at, at + SLICE));
    }
    parser.end();
    return { text: writer.toString() };
  } catch (error) {
    if (error instanceof TooDeep) return { text: writer.toString(), cut: 'deep' };
    throw error;
  }
}
