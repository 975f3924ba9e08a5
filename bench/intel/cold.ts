import { join } from 'node:path';
import { compare, median, runNode } from '../lib/measure.ts';
import { type Bench, type Row, ratioRow, type Skipped } from '../lib/row.ts';
import { indexCold, sizeOf } from './lib/index-run.ts';
import { writeParsePlan } from './lib/parse-plan.ts';
import { findTree, LANGUAGE_TREES, TreeCopy } from './lib/trees.ts';

const PARSE = join(import.meta.dirname, 'parse-once.mjs');
const QUICK_LANGUAGES = 4;
const MB = 1e6;

/**
 * Indexing a tree from nothing, everything on the disk at the end, over reading, parsing and capturing the same files with
 * the same grammar and queries in one thread: processor time of whole processes, for each language. And what an index of a
 * whole repository of 10,000 files takes in memory and on the disk.
 */
export const cold: Bench = async ({ rounds }) => {
  const quick = rounds < 3;
  const rows: (Row | Skipped)[] = [];
  for (const { language, tree, endings } of quick ? LANGUAGE_TREES.slice(0, QUICK_LANGUAGES) : LANGUAGE_TREES) {
    const what = `${language}: index from nothing / parse + captures`;
    const folder = findTree(tree, what);
    if (typeof folder !== 'string') {
      rows.push(folder);
      continue;
    }
    using copy = new TreeCopy(folder, { endings, maxBytes: (quick ? 2 : 10) * MB });
    const plan = join(copy.home, 'plan.json');
    writeParsePlan(plan, copy.root, copy.files);
    const { ours, reference } = await compare(
      Math.min(rounds, 5),
      () => indexCold(copy.root, copy.home),
      () => runNode([PARSE, plan], { cwd: copy.root, env: { HOME: copy.home } }),
    );
    const size = `${copy.files.length} files, ${(copy.bytes / MB).toFixed(1)} MB`;
    rows.push({ ...ratioRow(`${what} (${size})`, ours.cpuMs, reference.cpuMs, 1.6, 'ms CPU'), note: tree });
  }
  return [...rows, ...(await large(rounds))];
};

async function large(rounds: number): Promise<(Row | Skipped)[]> {
  const what = 'memory to index 10,000 files';
  const folder = findTree('spring', what);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder);
  const runs = [];
  for (let round = 0; round < Math.min(rounds, 3); round += 1) runs.push(await indexCold(copy.root, copy.home));
  const { report } = runs[0]!;
  const peakMb = median(runs.map((run) => run.peakMb));
  const stored = sizeOf(join(copy.home, 'index')) / report.sourceBytes;
  const note = `spring, ${report.files} files, ${report.symbols} symbols, ${(report.sourceBytes / MB).toFixed(0)} MB`;
  return [
    { what, ours: `${peakMb.toFixed(0)} MB`, reference: '', value: peakMb, limit: 200, unit: 'MB', note },
    {
      what: 'graph and index together on the disk, bytes for each byte of source',
      ours: stored.toFixed(2),
      reference: '',
      value: stored,
      limit: 0.5,
      unit: '',
      note,
    },
  ];
}
