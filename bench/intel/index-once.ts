// Opens the stored index of a tree, brings it up to date, and prints the milliseconds of processor time of both; warm.ts runs
// it in a process of its own, and measures inside, so that the start of Node counts for neither side.
import { openCodeIntelligence } from '../../packages/intel/src/index.ts';

const [root, folder] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
const intel = await openCodeIntelligence({ root, folder });
const loaded = process.cpuUsage(before);
const { added, changed, unchanged } = await intel.refresh();
const refreshed = process.cpuUsage(before);
await intel.dispose();
console.log(
  JSON.stringify({ loadMs: ms(loaded), lookMs: ms(refreshed) - ms(loaded), read: added + changed, unchanged }),
);

function ms({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
