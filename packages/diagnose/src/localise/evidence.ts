import { type CodeIntelligence, isTestFile, type SearchHit } from '@black-ide/intel';
import { FrameMatcher } from '../frames/match-frames.ts';
import type { Report } from '../report/read-report.ts';
import { emptyRow, type FeatureRow } from './features.ts';
import { isForeignFile, isSideFile } from './file-kinds.ts';
import { findLiterals } from './literals.ts';

/** Something of the report that points into a file, for its ranges and for whoever asks why. */
export interface Clue {
  kind: 'frame' | 'literal' | 'name' | 'words';
  /** From 1, both ends included. */
  startLine: number;
  endLine: number;
  symbol: string | undefined;
  weight: number;
  /** What a person is told of it. */
  why: string;
}

export interface FileEvidence {
  path: string;
  row: FeatureRow;
  clues: Clue[];
}

export interface EvidenceOptions {
  intel: CodeIntelligence;
  report: Report;
  signal: AbortSignal;
}

const HITS = 200;
/** How many of the first tests speak for what they test. */
const LEADERS = 6;
const MOST_FRAMES = 40;
/** A name that so many symbols have means none of them. */
const MOST_NAMESAKES = 12;
/** Less of a feature is none. */
const LEAST = 0.05;
const MIN_WORDS = 0.1;
/** Words that say nothing of what a report is about. */
const PLAIN = new Set(
  'the and for with not are was but you has have this that when from will can all any its into than then been does out use used using get set add new fix bug error fail issue problem version file line code test main index util common src lib core'.split(
    ' ',
  ),
);

/** Gathers what speaks for each file of a repository that anything speaks for. @throws the signal's reason. */
export async function gatherEvidence({ intel, report, signal }: EvidenceOptions): Promise<FileEvidence[]> {
  const files = new Map<string, FileEvidence>();
  const of = (path: string): FileEvidence => {
    const known = files.get(path) ?? { path, row: emptyRow(), clues: [] };
    files.set(path, known);
    return known;
  };
  const ids = [...intel.files.ids()];
  const paths = ids.map((id) => intel.files.path(id));
  frames(report, new FrameMatcher(paths), intel, of);
  const code = [...report.code, ...report.names].join('\n').slice(0, 4_000);
  const errors = report.quotes.join('\n').slice(0, 2_000);
  words('title', report.title, intel, of);
  words('prose', report.prose.slice(0, 6_000), intel, of);
  words('code', code, intel, of);
  words('error', errors, intel, of);
  names(report, intel, of);
  mentions(report, paths, of);
  wordsOfPaths(report, paths, of);
  for (const { path, line, weight } of await findLiterals(intel.root, report.quotes, signal)) {
    if (intel.files.idOf(path) === undefined) continue;
    const file = of(path);
    file.row.literal = Math.max(file.row.literal, weight);
    file.clues.push({
      kind: 'literal',
      startLine: line,
      endLine: line,
      symbol: undefined,
      weight,
      why: 'has a text of the report as it is',
    });
  }
  tested(intel, files, of);
  for (const file of files.values()) kinds(file, intel);
  return [...files.values()];
}

function frames(
  report: Report,
  matcher: FrameMatcher,
  intel: CodeIntelligence,
  of: (path: string) => FileEvidence,
): void {
  for (const { frames: all } of report.traces) {
    let depth = 0;
    for (const frame of all.slice(0, MOST_FRAMES)) {
      const match = matcher.match(frame);
      if (!match) continue;
      const file = of(match.path);
      const isProduct = !isTestFile(match.path);
      const weight = 1 / (1 + depth);
      if (depth === 0 && isProduct) file.row.frameTop = 1;
      else file.row.frame = Math.max(file.row.frame, weight);
      if (isProduct) depth += 1;
      const line = placeOf(frame.code, frame.line, frame.symbol, match.path, intel);
      if (line === undefined) continue;
      const why = `is in the stack trace${frame.symbol ? `: ${frame.symbol}` : ''}`;
      file.clues.push({ kind: 'frame', startLine: line, endLine: line, symbol: frame.symbol, weight, why });
    }
  }
}

