import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexReport } from '../../../packages/intel/src/index.ts';
import { type Run, runNode } from '../../lib/measure.ts';

/** What `index-once.ts` prints. */
export interface IndexRun {
  openMs: number;
  openCpuMs: number;
  /** Until everything is known; writing it to the disk may come after. */
  refreshMs: number;
  refreshCpuMs: number;
  report: IndexReport;
}

const ONCE = join(import.meta.dirname, '../index-once.ts');

/** Indexes a tree from nothing, with everything on the disk at the end, in a process of its own. */
export async function indexCold(root: string, store: string, workers?: number): Promise<Run & { index: IndexRun }> {
  rmSync(store, { recursive: true, force: true });
  return indexWarm(root, store, workers);
}

/** The same with the index that is there. */
export async function indexWarm(root: string, store: string, workers?: number): Promise<Run & { index: IndexRun }> {
  const args = [ONCE, root, store, ...(workers === undefined ? [] : [String(workers)])];
  const run = await runNode(args, { cwd: root, env: { HOME: store } });
  return { ...run, index: JSON.parse(run.stdout) as IndexRun };
}

/** Bytes of the files in a folder. */
export function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}
