import { BlackError } from '@black-ide/protocol';
import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';
import type { CodeReference, ImpactedSymbol, ImportEdge, SymbolId } from '../graph/code-graph-api.ts';
import { worthOf } from '../repo-map/rank-symbols.ts';
import type {
  CalleeFacts,
  FileAnswer,
  GraphAction,
  GraphAnswer,
  ImportFacts,
  Listed,
  ReachedFacts,
  SymbolFacts,
  UseFacts,
} from './graph-answer.ts';
import { type Named, nameSymbol } from './name-symbol.ts';
import { bareFacts, calleeFacts, symbolFacts, useFacts } from './symbol-facts.ts';

export interface GraphQuestion {
  action: GraphAction;
  /** A symbol or a file, see `nameSymbol`; for `dead` a file or a folder, or nothing for the whole workspace. */
  of?: string;
  /** For `path`: where the way ends. */
  to?: string;
  /** For `impact` and `tests`: over how many calls. */
  depth?: number;
  /** So many items of each list at most. */
  limit?: number;
  signal?: AbortSignal;
}

type Intel = Pick<CodeIntelligence, 'files' | 'graph' | 'lines' | 'complete'>;

const LIMIT = 50;
/** An explanation shows the beginning of each list only. */
const EXPLAIN_LIMIT = 8;
export const IMPACT_DEPTH = 3;

/**
 * Answers a question about the graph.
 * @throws BlackError `bad_question` where it lacks a part; the signal's reason where it is aborted.
 */
export function askGraph(intel: Intel, question: GraphQuestion): GraphAnswer {
  const { action, of = '', to, signal } = question;
  signal?.throwIfAborted();
  const answer: GraphAnswer = { action, asked: of, status: 'ok', complete: intel.complete };
  if (action === 'dead') return { ...answer, dead: deadCode(intel, question) };
  if (of.trim() === '') throw new BlackError('bad_question', 'No symbol or file is named.', 'Name one.');
  const named = nameSymbol(intel, of);
  if (named.is === 'unknown' || named.is === 'ambiguous') return { ...answer, ...undecided(intel, named) };
  if (action === 'path') return { ...answer, ...wayTo(intel, named, to) };
  return named.is === 'file'
    ? { ...answer, ...aboutFile(intel, named.file, question) }
    : { ...answer, ...aboutSymbol(intel, named.ids, question) };
}

function undecided(intel: Intel, named: Extract<Named, { is: 'unknown' | 'ambiguous' }>): Partial<GraphAnswer> {
  if (named.is === 'unknown') return { status: 'unknown', nearest: named.nearest.map((id) => symbolFacts(intel, id)) };
  return { status: 'ambiguous', candidates: listed(named.ids, LIMIT, (id) => symbolFacts(intel, id)) };
}

function aboutSymbol(intel: Intel, ids: SymbolId[], question: GraphQuestion): Partial<GraphAnswer> {
  const { graph } = intel;
  const { action, depth, limit = action === 'explain' ? EXPLAIN_LIMIT : LIMIT, signal } = question;
  const symbol = symbolFacts(intel, ids[0]!);
  const callers = () =>
    byUser(
      intel,
      ids.flatMap((id) => graph.callers(id)),
      limit,
    );
  const callees = () => calls(intel, ids, limit);
  const tests = () => {
    const found = distinct(ids.flatMap((id) => graph.testsOf(id, { limit, ...(depth ? { depth } : {}) })));
    return { ...listed(found, limit, (each) => reached(intel, each)), ...(found.length >= limit ? AT_LEAST : {}) };
  };
  switch (action) {
    case 'callers':
      return { symbol, callers: callers() };
    case 'callees':
      return { symbol, callees: callees() };
    case 'references': {
      const references = ids.flatMap((id) => graph.references(id));
      return { symbol, references: listed(references, limit, (each) => useFacts(intel, each)) };
    }
    case 'impact':
      return { symbol, impact: impactOf(intel, ids, depth, limit, signal) };
    case 'tests':
      return { symbol, tests: tests() };
    default:
      return {
        symbol,
        callers: callers(),
        callees: callees(),
        references: { total: ids.reduce((sum, id) => sum + graph.references(id).length, 0), items: [] },
        implementations: listed(
          ids.flatMap((id) => graph.implementations(id)),
          limit,
          (id) => bareFacts(intel, id),
        ),
        tests: tests(),
      };
  }
}

