import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockModelServer, type Turn } from '../packages/testkit/src/index.ts';
import { BLACK, environment, FLOOR, tempFolders } from './lib/black.ts';
import { median, type Run, runNode } from './lib/measure.ts';
import { type Bench, ratioRow } from './lib/row.ts';

const TURNS = 200;
const BYTES = 20_000;
/** A model with a window of 200,000 tokens. */
const MODEL = 'anthropic/claude-mock';

/**
 * 200 reads of another file of 20 KB each, one a turn: the bytes that are sent, and the processor time over that of the
 * floor, which sends everything every time.
 */
export const longRun: Bench = async ({ rounds }) => {
  const ours: Measured[] = [];
  const reference: Measured[] = [];
  for (let i = 0; i < Math.max(1, Math.ceil(rounds / 5)); i++) {
    const args = [BLACK, '-p', 'go', '--model', MODEL, '--max-iterations', '300'];
    ours.push(await measure('read_file', args));
    reference.push(await measure('read', [FLOOR, 'go']));
  }
  const sent = median(ours.map(({ bytes }) => bytes)) / 1e6;
  const floorSent = median(reference.map(({ bytes }) => bytes)) / 1e6;
  const what = `${TURNS} turns of ${BYTES / 1000} KB results in a 200k window`;
  return [
    {
      what: `${what}, sent`,
      ours: `${sent.toFixed(1)} MB`,
      reference: `${floorSent.toFixed(0)} MB`,
      value: sent,
      limit: 22,
      unit: 'MB',
    },
    ratioRow(
      `${what}, processor time / floor`,
      median(ours.map(({ run }) => run.cpuMs)),
      median(reference.map(({ run }) => run.cpuMs)),
      1.2,
      'ms',
    ),
  ];
};

interface Measured {
  run: Run;
  bytes: number;
}

async function measure(tool: string, args: string[]): Promise<Measured> {
  const turns: Turn[] = Array.from({ length: TURNS }, (_, i) => ({
    toolCalls: [{ name: tool, args: { path: `file${i}.txt` } }],
  }));
  const server = await createMockModelServer([...turns, { text: 'done' }], { allowMissingKey: true, keepBodies: 1 });
  const { cwd, home, dispose } = tempFolders();
  try {
    for (let i = 0; i < TURNS; i++) {
      const line = `line of file ${i} with some words in it, as a source has them\n`;
      writeFileSync(join(cwd, `file${i}.txt`), line.repeat(Math.ceil(BYTES / line.length)).slice(0, BYTES));
    }
    const env = {
      ...environment(server.openaiUrl, home),
      ANTHROPIC_BASE_URL: server.anthropicUrl,
      ANTHROPIC_API_KEY: 'bench',
    };
    const run = await runNode(args, { cwd, env });
    return {
      run,
      bytes: server.modelCalls().reduce((sum, call) => sum + Number(call.headers['content-length'] ?? 0), 0),
    };
  } finally {
    dispose();
    await server.close();
  }
}
