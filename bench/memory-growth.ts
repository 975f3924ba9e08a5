import { createMockModelServer, type Turn } from '../packages/testkit/src/index.ts';
import { BLACK, environment, tempFolders } from './lib/black.ts';
import { runNode } from './lib/measure.ts';
import type { Bench } from './lib/row.ts';

const TURNS = 499;
const SHORT = 20;

/** 500 turns whose command prints 1 MB each: peak memory over that of 20 such turns. */
export const memoryGrowth: Bench = async () => {
  const long = await peak(TURNS);
  const short = await peak(SHORT);
  return [
    {
      what: `memory growth over ${TURNS} turns with 1 MB outputs`,
      ours: `${long.toFixed(0)} MB`,
      reference: `${short.toFixed(0)} MB after ${SHORT}`,
      value: long - short,
      limit: 50,
      unit: 'MB',
    },
  ];
};

async function peak(turns: number): Promise<number> {
  const command = "head -c 1000000 /dev/zero | tr '\\0' x";
  const calls: Turn[] = Array.from({ length: turns }, () => ({
    toolCalls: [{ name: 'run_command', args: { command } }],
  }));
  const server = await createMockModelServer([...calls, { text: 'done' }], { keepBodies: 1 });
  const { cwd, home, dispose } = tempFolders();
  try {
    const args = [BLACK, '-p', 'go', '--model', 'openai/mock', '--max-iterations', '500', '--auto-approve'];
    return (await runNode(args, { cwd, env: environment(server.openaiUrl, home) })).peakMb;
  } finally {
    dispose();
    await server.close();
  }
}
