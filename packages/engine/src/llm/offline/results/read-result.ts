export interface ReadResult {
  /** By 1-based number. */
  lines: Map<number, string>;
  /** Lines of the whole file; the last one read where it was read to its end. */
  total: number;
  /** Where to read on, or undefined at the end. */
  next?: number;
}

const NOTE = /^\[lines (\d+)-(\d+) of (\d+)(?:;.*offset (\d+))?.*\]$/;

/** Reads the text of a `read_file` result. */
export function parseRead(text: string): ReadResult {
  const result: ReadResult = { lines: new Map(), total: 0 };
  for (const row of text.split('\n')) {
    const numbered = /^\s*(\d+)\t(.*)$/s.exec(row);
    if (numbered) {
      const line = Number(numbered[1]);
      result.lines.set(line, numbered[2]!.replace(/\r$/, ''));
      result.total = Math.max(result.total, line);
      continue;
    }
    const note = NOTE.exec(row);
    if (!note) continue;
    result.total = Math.max(result.total, Number(note[3]));
    if (Number(note[2]) < Number(note[3])) result.next = Number(note[4] ?? Number(note[2]) + 1);
  }
  return result;
}

/** The known lines as one text. */
export function joinLines(lines: ReadonlyMap<number, string>): string {
  return [...lines.values()].join('\n');
}
