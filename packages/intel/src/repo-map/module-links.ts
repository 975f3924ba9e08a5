import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';
import type { WeightedEdges } from './page-rank.ts';

/** How one folder uses another. */
export interface ModuleLink {
  from: string;
  to: string;
  /** How many pairs of a file that uses and a file that is used. */
  count: number;
}

/** A tree is cut into so many folders at least, and until none has more than this part of the files; but no further than a reader can take in. */
const WANTED_MODULES = 6;
const LARGEST_PART = 0.3;
const MOST_MODULES = 80;

interface Folder {
  path: string;
  files: FileId[];
  /** Files that lie right in a folder beside other folders: nothing further to cut. */
  isRest?: true;
}

/**
 * How the modules of a repository connect. Modules are folders: beginning with the whole tree, the largest is cut into the
 * folders in it until there are enough of them. Links between two modules are counted; most first.
 */
export function moduleLinks(
  files: CodeIntelligence['files'],
  edges: WeightedEdges,
  ids: readonly FileId[],
): ModuleLink[] {
  const moduleOf = new Map<FileId, string>();
  for (const { path, files: inside } of modulesOf(files, ids)) for (const file of inside) moduleOf.set(file, path);
  const links = new Map<string, ModuleLink>();
  for (let edge = 0; edge < edges.from.length; edge++) {
    const from = moduleOf.get(edges.from[edge]!);
    const to = moduleOf.get(edges.to[edge]!);
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from}\0${to}`;
    const link = links.get(key) ?? { from, to, count: 0 };
    link.count += 1;
    links.set(key, link);
  }
  return [...links.values()].sort(
    (a, b) => b.count - a.count || (`${a.from}\0${a.to}` < `${b.from}\0${b.to}` ? -1 : 1),
  );
}

function modulesOf(files: CodeIntelligence['files'], ids: readonly FileId[]): Folder[] {
  let modules: Folder[] = [{ path: '', files: [...ids] }];
  for (;;) {
    const largest = Math.max(...modules.map(({ files: inside }) => inside.length));
    if (modules.length >= WANTED_MODULES && largest <= ids.length * LARGEST_PART) break;
    const parts = modules.map((folder) => ({ folder, inside: partsOf(files, folder) }));
    const [next] = parts
      .filter(({ inside }) => inside.length > 0)
      .sort((a, b) => b.folder.files.length - a.folder.files.length || (a.folder.path < b.folder.path ? -1 : 1));
    if (!next || modules.length - 1 + next.inside.length > MOST_MODULES) break;
    modules = modules.flatMap((folder) => (folder === next.folder ? next.inside : [folder]));
  }
  return modules;
}

/** The folders in a folder, and the files that lie right in it as one more; none where there is no folder in it. */
function partsOf(files: CodeIntelligence['files'], { path, files: inside, isRest }: Folder): Folder[] {
  if (isRest) return [];
  const parts = Map.groupBy(inside, (file) => {
    const rest = files.path(file).slice(path === '' ? 0 : path.length + 1);
    const slash = rest.indexOf('/');
    return slash < 0 ? undefined : (path === '' ? '' : `${path}/`) + rest.slice(0, slash);
  });
  const own = parts.get(undefined) ?? [];
  parts.delete(undefined);
  if (parts.size === 0) return [];
  const folders = [...parts].map(([name, all]) => ({ path: name!, files: all }));
  return own.length > 0 ? [...folders, { path: path || '.', files: own, isRest: true }] : folders;
}
