import { list } from '../ask.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { code, count, fenced, paragraphs, visible } from '../render.ts';

const DEPTH = 6;
const MOST_ROWS = 80;

/** Two levels of a folder: its files, and its folders with how many files are in them. */
export function* showTree(path: string | undefined, tools: ToolSet): Plan {
  const shown = path ?? '.';
  const result = yield* list(path, tools.atMost('list_directory', 'depth', DEPTH));
  if (result.failure !== undefined) return `I could not list ${code(shown)}: ${result.failure}`;
  const { entries, cut } = result;
  if (entries.length === 0) return `${code(shown)} is empty, or everything in it is ignored.`;
  const rows: string[] = [];
  for (const top of children(entries, '')) {
    rows.push(row(entries, top, '', cut));
    if (top.endsWith('/'))
      for (const inner of children(entries, top))
        if (inner.endsWith('/')) rows.push(row(entries, top + inner, '  ', cut));
  }
  const rest = rows.length > MOST_ROWS ? `${rows.length - MOST_ROWS} more rows are not shown.` : undefined;
  return paragraphs(
    `${code(shown)}, two levels deep:`,
    fenced(rows.slice(0, MOST_ROWS).join('\n')),
    cut ? 'The tree is larger than one listing shows, so some counts are too low.' : undefined,
    rest,
    '`list DIR` shows the files of a folder, `explain FILE` outlines one.',
  );
}

/** The names directly in a folder, folders first. */
function children(entries: readonly string[], folder: string): string[] {
  const inside = entries.filter((entry) => entry.startsWith(folder) && entry !== folder);
  const names = inside.map((entry) => /^[^/]+\/?/.exec(entry.slice(folder.length))?.[0] ?? '');
  return [...new Set(names)].sort((a, b) => Number(b.endsWith('/')) - Number(a.endsWith('/')) || (a < b ? -1 : 1));
}

function row(entries: readonly string[], path: string, indent: string, cut: boolean): string {
  const name = visible(/[^/]+\/?$/.exec(path)?.[0] ?? path);
  if (!path.endsWith('/')) return indent + name;
  const files = entries.filter((entry) => entry.startsWith(path) && !entry.endsWith('/')).length;
  return `${indent}${name}  (${count(files, 'file')}${cut ? ' or more' : ''})`;
}
