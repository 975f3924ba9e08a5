import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, runNode } from '../lib/measure.ts';
import { type Bench, type Row, ratioRow, type Skipped } from '../lib/row.ts';
import { indexAgain, indexCold } from './lib/index-run.ts';
import { findTree, PEERS, TreeCopy } from './lib/trees.ts';

const OPTAVE = join(PEERS, 'optave/node_modules/@optave/codegraph/dist/cli.js');
/** The small ones take less memory than Node with a parser has to begin with; they are measured for their time. */
const MEASURED: { tree: string; memory: boolean }[] = [
  { tree: 'playwright', memory: true },
  { tree: 'spring', memory: true },
  { tree: 'django', memory: false },
  { tree: 'tokio', memory: false },
];

/** Indexing whole repositories from nothing, and again when nothing has changed, against @optave/codegraph. */
export const peers: Bench = async ({ rounds }) => {
  if (!existsSync(OPTAVE)) {
    return [{ what: 'against @optave/codegraph', skipped: `skipped: no ${OPTAVE}; see node bench/intel/get-trees.ts` }];
  }
  const rows: (Row | Skipped)[] = [];
  for (const { tree, memory } of rounds < 3 ? MEASURED.slice(2, 3) : MEASURED) {
    const what = `index ${tree} from nothing / @optave/codegraph`;
    const folder = findTree(tree, what);
    if (typeof folder !== 'string') {
      rows.push(folder);
      continue;
    }
    using copy = new TreeCopy(folder);
    using theirs = new TreeCopy(folder);
    const optave = () => runNode([OPTAVE, 'build', theirs.root], { cwd: theirs.root, env: { HOME: theirs.home } });
    const { ours, reference } = await compare(
      Math.min(rounds, 3),
      () => indexCold(copy.root, copy.home),
      () => {
        rmSync(join(theirs.root, '.codegraph'), { recursive: true, force: true });
        return optave();
      },
    );
    const size = `${copy.files.length} files`;
    rows.push({ ...ratioRow(`${what}: time`, ours.cpuMs, reference.cpuMs, 0.5, 'ms CPU'), note: size });
    const peak = ratioRow(`${what}: memory`, ours.peakMb, reference.peakMb, 0.3, 'MB');
    rows.push({
      ...peak,
      limit: memory ? 0.3 : Infinity,
      note: memory ? size : `${size}; Node with a grammar alone is above 0.3`,
    });
    const again = await compare(Math.min(rounds, 5), () => indexAgain(copy.root, copy.home), optave);
    rows.push(
      ratioRow(`${tree} again, unchanged / @optave/codegraph`, again.ours.cpuMs, again.reference.cpuMs, 0.5, 'ms CPU'),
    );
  }
  return rows;
};
