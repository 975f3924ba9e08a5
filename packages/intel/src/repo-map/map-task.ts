import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';
import type { SymbolId } from '../graph/code-graph-api.ts';
import { STOP_WORDS } from '../index/words/stop-words.ts';
import { pathWords, type TaskWord, taskWords } from './task-words.ts';

/** A task as the map sees it. */
export interface MapTask {
  /** Where it has to do with files, and how much. Empty: the map is of the repository as it is. */
  files: ReadonlyMap<FileId, number>;
  /** Symbols that it has to do with, and how many times more than others they count. */
  symbols: ReadonlyMap<SymbolId, number>;
  /** Those of them that it names: their uses count more, too. */
  named: readonly SymbolId[];
}

/** A name in more files than this says little. */
const COMMON_IN_FILES = 5;
const MOST_FOUND = 20;
const SHORTEST_WORD = 4;

/** How much of the start each clue is worth; they are compared with one another only. */
const WORTH = { file: 3, name: 2, word: 0.5, users: 0.5, search: 2, pathWord: 0.5 };
/** A test of what the task is about has less to do with it, unless it is about tests. */
const OF_TESTS = 0.2;
const NAMED = 10;
const NAMED_BY_A_WORD = 3;
const FOUND = 5;

/** Finds what a task has to do with: files that it is about, names and words of it, what a search for it finds. */
export function readTask(
  intel: Pick<CodeIntelligence, 'files' | 'graph' | 'index'>,
  text: string,
  files: readonly string[],
): MapTask {
  const task = new Clues(intel, /\b(?:tests?|specs?)\b/i.test(text));
  for (const path of files) {
    const file = intel.files.idOf(path);
    if (file !== undefined) task.addFile(file, WORTH.file);
  }
  const words = taskWords(text);
  for (const word of words) addName(task, intel, word);
  addPathWords(task, intel, words);
  const hits = text.trim() === '' ? [] : intel.index.searchWords(text, { limit: MOST_FOUND });
  const total = hits.reduce((sum, { rank }) => sum + 1 / rank, 0);
  for (const { file, startLine, rank } of hits) {
    task.addFile(file, WORTH.search / rank / total);
    const symbol = intel.graph.symbolAt(file, startLine);
    if (symbol !== undefined) task.addSymbol(symbol, FOUND / Math.sqrt(rank));
  }
  return task;
}

class Clues implements MapTask {
  readonly files = new Map<FileId, number>();
  readonly symbols = new Map<SymbolId, number>();
  readonly named: SymbolId[] = [];
  readonly #intel: Pick<CodeIntelligence, 'graph'>;
  readonly #isAboutTests: boolean;

  constructor(intel: Pick<CodeIntelligence, 'graph'>, isAboutTests: boolean) {
    this.#intel = intel;
    this.#isAboutTests = isAboutTests;
  }

  addFile(file: FileId, worth: number): void {
    const counts = this.#isAboutTests || !isTestFile(this.#intel, file) ? worth : worth * OF_TESTS;
    this.files.set(file, (this.files.get(file) ?? 0) + counts);
  }

  addSymbol(symbol: SymbolId, times: number): void {
    this.symbols.set(symbol, Math.max(this.symbols.get(symbol) ?? 1, times));
  }
}

/** What is in a file of tests is a test, or helps one. */
export function isTestFile({ graph }: Pick<CodeIntelligence, 'graph'>, file: FileId): boolean {
  const [first] = graph.symbolsOf(file);
  return first !== undefined && graph.symbol(first).isTest;
}

/** A word that is the very name of symbols leads to where they are defined, and less so to where they are used. */
function addName(task: Clues, { graph }: Pick<CodeIntelligence, 'graph'>, { text, isName }: TaskWord): void {
  if (!isName && (text.length < SHORTEST_WORD || saysLittle(text))) return;
  const found = graph.find(text, { match: 'exact', limit: MOST_FOUND }).filter((id) => graph.symbol(id).name === text);
  const homes = new Set(found.map((id) => graph.symbol(id).file));
  if (homes.size === 0 || (!isName && homes.size > COMMON_IN_FILES)) return;
  for (const file of homes) task.addFile(file, (isName ? WORTH.name : WORTH.word) / homes.size);
  for (const id of found) {
    task.addSymbol(id, isName ? NAMED : NAMED_BY_A_WORD);
    if (isName) task.named.push(id);
  }
  if (!isName) return;
  const users = new Set(found.flatMap((id) => graph.references(id).map(({ file }) => file)));
  for (const file of users) task.addFile(file, WORTH.users / users.size);
}

/** Words of a task that say what is to be done, not where. */
const EVERYDAY = new Set(
  'add allow avoid change check code create delete do ensure file find fix folder function get give handle have implement keep let look make mend method move need new not only put read refactor remove rename replace return run set should show support test tests than that them then this update use used uses using want when why work write'.split(
    ' ',
  ),
);

function saysLittle(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase()) || EVERYDAY.has(word.toLowerCase());
}

/** Each word is worth the same: one that stands in many paths is spread thin. */
function addPathWords(task: Clues, { files }: Pick<CodeIntelligence, 'files'>, words: readonly TaskWord[]): void {
  const telling = words.map(({ text }) => text.toLowerCase()).filter((word) => !saysLittle(word));
  const wanted = new Map(telling.map((word) => [word, [] as FileId[]]));
  if (wanted.size === 0) return;
  for (const file of files.ids()) for (const word of pathWords(files.path(file))) wanted.get(word)?.push(file);
  for (const found of wanted.values()) for (const file of found) task.addFile(file, WORTH.pathWord / found.length);
}
