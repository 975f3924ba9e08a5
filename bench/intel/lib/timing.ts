import { loadavg } from 'node:os';

/** The smallest value that so many percent of the values don't exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Milliseconds of processor time of this process: what a busy machine makes it wait for is not in it. */
export function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How busy the machine is, for a note. */
export function loadNote(): string {
  return `load average ${loadavg()[0]!.toFixed(1)}`;
}
