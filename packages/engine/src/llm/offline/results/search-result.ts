/** A place that `codebase_search` found. */
export interface FoundPlace {
  path: string;
  startLine: number;
  endLine: number;
  /** `Container.name`, where the place is a symbol. */
  symbol?: string;
  /** Words of the query that it has. */
  words: string[];
  /** The line that says most. */
  line?: number;
  code?: string;
}

export interface SearchResult {
  places: FoundPlace[];
}

const HEAD = /^\d+\. (\S.*?):(\d+)-(\d+)(?: {2}(\S.*?))? {2}\(([^()]*)\)$/;
const CODE = /^ {3}(\d+): (.*)$/;

/** Reads the text of a `codebase_search` result; other lines are passed over. */
export function parseSearch(text: string): SearchResult {
  const places: FoundPlace[] = [];
  for (const row of text.split('\n')) {
    const head = HEAD.exec(row);
    if (head) {
      const [, path = '', from, to, symbol, words = ''] = head;
      places.push({
        path,
        startLine: Number(from),
        endLine: Number(to),
        ...(symbol ? { symbol } : {}),
        words: words === '' ? [] : words.split(', '),
      });
      continue;
    }
    const code = CODE.exec(row);
    const last = places.at(-1);
    if (code && last) Object.assign(last, { line: Number(code[1]), code: code[2] });
  }
  return { places };
}
