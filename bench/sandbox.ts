import { ProcessRegistry, Sandbox } from '../packages/workspace/src/index.ts';
import { tempFolders } from './lib/black.ts';
import { median } from './lib/measure.ts';
import { type Bench, ratioRow } from './lib/row.ts';

/** The command `true`, contained and not: what the sandbox costs each command, median. */
export const sandbox: Bench = async ({ rounds }) => {
  const { cwd, home, dispose } = tempFolders();
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const box = new Sandbox({ root: cwd, stateHome: home, env });
  const processes = new ProcessRegistry();
  const contained: number[] = [];
  const plain: number[] = [];
  const run = async (times: number[], options: object): Promise<void> => {
    const { durationMs } = await processes.run({ command: 'true', cwd, env, ...options });
    times.push(durationMs);
  };
  try {
    for (let i = 0; i < Math.max(4, rounds); i++) {
      await run(contained, { sandbox: () => box.contain({ cwd, env }) });
      await run(plain, {});
    }
  } finally {
    await processes.dispose();
    box.dispose();
    dispose();
  }
  return [ratioRow('`true` in the sandbox / without', median(contained), median(plain), 5, 'ms')];
};
