/** In what a server counts the columns of a line. Ours, and the protocol's default, are UTF-16 units. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** A place in a text: both from 0, `character` in UTF-16 units unless a server's own counting is spoken of. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/**
 * A column of ours as the server counts it. Behind the end of the line it is the end, inside of a character its start.
 * @param line the text of the line
 */
export function encodeColumn(line: string, column: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return column;
  return countUnits(line.slice(0, startOfCharacter(line, Math.min(column, line.length))), encoding);
}

/** A column as the server counts it, as one of ours. Behind the end of the line it is the end. */
export function decodeColumn(line: string, column: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return column;
  let units = 0;
  let at = 0;
  for (const character of line) {
    units += countUnits(character, encoding);
    if (units > column) return at;
    at += character.length;
  }
  return at;
}

function countUnits(text: string, encoding: PositionEncoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  return encoding === 'utf-16' ? text.length : [...text].length;
}

/** Back to the start of a surrogate pair. */
function startOfCharacter(line: string, column: number): number {
  const before = line.charCodeAt(column - 1);
  const after = line.charCodeAt(column);
  const splits = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return splits ? column - 1 : column;
}
