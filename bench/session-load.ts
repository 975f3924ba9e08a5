import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    writeFileSync(path, sessionText(folder));
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

/** A long working session: questions, calls with their write-ahead, results of code and output. */
function sessionText(cwd: string): string {
  const header = { type: 'session', version: 3, id: 'bench', timestamp: '2026-01-01T00:00:00.000Z', cwd };
  const lines = [JSON.stringify(header)];
  const code =
    'export function total(items: readonly Item[]): number {\n\treturn items.reduce((sum, { price }) => sum + price, 0); // "€" – é 😀\n}\n';
  // Every fifth entry is a result and carries most of the bytes, as it is in real sessions.
  const result = code.repeat(Math.ceil(((BYTES / ENTRIES) * 5 - 1_200) / code.length));
  for (let i = 0; i < ENTRIES; i++) {
    const base = { id: id(i), parentId: i ? id(i - 1) : null, timestamp: new Date(1.77e12 + i * 1000).toISOString() };
    lines.push(JSON.stringify({ ...base, ...body(i, result) }));
  }
  return `${lines.join('\n')}\n`;
}

function body(i: number, result: string): object {
  const callId = `call_${Math.floor(i / 5)}`;
  const usage = { input: 5, output: 9, cacheRead: 900, cacheWrite: 0, totalTokens: 914, cost: { total: 0.01 } };
  const by = { api: 'anthropic-messages', provider: 'anthropic', model: 'some-model', usage, timestamp: i };
  const call = { type: 'toolCall', id: callId, name: 'read_file', arguments: { path: 'src/cart.ts' } };
  switch (i % 5) {
    case 0:
      return { type: 'message', message: { role: 'user', content: 'Where is the total computed?', timestamp: i } };
    case 1:
      return { type: 'message', message: { role: 'assistant', content: [call], ...by, stopReason: 'toolUse' } };
    case 2:
      return { type: 'custom', customType: 'tool_start', data: { callId, name: call.name, args: call.arguments } };
    case 3: {
      const content = [{ type: 'text', text: result }];
      const message = { role: 'toolResult', toolCallId: callId, toolName: call.name, content, isError: false };
      return { type: 'message', message: { ...message, timestamp: i } };
    }
    default: {
      const content = [{ type: 'text', text: 'It is in `total`. '.repeat(20) }];
      return { type: 'message', message: { role: 'assistant', content, ...by, stopReason: 'stop' } };
    }
  }
}

function id(i: number): string {
  return i.toString(16).padStart(8, '0');
}
