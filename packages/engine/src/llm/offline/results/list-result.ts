export interface ListResult {
  /** Paths below the listed folder; folders end in `/`. */
  entries: string[];
  cut: boolean;
}

/** Reads the text of a `list_directory` result: one path a line, or names indented below their folder. */
export function parseList(text: string): ListResult {
  const entries: string[] = [];
  const folders: { indent: number; path: string }[] = [];
  let cut = false;
  for (const row of text.split('\n')) {
    const name = row.trim();
    if (name === '') continue;
    if (/^\[.*\]$/.test(name)) {
      cut ||= !/^\[(?:empty|\d+ entr)/.test(name);
      continue;
    }
    const indent = row.length - row.trimStart().length;
    while (folders.length > 0 && folders.at(-1)!.indent >= indent) folders.pop();
    const path = (folders.at(-1)?.path ?? '') + name.replace(/^\.\//, '');
    entries.push(path);
    if (name.endsWith('/')) folders.push({ indent, path });
  }
  return { entries, cut };
}
