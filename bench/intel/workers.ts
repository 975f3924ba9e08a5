import { loadavg } from 'node:os';
import { ParserPool } from '../../packages/intel/src/index.ts';
import { median } from '../lib/measure.ts';
import type { Bench } from '../lib/row.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const WARM_UP = 200;

/** Parsing a tree with one worker thread over parsing it with two, by the clock; the threads have started before. */
export const workers: Bench = async ({ rounds }) => {
  const what = 'parsing: one worker / two, by the clock';
  const folder = findTree('spring', what);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder, { endings: ['.java'], maxBytes: rounds < 3 ? 4e6 : Infinity });
  const [one, two]: number[][] = [[], []];
  const load = loadavg()[0]!;
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    one!.push(await parse(copy, 1));
    two!.push(await parse(copy, 2));
  }
  const [alone, both] = [median(one!), median(two!)];
  const show = (ms: number) => `${ms.toFixed(0)} ms`;
  const note = `load average ${load.toFixed(1)} before; ${copy.files.length} Java files`;
  const value = alone / both;
  return [{ what, ours: show(both), reference: show(alone), value, limit: 1.7, atLeast: true, unit: '×', note }];
};

async function parse({ root, files }: TreeCopy, count: number): Promise<number> {
  const pool = new ParserPool({ root, workers: count });
  const requests = files.map((path) => ({ path }));
  const onFile = () => undefined;
  try {
    await pool.parse(requests.slice(0, WARM_UP), { onFile });
    const started = performance.now();
    await pool.parse(requests, { onFile });
    return performance.now() - started;
  } finally {
    await pool.dispose();
  }
}
