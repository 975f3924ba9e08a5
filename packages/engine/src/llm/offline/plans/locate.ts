import { grep, list } from '../ask.ts';
import { baseName, stemOf } from '../code/file-kind.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, code, count } from '../render.ts';

/** Folders are listed this deep to find a file by its name. */
const DEPTH = 8;
const MOST = 12;

/** Paths that a name may mean, best first: the same ending of the path, the same name, the same name in other capitals or without its ending. */
export function* locate(path: string, tools: ToolSet): Plan<string[]> {
  const listing = yield* list(undefined, tools.atMost('list_directory', 'depth', DEPTH));
  const entries = listing.failure === undefined ? listing.entries : [];
  const found = matches(entries, path);
  if (found.length > 0 || (listing.failure === undefined && !listing.cut)) return found;
  const search = yield* grep({ pattern: '\\S', glob: `**/${baseName(path)}` });
  const files = search.failure === undefined ? [...new Set(search.hits.map((hit) => hit.path))] : [];
  return matches(files, path);
}

function matches(entries: readonly string[], path: string): string[] {
  const wanted = path.replace(/^\/+|\/+$/g, '');
  const lower = wanted.toLowerCase();
  const tests = [
    (entry: string) => entry === wanted || entry.endsWith(`/${wanted}`),
    (entry: string) => baseName(entry) === baseName(wanted),
    (entry: string) => baseName(entry).toLowerCase() === baseName(lower),
    (entry: string) => !/\.\w+$/.test(wanted) && stemOf(entry).toLowerCase() === baseName(lower),
  ];
  for (const test of tests) {
    const found = entries.filter((entry) => test(entry.replace(/\/$/, '')));
    if (found.length > 0) return found.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  }
  return [];
}

/** Where is FILE. */
export function* findFile(path: string, tools: ToolSet): Plan {
  const found = yield* locate(path, tools);
  if (found.length === 0) return notThere(path);
  if (found.length === 1) return `${code(found[0]!)}\n\nFound by its name.`;
  return `${count(found.length, 'path')} have that name:\n\n${bullets(found.map(code), MOST)}\n\nFound by name.`;
}

export function notThere(path: string): string {
  return `There is no file or folder ${code(path)} here. Ignored files were not looked at.`;
}

/** Several files fit one name: the person chooses. */
export function whichOne(path: string, found: readonly string[]): string {
  return `${code(path)} may be any of these; name one with its folder:\n\n${bullets(found.map(code), MOST)}`;
}
