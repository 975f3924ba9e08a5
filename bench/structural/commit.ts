import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../packages/engine/src/index.ts';
import type { CommandResult } from '../../packages/protocol/src/index.ts';
import { median } from '../lib/measure.ts';
import { type Bench, ratioRow } from '../lib/row.ts';

const FILES = 1_000;

/** Committing a staged rewrite of 1,000 files, checkpoint included, against a bare loop over the same files. */
export const commit: Bench = async ({ rounds }) => {
  const [ours, bare]: number[][] = [[], []];
  for (let round = 0; round < Math.max(3, Math.min(rounds, 7)); round += 1) {
    const took = await stagedCommit();
    const loop = bareLoop();
    if (round === 0) continue;
    ours!.push(took);
    bare!.push(loop);
  }
  const what = `commit a staged rewrite of ${FILES} files / bare read + hash + write + rename`;
  return [ratioRow(what, median(ours!), median(bare!), 2, 'ms')];
};

function layOut(base: string): string {
  const root = join(realpathSync(base), 'work');
  for (let n = 0; n < FILES; n += 1) {
    const folder = join(root, `d${n % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${n}.ts`), textOf(n, 'old'));
  }
  return root;
}

function textOf(n: number, name: string): string {
  return `${`export const line${n} = ${n}; // what stands around it\n`.repeat(100)}${name}(${n});\n`;
}

/** @returns milliseconds of the commit alone */
async function stagedCommit(): Promise<number> {
  const base = mkdtempSync(join(tmpdir(), 'black-bench-'));
  const cwd = layOut(base);
  const engine = createEngine({ cwd, home: join(base, 'home'), env: {}, face: 'bench', asks: 'stop', trust: true });
  try {
    const { sessionId } = unwrapped(await engine.execute({ type: 'newSession' }));
    const pattern = 'old($X)';
    const { staged } = unwrapped(
      await engine.execute({ type: 'stageRewrite', sessionId, pattern, rewrite: 'fresh($X)' }),
    );
    const start = performance.now();
    const { files } = unwrapped(
      await engine.execute({ type: 'resolveStaged', sessionId, id: staged.id, action: 'commit' }),
    );
    const took = performance.now() - start;
    if (files.length !== FILES) throw new Error(`${files.length} files were committed`);
    return took;
  } finally {
    await engine.dispose();
    rmSync(base, { recursive: true });
  }
}

function bareLoop(): number {
  const base = mkdtempSync(join(tmpdir(), 'black-bench-'));
  try {
    const root = layOut(base);
    const start = performance.now();
    for (let n = 0; n < FILES; n += 1) {
      const path = join(root, `d${n % 50}`, `f${n}.ts`);
      createHash('sha256').update(readFileSync(path)).digest('hex');
      writeFileSync(`${path}.tmp`, textOf(n, 'fresh'));
      renameSync(`${path}.tmp`, path);
    }
    return performance.now() - start;
  } finally {
    rmSync(base, { recursive: true });
  }
}

function unwrapped<T>(result: { ok: true; value: T } | Extract<CommandResult, { ok: false }>): T {
  if (result.ok) return result.value;
  throw new Error(result.error.message);
}
