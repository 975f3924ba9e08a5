import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';
import type { CodeSymbol, SymbolId } from '../graph/code-graph-api.ts';
import { editDistance } from './edit-distance.ts';

/** What a name means. */
export type Named =
  /** One symbol; several ids where one file declares it several times, e.g. its overloads. */
  | { is: 'symbol'; ids: SymbolId[] }
  | { is: 'file'; file: FileId }
  | { is: 'ambiguous'; ids: SymbolId[] }
  | { is: 'unknown'; nearest: SymbolId[] };

const MOST_FOUND = 200;
const MOST_NEAREST = 8;
/** So many names that begin alike are compared with a mistyped one. */
const MOST_COMPARED = 2_000;

/**
 * Finds what a person or a model names: `name`, `Container.name` (also with `::`, `#` and `()`), `path:name`,
 * `path:line`, or a file by its path or the end of it. A name that source and tests share means the one in the source.
 */
export function nameSymbol(intel: Pick<CodeIntelligence, 'files' | 'graph'>, asked: string): Named {
  const { files, graph } = intel;
  const name = clean(asked);
  if (name === '') return { is: 'unknown', nearest: [] };
  const file = files.idOf(name);
  if (file !== undefined) return { is: 'file', file };
  const place = /^(.+?):(\d{1,7})(?::\d{1,7})?$/.exec(name);
  const placed = place && fileNamed(intel, place[1]!);
  if (placed !== undefined && placed !== null) {
    const id = graph.symbolAt(placed, Number(place![2]));
    return id === undefined ? { is: 'file', file: placed } : { is: 'symbol', ids: [id] };
  }
  const found = graph.find(name, { match: 'exact', limit: MOST_FOUND });
  if (found.length > 0) return among(found.map((id) => graph.symbol(id)));
  const ending = fileNamed(intel, name);
  if (ending !== undefined) return { is: 'file', file: ending };
  return { is: 'unknown', nearest: nearestTo(intel, name) };
}

/** Without what says nothing: `./`, the parentheses of a call, other languages' ways to join a container and a name. */
function clean(asked: string): string {
  return asked
    .trim()
    .replace(/\\/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\([^()]*\)$/, '')
    .replace(/(?<=[\p{L}\p{N}_$])(?:::|#|->)(?=[\p{L}_$~])/gu, '.');
}

/** The only file whose path is this or ends so; undefined where there is none, or are several. */
function fileNamed({ files }: Pick<CodeIntelligence, 'files'>, path: string): FileId | undefined {
  const known = files.idOf(path);
  if (known !== undefined || !/[./]/.test(path)) return known;
  let found: FileId | undefined;
  for (const file of files.ids()) {
    if (!files.path(file).endsWith(`/${path}`)) continue;
    if (found !== undefined) return undefined;
    found = file;
  }
  return found;
}

function among(found: CodeSymbol[]): Named {
  // A constructor that bears the name of its class is not what is meant by it.
  const own = found.filter(({ container, name }) => container.at(-1) !== name);
  const meant = own.length > 0 ? own : found;
  const sources = meant.filter(({ isTest }) => !isTest);
  for (const candidates of [meant, sources]) {
    const [first] = candidates;
    if (first && candidates.every((each) => each.file === first.file && fullName(each) === fullName(first))) {
      return { is: 'symbol', ids: candidates.map(({ id }) => id) };
    }
  }
  return { is: 'ambiguous', ids: meant.map(({ id }) => id) };
}

/** Names that may have been meant, likeliest first: one that the name begins, a slip of the fingers, one that has its letters. */
function nearestTo({ graph }: Pick<CodeIntelligence, 'graph'>, asked: string): SymbolId[] {
  const name = asked.split(/[.:/]/).at(-1) ?? '';
  if (name === '') return [];
  const lower = name.toLowerCase();
  const most = Math.max(1, Math.floor(name.length / 3));
  const slips = graph.find(name.slice(0, 2), { match: 'prefix', limit: MOST_COMPARED }).flatMap((id) => {
    const distance = editDistance(lower, graph.symbol(id).name.toLowerCase());
    return distance <= most ? { id, distance } : [];
  });
  const ids = [
    ...graph.find(name, { match: 'prefix', limit: MOST_NEAREST }),
    ...slips.sort((one, other) => one.distance - other.distance).map(({ id }) => id),
    ...graph.find(name, { match: 'fuzzy', limit: MOST_NEAREST }),
  ];
  return [...new Set(ids)].slice(0, MOST_NEAREST);
}

/** `Container.name`. */
export function fullName({ container, name }: Pick<CodeSymbol, 'container' | 'name'>): string {
  return [...container, name].join('.');
}
