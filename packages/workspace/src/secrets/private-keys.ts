/** A part of a text, as for `slice`. */
export interface Span {
  start: number;
  end: number;
}

const NAME = '(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?';
const EDGE = new RegExp(`-----(?<kind>BEGIN|END) ${NAME}-----`, 'g');
/** The longest keys, with something in front of each line, are a good deal shorter. */
const LONGEST_KEY = 20_000;
/** Base64 that is too long for a word. */
const MATERIAL = /[A-Za-z0-9+/]{24}/;
/** Line ends, also as JSON and other strings write them. */
const LINE_END = /(\r?\n|(?:\\+r)?\\+n)/;
/** What tools, quotes and code put around a line of a key: signs of a diff, numbers, where it was found, colours. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]{0,12}m`, 'g');
const KEY_LINE =
  /^(?:[\w./@-]{1,200}[:-]\d{1,7}[:-])?[\s>|+\-#*:"'`,.\d]{0,40}?(?:(?<body>(?=[+/=]{0,9}[A-Za-z0-9])[A-Za-z0-9+/=]{1,4000})|(?:[A-Z][A-Za-z-]{1,30}: [^\r\n]{0,200}))?[\s"'`,+;\\]{0,10}$/;

/**
 * Where a text holds what is between the marks of a private key in PEM or OpenPGP armour, encrypted or not: also in a
 * diff, a quotation or a string, and where its beginning or end was cut off. The spans do not overlap; linear time.
 */
export function privateKeySpans(text: string): Span[] {
  const edges: Edge[] = [...text.matchAll(EDGE)].map((match) => ({
    isBegin: match.groups?.kind === 'BEGIN',
    start: match.index,
    end: match.index + match[0].length,
  }));
  const spans = edges.flatMap((edge, index) => {
    const [previous, next] = [edges[index - 1], edges[index + 1]];
    if (edge.isBegin) return [after(text, edge, next)];
    return previous?.isBegin ? [] : [before(text, edge, previous)];
  });
  return spans.filter(({ start, end }) => MATERIAL.test(text.slice(start, end)));
}

interface Edge extends Span {
  isBegin: boolean;
}

function after(text: string, { end: start }: Edge, next: Edge | undefined): Span {
  const limit = Math.min(start + LONGEST_KEY, next?.start ?? text.length);
  const isWhole = next !== undefined && !next.isBegin && limit === next.start;
  return { start, end: isWhole ? limit : start + leadingKey(text.slice(start, limit)) };
}

function before(text: string, { start: end }: Edge, previous: Edge | undefined): Span {
  const limit = Math.max(end - LONGEST_KEY, previous?.end ?? 0);
  return { start: end - trailingKey(text.slice(limit, end)), end };
}

/** How much of a text, from its beginning, are lines of a key: of equal length, but for the last one. */
function leadingKey(text: string): number {
  const parts = text.split(LINE_END);
  let length = 0;
  let done = 0;
  let usual = 0;
  for (let i = 0; i < parts.length; i += 2) {
    const line = readLine(parts[i]!);
    if (!line) break;
    length += parts[i]!.length;
    if (line.body > 0) {
      done = length;
      if (line.body < usual) break;
      if (line.body >= 24) usual ||= line.body;
    }
    length += parts[i + 1]?.length ?? 0;
  }
  return done;
}

/** The same from the end. */
function trailingKey(text: string): number {
  const parts = text.split(LINE_END);
  let length = 0;
  let done = 0;
  let usual = 0;
  for (let i = parts.length - 1; i >= 0; i -= 2) {
    const line = readLine(parts[i]!);
    // The first line to come is the last of the key, and what is in front of the mark that ends it.
    if (!line || (line.body > 0 && line.body < usual)) break;
    length += parts[i]!.length;
    if (line.body > 0) {
      done = length;
      // Only the last line may be short.
      if (line.body >= 24) usual = line.body;
    }
    length += parts[i - 1]?.length ?? 0;
  }
  return done;
}

/** How many characters of a key a line holds; undefined where it holds anything else. */
function readLine(line: string): { body: number } | undefined {
  const groups = KEY_LINE.exec(line.replaceAll(COLOUR, ''))?.groups;
  return groups && { body: groups.body?.length ?? 0 };
}
