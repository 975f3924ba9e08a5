import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';
import type { CodeSymbol } from '../graph/code-graph-api.ts';
import { countTokens as countRoughly } from './count-tokens.ts';
import { isTestFile, type MapTask, readTask } from './map-task.ts';
import { fileText, linksText, type MapFile, MapText, MOST_LINKS } from './map-text.ts';
import { type ModuleLink, moduleLinks } from './module-links.ts';
import { pageRank, type WeightedEdges } from './page-rank.ts';
import { rankSymbols } from './rank-symbols.ts';

export interface RepoMapOptions {
  /** The most tokens that the text may have. */
  tokens: number;
  /** A task in a person's words: what it has to do with comes first. */
  for?: string;
  /** Files that it is about, from the root. */
  files?: readonly string[];
  signal?: AbortSignal;
}

/** A map of a repository: the files that matter, their main symbols, and how the folders connect (INT-14). */
export interface RepoMap {
  text: string;
  /** Of the text. */
  tokens: number;
  /** Best first. */
  files: MapFile[];
  links: ModuleLink[];
}

/** What the map is made from. */
type Intel = Pick<CodeIntelligence, 'files' | 'graph' | 'index' | 'lines' | 'version'>;

/** So many maps are kept for as long as nothing changes. */
const MOST_KEPT = 8;
/** What a line of the map takes at the least, in tokens; most take more. */
const LEAST_LINE = 8;
/** The links take at most this part of the budget. */
const LINKS_PART = 0.15;
/** From this part of the budget on nothing more is looked for that fits. */
const FULL = 0.97;
/** So many symbols are tried to fill what is left. */
const MOST_TRIED = 200;
/** How much of the start a task takes; the rest is the repository's own. */
const TASK_PART = 0.75;
/** A test says what matters, but is not what matters. */
const TEST_START = 0.1;
const TEST_SUBSTANCE = 0.3;

/**
 * Makes maps of one workspace. It keeps what it made for as long as the code stays as it is, and begins from the last
 * ranks where it does not. Equal trees give equal maps, whatever was asked before.
 */
export class RepoMapper {
  readonly #intel: Intel;
  readonly #countTokens: (text: string) => number;
  readonly #kept = new Map<string, RepoMap>();
  #version = -1;
  /** Of the last map, to begin the next from. */
  #last: { used: Float64Array; using: Float64Array } | undefined;

  /** @param countTokens of whoever reads the map; see `countTokens` for the default. */
  constructor(intel: Intel, countTokens: (text: string) => number = countRoughly) {
    this.#intel = intel;
    this.#countTokens = countTokens;
  }

  /** @throws the signal's reason where it is aborted. */
  map({ tokens, for: text = '', files = [], signal }: RepoMapOptions): RepoMap {
    signal?.throwIfAborted();
    if (this.#version !== this.#intel.version) this.#kept.clear();
    this.#version = this.#intel.version;
    const key = JSON.stringify([tokens, text, files]);
    const known = this.#kept.get(key);
    if (known) return known;
    const made = this.#make(tokens, readTask(this.#intel, text, files), signal);
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, made);
    return made;
  }

  #make(budget: number, task: MapTask, signal: AbortSignal | undefined): RepoMap {
    const { files, graph } = this.#intel;
    const edges = graph.fileEdges();
    const { start, sources, substance } = this.#start(task);
    signal?.throwIfAborted();
    const ranks = this.#rank(withNamed(this.#intel, edges, task), start, substance);
    signal?.throwIfAborted();
    const ranked = rankSymbols(this.#intel, ranks, task, Math.ceil(budget / LEAST_LINE));
    const links = moduleLinks(files, edges, sources);
    const symbols = ranked.map(({ symbol }) => symbol);
    return this.#fit(symbols, links, budget, signal);
  }

