import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCodeIntelligence, RepoMapper } from '../../packages/intel/src/index.ts';
import type { Bench, Row } from '../lib/row.ts';
import { percentile } from './lib/percentile.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const LARGEST = 200_000;

/** One file of a repository is written: how long until the graph and the index answer from it, and until the map is new. */
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
    const [fresh, mapped]: number[][] = [[], []];
    for (let n = 0; n < count; n += 1) {
      const path = sources[n * step]!;
      const name = `freshlyWritten${n}`;
      const text = readFileSync(join(copy.root, path), 'utf8');
      writeFileSync(join(copy.root, path), `${text}\nexport function ${name}() {\n  return ${name}();\n}\n`);
      const started = performance.now();
      await intel.refreshFiles([path]);
      const [symbol] = intel.graph.find(name);
      const [hit] = intel.index.searchWords(name, { limit: 1 });
      fresh!.push(performance.now() - started);
      if (symbol === undefined || intel.graph.callers(symbol).length !== 1) throw new Error(`the graph has no ${name}`);
      if (hit?.path !== path) throw new Error(`the index has no ${name}`);
      const asked = performance.now();
      mapper.map({ tokens: 1500 });
      mapped!.push(performance.now() - asked);
    }
    return [
      row(what, percentile(fresh!, 95), 10),
      row('the map after it, when asked, p95', percentile(mapped!, 95), 100),
    ];
  } finally {
    await intel.dispose();
  }
};

function row(what: string, ms: number, limit: number): Row {
  return { what, ours: `${ms.toFixed(1)} ms`, reference: '', value: ms, limit, unit: 'ms', note: 'playwright' };
}
