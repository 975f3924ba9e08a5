import { type CodeIntelligence, type CodeSymbol, openCodeIntelligence } from '../../packages/intel/src/index.ts';
import type { Bench, Row, Skipped } from '../lib/row.ts';
import { loadNote, percentile, processMs } from './lib/timing.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const SAMPLE = 3_000;
const QUERIES = 500;
const CALLABLE = ['function', 'method', 'class'] as const;

/** What answers take in process, of processor time, on an index that was read from the disk. */
export const questions: Bench = async ({ rounds }) => [
  ...(await asked('spring', rounds, ({ graph }, symbols) => [
    limit('a symbol by its name, and its callers, p95', 0.1, (ask) => {
      for (const { id, name } of symbols)
        ask(() => [graph.find(name, { match: 'exact', limit: 10 }), graph.callers(id)]);
    }),
    limit('what breaks, to depth 3, p95', 5, (ask) => {
      for (const { id } of symbols) ask(() => graph.impact(id, { depth: 3 }));
    }),
    limit('what breaks for the 100 most called symbols, to depth 3, p95', 5, (ask) => {
      const calls = new Map(symbols.map(({ id }) => [id, graph.callers(id).length]));
      const central = [...calls].sort(([, a], [, b]) => b - a).slice(0, 100);
      for (const [id] of central) ask(() => graph.impact(id, { depth: 3 }));
    }),
  ])),
  ...(await asked('django', rounds, (intel, symbols) => {
    const { index } = intel;
    const queries = symbols.flatMap(({ path, doc }) =>
      doc ? (intel.lines(path, doc.startLine, doc.endLine)?.join(' ') ?? []) : [],
    );
    return [
      limit(`search by a doc comment's words in ${index.chunkCount} chunks, p95`, 0.3, (ask) => {
        for (const query of queries.slice(0, QUERIES)) ask(() => index.searchWords(query.slice(0, 120), { limit: 10 }));
      }),
    ];
  })),
];

/** Measures a question again and again; `ask` runs it once and notes the time. */
interface Question {
  what: string;
  limit: number;
  run(ask: (question: () => unknown) => void): void;
}

function limit(what: string, ms: number, run: Question['run']): Question {
  return { what, limit: ms, run };
}

async function asked(
  tree: string,
  rounds: number,
  make: (intel: CodeIntelligence, symbols: CodeSymbol[]) => Question[],
): Promise<(Row | Skipped)[]> {
  const folder = findTree(tree, `questions about ${tree}`);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder);
  const options = { root: copy.root, folder: copy.home };
  const first = await openCodeIntelligence(options);
  await first.refresh();
  await first.dispose();
  const intel = await openCodeIntelligence(options);
  try {
    await intel.refresh();
    const symbols = sampleOf(intel);
    const note = `${tree}: ${intel.graph.symbolCount} symbols, ${intel.graph.referenceCount} uses`;
    return make(intel, symbols).map((question) => ({ ...measure(question, rounds), note }));
  } finally {
    await intel.dispose();
  }
}

/** Every n-th function, method and class. */
function sampleOf({ files, graph }: CodeIntelligence): CodeSymbol[] {
  const all = [...files.ids()].flatMap((file) => graph.symbolsOf(file).map((id) => graph.symbol(id)));
  const callable = all.filter(({ kind }) => CALLABLE.some((each) => each === kind));
  const step = Math.max(1, Math.floor(callable.length / SAMPLE));
  return callable.filter((_, at) => at % step === 0);
}

/** Once to warm up; then the percentile of all times of several rounds, of processor time and by the clock. */
function measure({ what, limit: most, run }: Question, rounds: number): Row {
  run((question) => question());
  const times: number[] = [];
  const byClock: number[] = [];
  for (let round = 0; round < Math.min(rounds, 5); round += 1) {
    run((question) => {
      const started = performance.now();
      const before = processMs();
      question();
      times.push(processMs() - before);
      byClock.push(performance.now() - started);
    });
  }
  const value = percentile(times, 95);
  const ours = `${value.toFixed(3)} ms CPU; half ${percentile(times, 50).toFixed(3)}, longest ${Math.max(...times).toFixed(1)}`;
  const reference = `${percentile(byClock, 95).toFixed(3)} ms by the clock, ${loadNote()}`;
  return { what, ours, reference, value, limit: most, unit: 'ms' };
}
