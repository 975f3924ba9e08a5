// Opens the index of a tree, brings it up to date, ends, and prints what that took: the benches run it in a process of its own.
import { openCodeIntelligence } from '../../packages/intel/src/index.ts';
import type { IndexRun } from './lib/index-run.ts';

const [root, folder, workers] = process.argv.slice(2) as [string, string, string | undefined];
const before = process.cpuUsage();
const started = performance.now();
const intel = await openCodeIntelligence({
  root,
  folder,
  workers: workers === undefined ? undefined : Number(workers),
});
const opened = performance.now();
const loaded = process.cpuUsage(before);
await intel.refresh();
const run: IndexRun = {
  openMs: opened - started,
  openCpuMs: cpuMs(loaded),
  refreshMs: performance.now() - opened,
  refreshCpuMs: cpuMs(process.cpuUsage(before)) - cpuMs(loaded),
  report: intel.report(),
};
await intel.dispose();
console.log(JSON.stringify(run));

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
