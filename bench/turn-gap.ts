import { createMockModelServer, type Turn } from '../packages/testkit/src/index.ts';
import { BLACK, environment, FLOOR, tempFolders } from './lib/black.ts';
import { median, runNode } from './lib/measure.ts';
import { type Bench, ratioRow } from './lib/row.ts';

const READS = 50;

/** 50 reads, one a turn: the client's own time between the end of an answer and its next request, median. */
export const turnGap: Bench = async ({ rounds }) => {
  const ours: number[] = [];
  const reference: number[] = [];
  for (let i = 0; i < Math.max(2, Math.ceil(rounds / 3)); i++) {
    ours.push(...(await gaps('read_file', [BLACK, '-p', 'go', '--model', 'openai/mock', '--max-iterations', '100'])));
    reference.push(...(await gaps('read', [FLOOR, 'go'])));
  }
  return [ratioRow(`gap per turn over ${READS} reads / floor`, median(ours), median(reference), 3, 'ms')];
};

async function gaps(tool: string, args: string[]): Promise<number[]> {
  const reads: Turn[] = Array.from({ length: READS }, () => ({ toolCalls: [{ name: tool, args: { path: 'a.txt' } }] }));
  const server = await createMockModelServer([...reads, { text: 'done' }], { allowMissingKey: true });
  const { cwd, home, dispose } = tempFolders();
  try {
    await runNode(args, { cwd, env: environment(server.openaiUrl, home) });
    return server
      .modelCalls()
      .map((call) => call.gapMs)
      .filter((gap) => gap !== undefined);
  } finally {
    dispose();
    await server.close();
  }
}
