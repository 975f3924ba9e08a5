export interface ListResult {
  /** Paths below the listed folder; folders end in `/`. */
  entries: string[];
  cut: boolean;
}

/** What stands behind a folder of which not all is shown. */
const OMITTED = /\s\[\d+ more\]$/;

/**
 * Reads the text of a `list_directory` result: one path a line, or names indented below their folder.
 * @param folder what was listed; paths that are told from the workspace's root are cut down to what is below it.
 */
export function parseList(text: string, folder = ''): ListResult {
  const entries: string[] = [];
  const folders: { indent: number; path: string }[] = [];
  let cut = false;
  for (const row of text.split('\n')) {
    const name = row.trim().replace(OMITTED, '');
    if (name === '') continue;
    if (/^\[.*\]$/.test(name)) {
      cut ||= !/^\[(?:empty|\d+ entr)/.test(name);
      continue;
    }
    cut ||= OMITTED.test(row);
    const indent = row.length - row.trimStart().length;
    while (folders.length > 0 && folders.at(-1)!.indent >= indent) folders.pop();
    const path = (folders.at(-1)?.path ?? '') + name.replace(/^\.\//, '');
    entries.push(path);
    if (name.endsWith('/')) folders.push({ indent, path });
  }
  const prefix = `${folder.replace(/\/+$/, '')}/`;
  const fromRoot = folder !== '' && entries.every((entry) => entry.startsWith(prefix));
  return { entries: fromRoot ? entries.map((entry) => entry.slice(prefix.length)) : entries, cut };
}
