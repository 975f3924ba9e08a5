import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longSession } from './lib/long-session.ts';
import { median, runNode } from './lib/measure.ts';
import { type Bench, ratioRow } from './lib/row.ts';

const ENTRIES = 10_000;
const BYTES = 30_000_000;
const LOADER = join(import.meta.dirname, 'session-load-once.ts');

/**
 * Opening a session of 30 MB and building what the model is told of it, over reading the file and parsing its lines.
 * Each in a process of its own and measured inside, so that start-up counts for neither.
 */
export const sessionLoad: Bench = async ({ rounds }) => {
  const folder = mkdtempSync(join(tmpdir(), 'black-bench-'));
  const path = join(folder, '2026-01-01T00-00-00-000Z_bench.jsonl');
  try {
    writeFileSync(path, longSession({ cwd: folder, entries: ENTRIES, bytes: BYTES }));
    const measure = async (how: 'ours' | 'parse') => {
      const run = await runNode([LOADER, how, path], { cwd: folder, env: { HOME: folder } });
      return Number(run.stdout);
    };
    const ours: number[] = [];
    const parse: number[] = [];
    for (let i = 0; i < rounds; i++) {
      ours.push(await measure('ours'));
      parse.push(await measure('parse'));
    }
    const size = (statSync(path).size / 1e6).toFixed(0);
    return [ratioRow(`load a session of ${size} MB, ${ENTRIES} entries`, median(ours), median(parse), 2.5, 'ms')];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
