// Runs the benchmarks and prints a table. `--quick` repeats little: CI looks for crashes, not for time.

import { checkpoints } from './checkpoints.ts';
import { commandPolicy } from './command-policy.ts';
import { diagnostics } from './diagnostics.ts';
import { firstRequest } from './first-request.ts';
import { type Bench, printTable, type Row } from './lib/row.ts';
import { longRun } from './long-run.ts';
import { memoryGrowth } from './memory-growth.ts';
import { sandbox } from './sandbox.ts';
import { sessionLoad } from './session-load.ts';
import { startUp } from './start-up.ts';
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
  diagnostics,
};

const quick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const rows: Row[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  rows.push(...(await bench({ rounds: quick ? 2 : 15 })));
}
printTable(rows);
