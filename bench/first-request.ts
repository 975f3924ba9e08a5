import { createMockModelServer } from '../packages/testkit/src/index.ts';
import { BLACK, environment, tempFolders } from './lib/black.ts';
import { runNode } from './lib/measure.ts';
import type { Bench } from './lib/row.ts';

/** The body of the first request in Agent mode, on both wires. */
export const firstRequest: Bench = async () => {
  const rows = [];
  for (const wire of ['openai', 'anthropic'] as const) {
    const server = await createMockModelServer([{ text: 'hello' }]);
    const { cwd, home, dispose } = tempFolders();
    const env = {
      ...environment(server.openaiUrl, home),
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: server.anthropicUrl,
    };
    try {
      await runNode([BLACK, '-p', 'hi', '--mode', 'agent', '--model', `${wire}/mock`], { cwd, env });
      const bytes = server.modelCalls()[0]!.rawBody.length;
      rows.push({
        what: `first request in Agent mode, ${wire}`,
        ours: `${bytes} bytes`,
        reference: '',
        value: bytes / 1024,
        limit: 6.5,
        unit: 'KB' as const,
      });
    } finally {
      dispose();
      await server.close();
    }
  }
  return rows;
};
