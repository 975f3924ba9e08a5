import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexReport, RefreshReport } from '../../../packages/intel/src/index.ts';
import { BLACK } from '../../lib/black.ts';
import { type Run, runNode } from '../../lib/measure.ts';

/** A run of `black index`, and what it reported. */
export interface IndexRun extends Run {
  report: IndexReport & { refreshed: RefreshReport };
}

/** Indexes a tree from nothing with the built program; everything is on the disk at its end. */
export async function indexCold(root: string, home: string): Promise<IndexRun> {
  rmSync(join(home, 'index'), { recursive: true, force: true });
  return indexAgain(root, home);
}

/** The same with the index that is there. */
export async function indexAgain(root: string, home: string): Promise<IndexRun> {
  const env = { BLACKIDE_HOME: home, HOME: home };
  const run = await runNode([BLACK, 'index', '--json'], { cwd: root, env });
  return { ...run, report: JSON.parse(run.stdout) as IndexRun['report'] };
}

/** Bytes of the files in a folder. */
export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
