import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Run {
  /** Milliseconds from spawn to exit. */
  wallMs: number;
  /** Peak resident memory, in MB. */
  peakMb: number;
  /** Milliseconds of processor time, of user and system together. */
  cpuMs: number;
  stdout: string;
}

const HOOK = join(import.meta.dirname, 'peak-memory.cjs');

/**
 * Runs a Node program to its end and measures it from outside. The peak memory comes from the process itself, at its
 * exit: the same hook for every program compared.
 * @throws when it fails, with what it printed.
 */
export async function runNode(
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'black-bench-'));
  const peakFile = join(folder, 'peak');
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', HOOK, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', ...options.env, BENCH_PEAK_FILE: peakFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const wallMs = performance.now() - started;
  try {
    if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
    const used = JSON.parse(readFileSync(peakFile, 'utf8')) as { maxRSS: number; cpuMicros: number };
    return { wallMs, peakMb: used.maxRSS / 1024, cpuMs: used.cpuMicros / 1000, stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs two programs in turn, so that a busy moment of the machine meets both, and answers their medians. */
export async function compare(
  rounds: number,
  ours: () => Promise<Run>,
  reference: () => Promise<Run>,
): Promise<{ ours: Run; reference: Run }> {
  await ours();
  await reference();
  const a: Run[] = [];
  const b: Run[] = [];
  for (let i = 0; i < rounds; i++) {
    a.push(await ours());
    b.push(await reference());
  }
  return { ours: middle(a), reference: middle(b) };
}

function middle(runs: Run[]): Run {
  return {
    wallMs: median(runs.map((run) => run.wallMs)),
    peakMb: median(runs.map((run) => run.peakMb)),
    cpuMs: median(runs.map((run) => run.cpuMs)),
    stdout: runs[0]!.stdout,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
