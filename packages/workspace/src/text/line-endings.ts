export type LineEnding = '\n' | '\r\n' | '\r';

/** How the lines of a text end. */
export interface LineEndings {
  /** Number of `\n` that stand alone. */
  lf: number;
  /** Number of `\r\n`. */
  crlf: number;
  /** Number of `\r` that stand alone. */
  cr: number;
  /** The most frequent one; `\n` in a text of one line. */
  dominant: LineEnding;
  /** Whether more than one kind occurs. */
  mixed: boolean;
  /** Whether the last line ends with any of them; true for the empty text. */
  final: boolean;
}

/** Counts the line endings of a text. */
export function lineEndings(text: string): LineEndings {
  const crlf = occurrences(text, '\r\n');
  const lf = occurrences(text, '\n') - crlf;
  const cr = occurrences(text, '\r') - crlf;
  const dominant = crlf > lf && crlf >= cr ? '\r\n' : cr > lf ? '\r' : '\n';
  return { lf, crlf, cr, dominant, mixed: [lf, crlf, cr].filter((n) => n > 0).length > 1, final: endsLine(text) };
}

/**
 * The character that separates lines: `\n`, with or without `\r` before it, but `\r` in the files of old Macs, which have
 * no `\n` at all.
 */
export function lineBreakOf(text: string): '\n' | '\r' {
  return text.includes('\n') || !text.includes('\r') ? '\n' : '\r';
}

/** Answers the number, from 1, of the line that an offset lies in; offsets must be asked in ascending order. */
export function lineCounter(text: string): (offset: number) => number {
  const lineBreak = lineBreakOf(text);
  let line = 1;
  let next = text.indexOf(lineBreak);
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf(lineBreak, next + 1)) line += 1;
    return line;
  };
}

/** The line ending that a piece put in at `offset` should use: that of its own line, else of the line before, else `\n`. */
export function endingNear(text: string, offset: number): LineEnding {
  const lineBreak = lineBreakOf(text);
  const after = text.indexOf(lineBreak, offset);
  const at = after === -1 ? text.lastIndexOf(lineBreak, offset) : after;
  if (at === -1 || lineBreak === '\r') return lineBreak;
  return text.charAt(at - 1) === '\r' ? '\r\n' : '\n';
}

function endsLine(text: string): boolean {
  return text === '' || text.endsWith('\n') || text.endsWith('\r');
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