  /**
   * A file matters when much rests on it, and when it brings much together: the mean of its ranks along the uses and
   * against them, so that neither the smallest helper nor a program that only starts others stands above all. With it
   * counts how much there is in it.
   */
  #rank(edges: WeightedEdges, start: Float64Array, substance: Float64Array): Float64Array {
    const used = pageRank(edges, { start, warm: this.#last?.used });
    const using = pageRank({ ...edges, from: edges.to, to: edges.from }, { start, warm: this.#last?.using });
    this.#last = { used, using };
    return used.map((rank, file) => Math.sqrt(rank * using[file]!) * substance[file]!);
  }

  /** By file: where walks begin, and how much is in it; and which files have symbols and are no tests. */
  #start({ files: wanted }: MapTask): { start: Float64Array; substance: Float64Array; sources: FileId[] } {
    const { files, graph } = this.#intel;
    const start = new Float64Array(files.size);
    const substance = new Float64Array(files.size);
    const sources: FileId[] = [];
    let total = 0;
    for (const file of files.ids()) {
      const symbols = graph.symbolsOf(file);
      const [first] = symbols;
      const isTest = isTestFile(this.#intel, file);
      substance[file] = Math.log2(1 + symbols.length) * (isTest && !wanted.has(file) ? TEST_SUBSTANCE : 1);
      if (first !== undefined && !isTest) sources.push(file);
      start[file] = first === undefined ? 0 : isTest ? TEST_START : 1;
      total += start[file];
    }
    let worth = 0;
    for (const each of wanted.values()) worth += each;
    if (worth === 0 || total === 0) return { start, substance, sources };
    for (const file of files.ids()) {
      start[file] = ((1 - TASK_PART) * start[file]!) / total + (TASK_PART * (wanted.get(file) ?? 0)) / worth;
    }
    return { start, substance, sources };
  }

  /** As many symbols, best first, as the budget has room for, found by halving; then smaller ones that still fit. */
  #fit(ranked: readonly CodeSymbol[], links: ModuleLink[], budget: number, signal: AbortSignal | undefined): RepoMap {
    const text = new MapText(this.#intel);
    const all = [...this.#intel.files.ids()].length;
    let ending = '';
    for (let most = MOST_LINKS; most > 0 && ending === ''; most--) {
      const some = linksText(links, most);
      if (this.#countTokens(some) <= budget * LINKS_PART) ending = some;
    }
    const draw = (selected: readonly CodeSymbol[]) => {
      signal?.throwIfAborted();
      const files = text.files(selected);
      const head = `${files.length} of ${all} files, the most important first; line: signature`;
      const whole = [head, ...files.map(fileText), ending].filter(Boolean).join('\n\n');
      return { text: whole, tokens: this.#countTokens(whole), files, links };
    };
    let [fits, tooMany] = [0, ranked.length + 1];
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1;
      if (draw(ranked.slice(0, middle)).tokens <= budget) fits = middle;
      else tooMany = middle;
    }
    const selected = ranked.slice(0, fits);
    let best = draw(selected);
    for (const symbol of ranked.slice(fits, fits + MOST_TRIED)) {
      if (best.tokens >= budget * FULL) break;
      const more = draw([...selected, symbol]);
      if (more.tokens > budget) continue;
      selected.push(symbol);
      best = more;
    }
    return best.tokens <= budget && best.files.length > 0 ? best : { text: '', tokens: 0, files: [], links };
  }
}

/** A map made once; see `RepoMapper` for one that is made again and again. */
export function repoMap(
  intel: Intel,
  { countTokens, ...options }: RepoMapOptions & { countTokens?: (text: string) => number },
): RepoMap {
  return new RepoMapper(intel, countTokens).map(options);
}

/** The edges, with those to what the task names made heavier. */
function withNamed({ graph }: Intel, edges: WeightedEdges, { named, symbols }: MapTask): WeightedEdges {
  const heavier = new Map<string, { from: FileId; to: FileId; uses: number; times: number }>();
  for (const id of named) {
    const to = graph.symbol(id).file;
    for (const { file: from } of graph.references(id)) {
      if (from === to) continue;
      const key = `${id} ${from}`;
      const edge = heavier.get(key) ?? { from, to, uses: 0, times: symbols.get(id) ?? 1 };
      edge.uses += 1;
      heavier.set(key, edge);
    }
  }
  if (heavier.size === 0) return edges;
  const more = [...heavier.values()];
  return {
    from: Int32Array.from([...edges.from, ...more.map(({ from }) => from)]),
    to: Int32Array.from([...edges.to, ...more.map(({ to }) => to)]),
    weight: Float64Array.from([...edges.weight, ...more.map(({ uses, times }) => (times - 1) * Math.sqrt(uses))]),
  };
}
