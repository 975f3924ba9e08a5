import { createMockModelServer } from '../packages/testkit/src/index.ts';
import { BLACK, environment, FLOOR, tempFolders } from './lib/black.ts';
import { compare, runNode } from './lib/measure.ts';
import { type Bench, ratioRow } from './lib/row.ts';

/** `black --version` against `node -e 0`, and one whole answer against the floor: wall time and peak memory. */
export const startUp: Bench = async ({ rounds }) => {
  const server = await createMockModelServer(
    { turns: [{ text: 'hello', times: 'always' }] },
    { allowMissingKey: true },
  );
  const { cwd, home, dispose } = tempFolders();
  const options = { cwd, env: environment(server.openaiUrl, home) };
  try {
    const version = await compare(
      rounds * 2,
      () => runNode([BLACK, '--version'], options),
      () => runNode(['-e', '0'], options),
    );
    const answer = await compare(
      rounds,
      () => runNode([BLACK, '-p', 'hi', '--model', 'openai/mock'], options),
      () => runNode([FLOOR, 'hi'], options),
    );
    return [
      ratioRow('black --version / node -e 0, wall', version.ours.wallMs, version.reference.wallMs, 1.5, 'ms'),
      ratioRow('black -p hi / floor, wall', answer.ours.wallMs, answer.reference.wallMs, 2.5, 'ms'),
      ratioRow('black -p hi / floor, peak memory', answer.ours.peakMb, answer.reference.peakMb, 2, 'MB'),
    ];
  } finally {
    dispose();
    await server.close();
  }
};
