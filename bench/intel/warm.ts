import { join } from 'node:path';
import { median, runNode } from '../lib/measure.ts';
import type { Bench } from '../lib/row.ts';
import { findTree, TreeCopy } from './lib/trees.ts';

const INDEX = join(import.meta.dirname, 'index-once.ts');
const WALK = join(import.meta.dirname, 'walk-once.ts');
const LOAD_MS = 20;

/** Opening the index of a tree in which nothing has changed, against reading its folders and asking for each file's stat. */
export const warm: Bench = async ({ rounds }) => {
  const what = 'look again at 10,000 unchanged files / bare walk';
  const folder = findTree('spring', what);
  if (typeof folder !== 'string') return [folder];
  using copy = new TreeCopy(folder);
  const options = { cwd: copy.root, env: { HOME: copy.home } };
  const once = async (script: string) => JSON.parse((await runNode([script, copy.root, copy.home], options)).stdout);
  await once(INDEX);
  const [walks, loads, looks]: number[][] = [[], [], []];
  for (let round = 0; round < Math.max(3, Math.min(rounds, 9)); round += 1) {
    walks!.push((await once(WALK)).cpuMs);
    const { loadMs, lookMs, read } = await once(INDEX);
    if (read > 0) throw new Error(`${read} unchanged files were read again`);
    loads!.push(loadMs);
    looks!.push(lookMs);
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