function aboutFile(intel: Intel, file: FileId, question: GraphQuestion): Partial<GraphAnswer> {
  const { graph } = intel;
  const { action, depth, limit = LIMIT, signal } = question;
  const about = fileAnswer(intel, file, action, limit);
  const outside = (references: CodeReference[]) => references.filter((each) => each.file !== file);
  const ids = graph.symbolsOf(file);
  switch (action) {
    case 'callers':
    case 'references': {
      const list = action === 'callers' ? 'callers' : 'references';
      const uses = outside(ids.flatMap((id) => graph[list](id)));
      return { file: about, [list]: byUser(intel, uses, limit) };
    }
    case 'callees':
      return { file: about, callees: calls(intel, ids, limit, file) };
    case 'impact':
      return { file: about, impact: impactOf(intel, ids, depth, limit, signal, file) };
    case 'tests': {
      const found = distinct(ids.flatMap((id) => graph.testsOf(id, { limit, ...(depth ? { depth } : {}) })));
      return { file: about, tests: listed(found, limit, (each) => reached(intel, each)) };
    }
    default:
      return { file: about };
  }
}

/** Only an explanation shows what is in it; every answer says who imports it. */
function fileAnswer(intel: Intel, file: FileId, action: GraphAction, limit: number): FileAnswer {
  const { files, graph } = intel;
  const language = files.language(file);
  const explains = action === 'explain';
  const importers = graph.importers(file).map(({ from, line }) => ({ path: files.path(from), line }));
  const imports = explains ? graph.imports(file).map((edge) => importFacts(files, edge)) : [];
  const symbols = explains ? graph.symbolsOf(file) : [];
  return {
    path: files.path(file),
    ...(language ? { language } : {}),
    symbols: { total: symbols.length, items: telling(intel, file, symbols, limit).map((id) => symbolFacts(intel, id)) },
    imports: listed(distinctPaths(imports), limit, (each) => each),
    importers: listed(distinctPaths(importers), limit, (each) => each),
  };
}

/** The symbols that say most of a file, in their order. */
function telling({ graph }: Intel, file: FileId, symbols: readonly SymbolId[], limit: number): SymbolId[] {
  if (symbols.length <= limit) return [...symbols];
  const uses = graph.usesOf(file);
  const worths = symbols.map((id, at) => ({ id, at, worth: worthOf(graph.symbol(id), uses[at] ?? 0) }));
  worths.sort((a, b) => b.worth - a.worth || a.at - b.at);
  return worths
    .slice(0, limit)
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}

function importFacts(files: Intel['files'], { to, specifier, line }: ImportEdge): ImportFacts {
  return { path: to === undefined ? specifier : files.path(to), line };
}

function distinctPaths(edges: ImportFacts[]): ImportFacts[] {
  return [...Map.groupBy(edges, ({ path }) => path).values()].map(([first]) => first!);
}

/** Uses in the same function are one, with how many they are; those in tests come last. */
function byUser(intel: Intel, references: CodeReference[], limit: number): Listed<UseFacts> {
  const groups = [...Map.groupBy(references, ({ file, from }) => `${file} ${from ?? ''}`).values()];
  const facts = groups.map((group) => ({ first: group[0]!, times: group.length }));
  return listed(facts, limit, ({ first, times }) => useFacts(intel, first, times));
}

