import { list, listAll } from '../ask.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { code, count, fenced, paragraphs, visible } from '../render.ts';

const DEPTH = 8;
const MOST_ROWS = 80;
/** Folders that are counted one by one where a single listing does not hold the tree. */
const MOST_FOLDERS = 40;

/** Two levels of a folder: its files, and its folders with how many files are in them. */
export function* showTree(path: string | undefined, tools: ToolSet): Plan {
  const folder = path?.replace(/(?<=.)\/+$/, '');
  const shown = code(path ?? '.');
  const depth = (wanted: number) => tools.atMost('list_directory', 'depth', wanted);
  const whole = yield* list(folder, depth(DEPTH));
  if (whole.failure !== undefined) return `I could not list ${shown}: ${whole.failure}`;
  if (whole.entries.length === 0) return `${shown} is empty, or everything in it is ignored.`;
  let { entries, cut } = whole;
  const short = new Set<string>();
  if (cut) {
    const two = yield* list(folder, depth(2));
    if (two.failure !== undefined) return `I could not list ${shown}: ${two.failure}`;
    const inner = two.entries.filter((entry) => /^[^/]+\/[^/]+\/$/.test(entry));
    const counted = inner.slice(0, MOST_FOLDERS);
    const listings = yield* listAll(
      counted.map((entry) => `${folder ? `${folder}/` : ''}${entry.replace(/\/$/, '')}`),
      depth(DEPTH),
    );
    entries = [...two.entries];
    for (const [at, entry] of counted.entries()) {
      const listing = listings[at]!;
      if (listing.failure === undefined) for (const each of listing.entries) entries.push(entry + each);
      if (listing.failure !== undefined || listing.cut) short.add(entry);
    }
    for (const entry of inner.slice(MOST_FOLDERS)) short.add(entry);
    cut = two.cut;
  }
  const rows = children(entries, '').flatMap((top) => [
    row(entries, top, short),
    ...(top.endsWith('/') ? children(entries, top).filter((inner) => inner.endsWith('/')) : []).map(
      (inner) => `  ${row(entries, top + inner, short)}`,
    ),
  ]);
  return paragraphs(
    `${shown}, two levels deep:`,
    fenced(rows.slice(0, MOST_ROWS).join('\n')),
    rows.length > MOST_ROWS ? `${rows.length - MOST_ROWS} more rows are not shown.` : undefined,
    cut ? 'There are more entries than one listing shows.' : undefined,
    '`list DIR` shows the files of a folder, `explain FILE` outlines one.',
  );
}

/** The names directly in a folder, folders first. */
function children(entries: readonly string[], folder: string): string[] {
  const inside = entries.filter((entry) => entry.startsWith(folder) && entry !== folder);
  const names = inside.map((entry) => /^[^/]+\/?/.exec(entry.slice(folder.length))?.[0] ?? '');
  return [...new Set(names)].sort((a, b) => Number(b.endsWith('/')) - Number(a.endsWith('/')) || (a < b ? -1 : 1));
}

/** @param short folders of which not every file is known. */
function row(entries: readonly string[], path: string, short: ReadonlySet<string>): string {
  const name = visible(/[^/]+\/?$/.exec(path)?.[0] ?? path);
  if (!path.endsWith('/')) return name;
  const files = new Set(entries.filter((entry) => entry.startsWith(path) && !entry.endsWith('/'))).size;
  const least = [...short].some((each) => each.startsWith(path)) ? ' or more' : '';
  return `${name}  (${count(files, 'file')}${least})`;
}
