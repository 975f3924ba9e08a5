// Runs the benchmarks, or those that are named (`intel` for all of its folder), and prints a table. `--quick` repeats little:
// CI looks for crashes, not for time.

import { checkpoints } from './checkpoints.ts';
import { commandPolicy } from './command-policy.ts';
import { diagnostics } from './diagnostics.ts';
import { firstRequest } from './first-request.ts';
import { cold } from './intel/cold.ts';
import { edit } from './intel/edit.ts';
import { peers } from './intel/peers.ts';
import { quality } from './intel/quality.ts';
import { questions } from './intel/questions.ts';
import { warm } from './intel/warm.ts';
import { words } from './intel/words.ts';
import { workers } from './intel/workers.ts';
import { type Bench, printTable, type Row, type Skipped } from './lib/row.ts';
import { longRun } from './long-run.ts';
import { memoryGrowth } from './memory-growth.ts';
import { sandbox } from './sandbox.ts';
import { sessionLoad } from './session-load.ts';
import { startUp } from './start-up.ts';
import { commit } from './structural/commit.ts';
import { search } from './structural/search.ts';
import { terminalUi } from './terminal-ui.ts';
import { turnGap } from './turn-gap.ts';

const BENCHES: Record<string, Bench> = {
  commandPolicy,
  startUp,
  turnGap,
  firstRequest,
  sessionLoad,
  longRun,
  memoryGrowth,
  terminalUi,
  checkpoints,
  sandbox,
  'intel/cold': cold,
  'intel/peers': peers,
  'intel/workers': workers,
  'intel/words': words,
  'intel/warm': warm,
  'intel/edit': edit,
  'intel/questions': questions,
  'intel/quality': quality,
  diagnostics,
  'structural/search': search,
  'structural/commit': commit,
};

const quick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const rows: (Row | Skipped)[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.some((want) => name === want || name.startsWith(`${want}/`))) continue;
  console.error(`measuring ${name} …`);
  rows.push(...(await bench({ rounds: quick ? 2 : 15 })));
}
printTable(rows);
