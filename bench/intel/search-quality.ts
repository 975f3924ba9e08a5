// How well the search finds a function by what its doc comment says: node bench/intel/search-quality.ts TREE [COUNT]
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import type { CodeIntelligence, CodeIntelligenceOptions, CodeSymbol } from '../../packages/intel/src/index.ts';
import { PlainWords } from './lib/plain-words.ts';

export interface SearchQuality {
  questions: number;
  chunks: number;
  /** Mean reciprocal rank of the right function, of the first ten hits. */
  mrr: number;
  /** Part of the questions whose function is among the first ten. */
  found: number;
  /** Mean reciprocal rank by plain words, over the functions of the same tree alone. */
  plainMrr: number;
}

type Open = (options: CodeIntelligenceOptions) => Promise<CodeIntelligence>;

/** A documented function and what a person would ask for. */
interface Question {
  path: string;
  startLine: number;
  endLine: number;
  text: string;
}

const RANKED = 10;
const CODE: readonly string[] = ['function', 'method', 'constructor'];
/** Larger files are no source that somebody wrote. */
const MOST_BYTES = 400_000;
const FEWEST_WORDS = 4;
/** Lines of a function beside its comment, at least: others say too little to be found by. */
const FEWEST_LINES = 3;

/**
 * Asks for documented functions by the first paragraphs of their doc comments, after the comments of all functions were
 * taken out of the files. Which functions are asked for depends on the tree alone.
 * @param tree a folder of sources; it is copied, not changed.
 * @param count of questions, at most.
 */
export async function measureSearchQuality(tree: string, open: Open, count = 1_000): Promise<SearchQuality> {
  const root = mkdtempSync(join(tmpdir(), 'black-bench-'));
  try {
    cpSync(tree, root, { recursive: true, filter: isSource });
    const intel = await open({ root, folder: undefined });
    try {
      await intel.refresh();
      const functions = functionsOf(intel);
      const questions = sampleOf(questionsOf(intel, functions), count);
      for (const path of new Set(functions.map((each) => each.path))) {
        removeDocs(
          root,
          path,
          functions.filter((each) => each.path === path),
        );
      }
      await intel.refresh();
      return measure(intel, functions, questions);
    } finally {
      await intel.dispose();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function isSource(path: string): boolean {
  const name = basename(path);
  if (name === 'node_modules' || name === '.git') return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isDirectory() || (stats.isFile() && stats.size <= MOST_BYTES));
}

function functionsOf({ files, graph }: CodeIntelligence): CodeSymbol[] {
  const all = [...files.ids()].flatMap((file) => graph.symbolsOf(file).map((id) => graph.symbol(id)));
  return all.filter(({ kind }) => CODE.includes(kind));
}

function questionsOf(intel: CodeIntelligence, functions: readonly CodeSymbol[]): Question[] {
  return functions.flatMap(({ path, startLine, endLine, doc, isTest }) => {
    if (!doc || isTest) return [];
    const first = Math.min(startLine, doc.startLine);
    if (endLine - first - (doc.endLine - doc.startLine) < FEWEST_LINES) return [];
    const text = firstParagraph(intel.lines(path, doc.startLine, doc.endLine) ?? []);
    return text.split(' ').length < FEWEST_WORDS ? [] : [{ path, startLine: first, endLine, text }];
  });
}

/** Without the signs of comments and docstrings, and without what follows the prose. */
function firstParagraph(lines: readonly string[]): string {
  const words: string[] = [];
  for (const line of lines) {
    const text = line
      .replace(/^\s*(?:\/\*+|\/\/+!?|\*+\/?|#+|--+|[rRbBuU]{0,2}(?:"""|'''|"|'))\s?/, '')
      .replace(/\s*(?:\*+\/|"""|'''|"|')\s*$/, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .trim();
    if (/^[@:\\]/.test(text) || (text === '' && words.length > 0)) break;
    if (text !== '') words.push(...text.split(/\s+/));
  }
  return words.join(' ');
}

/** Always the same ones, from everywhere in the tree. */
function sampleOf(questions: readonly Question[], count: number): Question[] {
  const order = ({ path, startLine }: Question) => {
    let hash = 0x811c9dc5;
    for (const char of `${path}:${startLine}`) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
    return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
  };
  return questions.toSorted((x, y) => order(x) - order(y)).slice(0, count);
}

/** Lines keep their numbers. */
function removeDocs(root: string, path: string, functions: readonly CodeSymbol[]): void {
  const file = join(root, path);
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const { startLine, doc } of functions) {
    if (!doc) continue;
    for (let line = doc.startLine; line <= doc.endLine; line++) {
      // A docstring may be all that is in a function.
      const indent = line === doc.startLine && extname(path) === '.py' && doc.startLine > startLine;
      lines[line - 1] = indent ? `${/^\s*/.exec(lines[line - 1]!)![0]}pass` : '';
    }
  }
  writeFileSync(file, lines.join('\n'));
}

function measure(intel: CodeIntelligence, functions: CodeSymbol[], questions: Question[]): SearchQuality {
  const texts = functions.map(({ path, startLine, endLine }) =>
    (intel.lines(path, startLine, endLine) ?? []).join('\n'),
  );
  const plain = new PlainWords(texts);
  let [sum, found, plainSum] = [0, 0, 0];
  for (const { path, startLine, endLine, text } of questions) {
    const hits = intel.index.searchWords(text, { limit: RANKED });
    const rank =
      hits.findIndex((hit) => hit.path === path && hit.startLine >= startLine && hit.startLine <= endLine) + 1;
    if (rank > 0) {
      sum += 1 / rank;
      found++;
    }
    const isRight = (i: number) => functions[i]!.path === path && functions[i]!.endLine === endLine;
    const plainRank = plain.search(text, RANKED).findIndex(isRight) + 1;
    if (plainRank > 0) plainSum += 1 / plainRank;
  }
  const all = questions.length;
  return {
    questions: all,
    chunks: intel.index.chunkCount,
    mrr: sum / all,
    found: found / all,
    plainMrr: plainSum / all,
  };
}

if (import.meta.main) {
  const [tree, count] = process.argv.slice(2);
  if (!tree) throw new Error('Name a folder of sources: node bench/intel/search-quality.ts TREE [COUNT]');
  const intel: { openCodeIntelligence?: Open } = await import('../../packages/intel/src/index.ts');
  if (!intel.openCodeIntelligence) throw new Error('packages/intel has no index to open yet.');
  console.log(await measureSearchQuality(tree, intel.openCodeIntelligence, count ? Number(count) : undefined));
}
