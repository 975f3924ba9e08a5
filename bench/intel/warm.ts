import { join } from 'node:path';
import { median, runNode } from '../lib/measure.ts';
import type { Bench } from '../lib/row.ts';
import { indexCold, indexWarm } from './lib/index-run.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const WALK = join(import.meta.dirname, 'walk-once.ts');
const LOAD_MS = 20;

/** Opening the index of a tree in which nothing has changed, against reading its folders and asking for each file's stat. */
export const warm: Bench = async ({ rounds }) => {
  const what = 'look again at 10,000 unchanged files / bare walk';
  const folder = findTree('spring', what);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder);
  await indexCold(copy.root, copy.store);
  const [walks, loads, looks]: number[][] = [[], [], []];
  for (let round = 0; round < Math.max(3, Math.min(rounds, 9)); round += 1) {
    const walk = await runNode([WALK, copy.root], { cwd: copy.root, env: { HOME: copy.root } });
    walks!.push((JSON.parse(walk.stdout) as { cpuMs: number }).cpuMs);
    const { index } = await indexWarm(copy.root, copy.store);
    loads!.push(index.openCpuMs);
    looks!.push(index.refreshCpuMs);
  }
  const [walk, load, look] = [median(walks!), median(loads!), median(looks!)];
  const show = (ms: number) => `${ms.toFixed(1)} ms CPU`;
  const note = `${copy.files.length} files; both with the disk's cache warm`;
  return [
    { what, ours: show(look), reference: show(walk), value: look / walk, limit: 1.3, unit: '×', note },
    {
      what: 'load the graph and index of 10,000 files',
      ours: show(load),
      reference: '',
      value: load,
      limit: LOAD_MS,
      unit: 'ms',
    },
  ];
};
