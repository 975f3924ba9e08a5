import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCodeIntelligence, RepoMapper } from '../../packages/intel/src/index.ts';
import type { Bench, Row } from '../lib/row.ts';
import { loadNote, percentile, processMs } from './lib/timing.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const LARGEST = 200_000;
/** The first edits start a worker thread and are compiled. */
const WARM_UP = 10;

/**
 * One file of a repository is written: what it takes, of processor time of all threads, until the graph and the index answer
 * from it, and until the map is new.
 */
export const edit: Bench = async ({ rounds }) => {
  const what = 'one file edited: graph and index fresh, p95';
  const folder = findTree('playwright', what);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder);
  const intel = await openCodeIntelligence({ root: copy.root, folder: copy.home });
  try {
    await intel.refresh();
    const mapper = new RepoMapper(intel);
    mapper.map({ tokens: 1500 });
    const sources = copy.files.filter((path) => /\.tsx?$/.test(path) && statSync(join(copy.root, path)).size < LARGEST);
    const count = rounds < 3 ? 20 : 200;
    const step = Math.floor(sources.length / count);
    const [fresh, freshByClock, mapped, mappedByClock]: number[][] = [[], [], [], []];
    for (let n = -WARM_UP; n < count; n += 1) {
      const path = sources.at(n * step)!;
      const name = `freshlyWritten${n + WARM_UP}`;
      const text = readFileSync(join(copy.root, path), 'utf8');
      writeFileSync(join(copy.root, path), `${text}\nexport function ${name}() {\n  return ${name}();\n}\n`);
      const started = performance.now();
      const before = processMs();
      await intel.refreshFiles([path]);
      const [symbol] = intel.graph.find(name);
      const [hit] = intel.index.searchWords(name, { limit: 1 });
      fresh!.push(processMs() - before);
      freshByClock!.push(performance.now() - started);
      if (symbol === undefined || intel.graph.callers(symbol).length !== 1) throw new Error(`the graph has no ${name}`);
      if (hit?.path !== path) throw new Error(`the index has no ${name}`);
      const asked = performance.now();
      const beforeMap = processMs();
      mapper.map({ tokens: 1500 });
      mapped!.push(processMs() - beforeMap);
      mappedByClock!.push(performance.now() - asked);
      if (n < 0) for (const times of [fresh!, freshByClock!, mapped!, mappedByClock!]) times.length = 0;
    }
    return [
      row(what, fresh!, freshByClock!, 10),
      row('the map after it, when asked, p95', mapped!, mappedByClock!, 100),
    ];
  } finally {
    await intel.dispose();
  }
};

function row(what: string, times: readonly number[], byClock: readonly number[], limit: number): Row {
  const value = percentile(times, 95);
  const ours = `${value.toFixed(1)} ms CPU; half ${percentile(times, 50).toFixed(1)}`;
  const reference = `${percentile(byClock, 95).toFixed(1)} ms by the clock, ${loadNote()}`;
  return { what, ours, reference, value, limit, unit: 'ms', note: 'playwright' };
}