/** What is called, each target once, in the order of the calls. */
function calls(intel: Intel, ids: readonly SymbolId[], limit: number, within?: FileId): Listed<CalleeFacts> {
  const all = ids.flatMap((id) => intel.graph.callees(id));
  const others =
    within === undefined ? all : all.filter(({ to }) => to.some((id) => intel.graph.symbol(id).file !== within));
  const once = [...Map.groupBy(others, ({ to }) => to.join(' ')).values()].map(([first]) => first!);
  return listed(once, limit, (each) => calleeFacts(intel, each));
}

function impactOf(
  intel: Intel,
  ids: readonly SymbolId[],
  depth = IMPACT_DEPTH,
  limit = LIMIT,
  signal?: AbortSignal,
  within?: FileId,
): NonNullable<GraphAnswer['impact']> {
  const most = Math.max(limit, 1_000);
  const options = { depth, limit: most, ...(signal ? { signal } : {}) };
  const impacts = ids.map((id) => intel.graph.impact(id, options));
  const own = new Set(ids);
  const symbols = distinct(impacts.flatMap((impact) => impact.symbols)).filter(
    ({ symbol }) => !own.has(symbol) && intel.graph.symbol(symbol).file !== within,
  );
  symbols.sort((a, b) => b.score - a.score);
  const files = new Set(symbols.map(({ symbol }) => intel.graph.symbol(symbol).file));
  return {
    ...listed(symbols, limit, (each) => reached(intel, each)),
    ...(impacts.some(({ cut }) => cut) ? AT_LEAST : {}),
    depth,
    files: files.size,
    tests: symbols.filter(({ isTest }) => isTest).length,
  };
}

const AT_LEAST = { atLeast: true } as const;

/** Each symbol once, where it is nearest. */
function distinct(reachedSymbols: ImpactedSymbol[]): ImpactedSymbol[] {
  const nearest = new Map<SymbolId, ImpactedSymbol>();
  for (const each of reachedSymbols) {
    const known = nearest.get(each.symbol);
    if (!known || each.depth < known.depth) nearest.set(each.symbol, each);
  }
  return [...nearest.values()];
}

function reached(intel: Intel, { symbol, depth, certainty }: ImpactedSymbol): ReachedFacts {
  return { ...bareFacts(intel, symbol), depth, certainty };
}

function wayTo(intel: Intel, from: Named, asked: string | undefined): Partial<GraphAnswer> {
  if (!asked?.trim()) throw new BlackError('bad_question', 'The end of the way is not named.', 'Name a second symbol.');
  const to = nameSymbol(intel, asked);
  if (to.is === 'unknown' || to.is === 'ambiguous') return { asked, ...undecided(intel, to) };
  if (from.is !== 'symbol' || to.is !== 'symbol')
    throw new BlackError('bad_question', 'A way goes from a symbol to a symbol.', 'Name a symbol instead of a file.');
  const ways = from.ids.flatMap((start) => to.ids.map((end) => intel.graph.path(start, end) ?? []));
  const [shortest] = ways.filter((way) => way.length > 0).sort((a, b) => a.length - b.length);
  return {
    symbol: symbolFacts(intel, from.ids[0]!),
    to: symbolFacts(intel, to.ids[0]!),
    ...(shortest ? { way: shortest.map((id) => bareFacts(intel, id)) } : {}),
  };
}

function deadCode(intel: Intel, { of = '', limit = LIMIT }: GraphQuestion): Listed<SymbolFacts> {
  const path = of
    .trim()
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
  const found = intel.graph.deadCode({ ...(path && path !== '.' ? { path } : {}), limit: limit + 1 });
  return {
    ...listed(found.slice(0, limit), limit, (id) => symbolFacts(intel, id)),
    ...(found.length > limit ? AT_LEAST : {}),
  };
}

function listed<T, Facts>(all: readonly T[], limit: number, facts: (each: T) => Facts): Listed<Facts> {
  return { total: all.length, items: all.slice(0, limit).map(facts) };
}