/** Where a frame is now: by the code that it quotes, by its line, by its function. */
function placeOf(
  code: string | undefined,
  line: number | undefined,
  symbol: string | undefined,
  path: string,
  intel: CodeIntelligence,
): number | undefined {
  const file = intel.files.idOf(path);
  if (file === undefined) return undefined;
  if (code !== undefined && line !== undefined) {
    const all = intel.lines(path, 1, Number.MAX_SAFE_INTEGER) ?? [];
    if (all[line - 1]?.trim() === code) return line;
    const places = all.flatMap((text, at) => (text.trim() === code ? [at + 1] : []));
    if (places.length > 0)
      return places.reduce((best, at) => (Math.abs(at - line) < Math.abs(best - line) ? at : best));
  }
  const name = symbol
    ?.split(/[.:#>\\]+/)
    .at(-1)
    ?.replace(/\W/g, '');
  if (name) {
    const named = intel.graph
      .symbolsOf(file)
      .map((id) => intel.graph.symbol(id))
      .filter((each) => each.name === name);
    const around = named.find(({ startLine, endLine }) => line !== undefined && startLine <= line && line <= endLine);
    if (!around && named[0]) return named[0].startLine;
  }
  const last = line === undefined ? undefined : intel.lines(path, line, line);
  return last && last.length > 0 ? line : undefined;
}

type WordFeature = 'title' | 'prose' | 'code' | 'error';

function words(feature: WordFeature, query: string, intel: CodeIntelligence, of: (path: string) => FileEvidence): void {
  if (query.trim() === '') return;
  const hits = intel.index.searchWords(query, { limit: HITS });
  const best = hits[0]?.score ?? 0;
  if (best <= 0) return;
  const perFile = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const known = perFile.get(hit.path);
    if (known) known.push(hit);
    else perFile.set(hit.path, [hit]);
  }
  for (const [path, own] of perFile) {
    const file = of(path);
    file.row[feature] = Math.max(file.row[feature], own[0]!.score / best);
    const breadth = own.slice(0, 3).reduce((sum, { score }) => sum + score / best / 3, 0);
    file.row.breadth = Math.max(file.row.breadth, breadth);
    for (const { startLine, endLine, symbol, score, why } of own.slice(0, 4)) {
      const told = `has ${why.words.slice(0, 4).join(', ')}`;
      file.clues.push({ kind: 'words', startLine, endLine, symbol, weight: score / best, why: told });
    }
  }
}

function names(report: Report, intel: CodeIntelligence, of: (path: string) => FileEvidence): void {
  for (const name of report.names) {
    const found = intel.graph.find(name, { match: 'exact', limit: MOST_NAMESAKES + 1 });
    if (found.length === 0 || found.length > MOST_NAMESAKES) continue;
    for (const id of found) {
      const { path, startLine, endLine, container, name: own } = intel.graph.symbol(id);
      const weight = 1 / Math.sqrt(found.length);
      const file = of(path);
      file.row.name = Math.max(file.row.name, weight);
      const symbol = [...container, own].join('.');
      file.clues.push({
        kind: 'name',
        startLine,
        endLine,
        symbol,
        weight,
        why: `defines ${own}, which the report names`,
      });
    }
  }
}

function mentions(report: Report, paths: readonly string[], of: (path: string) => FileEvidence): void {
  const named = report.paths.map((path) => path.toLowerCase());
  for (const path of paths) {
    const lower = path.toLowerCase();
    const base = lower.slice(lower.lastIndexOf('/') + 1);
    if (
      named.some((each) => each === base || lower === each || each.endsWith(`/${lower}`) || lower.endsWith(`/${each}`))
    )
      of(path).row.path = 1;
  }
}

/** Names of files and folders are made of words: `NavDrawerFragment` has the drawer that a report speaks of. */
function wordsOfPaths(report: Report, paths: readonly string[], of: (path: string) => FileEvidence): void {
  const said = new Map<string, number>();
  for (const word of wordsIn(report.prose.slice(0, 6_000))) said.set(word, 0.6);
  for (const word of wordsIn(report.title)) said.set(word, 1);
  const code = paths.filter((path) => !isTestFile(path));
  const names = code.map((path) => wordsIn(path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')));
  const folders = code.map((path) => wordsIn(path.split('/').slice(-3, -1).join(' ')));
  for (const [feature, all] of [
    ['nameWords', names],
    ['folderWords', folders],
  ] as const) {
    const rarity = rarityOf(all);
    const scores = all.map((words) => {
      let sum = 0;
      let most = 0;
      for (const word of words) {
        const rare = rarity(word);
        most += rare;
        sum += rare * (said.get(word) ?? 0);
      }
      return sum / (most + 2);
    });
    code.forEach((path, at) => {
      if (scores[at]! >= MIN_WORDS) of(path).row[feature] = Math.min(1, scores[at]!);
    });
  }
}

/** The words of a text, as names are split, in their basic form; each once. */
function wordsIn(text: string): Set<string> {
  const split = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  const words = split.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !PLAIN.has(word)).map(basic));
}

function basic(word: string): string {
  return word.length > 4 ? word.replace(/ies$/, 'y').replace(/(?:ing|ed|ers?|es|s)$/, '') : word;
}

/** How telling a word is among sets of them: log of how many have it not. */
function rarityOf(sets: readonly ReadonlySet<string>[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + sets.length / (counts.get(word) ?? 1));
}

/** A test that much speaks for, speaks for what it uses. */
function tested(intel: CodeIntelligence, files: Map<string, FileEvidence>, of: (path: string) => FileEvidence): void {
  const strength = ({ row }: FileEvidence): number =>
    2 * row.frameTop + row.frame + row.title + row.prose + row.code + row.error + row.name + row.literal;
  const tests = [...files.values()].filter(({ path }) => isTestFile(path));
  const leaders = tests.sort((x, y) => strength(y) - strength(x)).slice(0, LEADERS);
  const most = leaders[0] ? strength(leaders[0]) : 0;
  if (most === 0) return;
  const shares = new Map(leaders.map((each) => [intel.files.idOf(each.path), strength(each) / most]));
  const { from, to, weight } = intel.graph.fileEdges();
  const out = new Map<number, number>();
  for (let edge = 0; edge < from.length; edge += 1) {
    if (shares.has(from[edge]!)) out.set(from[edge]!, (out.get(from[edge]!) ?? 0) + weight[edge]!);
  }
  for (let edge = 0; edge < from.length; edge += 1) {
    const share = shares.get(from[edge]!);
    if (share === undefined || !intel.files.has(to[edge]!)) continue;
    const amount = share * Math.sqrt(weight[edge]! / out.get(from[edge]!)!);
    if (amount < LEAST) continue;
    const { row } = of(intel.files.path(to[edge]!));
    row.tested = Math.min(1, row.tested + amount);
  }
}

function kinds({ path, row }: FileEvidence, intel: CodeIntelligence): void {
  const id = intel.files.idOf(path);
  row.test = isTestFile(path) ? 1 : 0;
  row.notCode = id !== undefined && intel.files.language(id) === undefined ? 1 : 0;
  row.side = isSideFile(path) ? 1 : 0;
  row.foreign = isForeignFile(path) ? 1 : 0;
}
