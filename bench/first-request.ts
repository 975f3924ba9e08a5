import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createMockModelServer } from '../packages/testkit/src/index.ts';
import { BLACK, environment, tempFolders } from './lib/black.ts';
import { runNode } from './lib/measure.ts';
import type { Bench } from './lib/row.ts';

/** The body of the first request in Agent mode, on both wires, where every tool has something to work with. */
export const firstRequest: Bench = async () => {
  const rows = [];
  for (const wire of ['openai', 'anthropic'] as const) {
    const server = await createMockModelServer([{ text: 'hello' }]);
    const { cwd, home, dispose } = tempFolders();
    const env = {
      ...environment(server.openaiUrl, home),
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: server.anthropicUrl,
      PATH: `${served(cwd, home)}:${dirname(process.execPath)}`,
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

/** Makes a workspace that a language server and a debugger are found for; neither is run. @returns where the server is */
function served(cwd: string, home: string): string {
  writeFileSync(join(cwd, 'package.json'), '{}');
  writeFileSync(join(cwd, 'go.mod'), 'module work\n');
  const programs = join(home, 'programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'gopls'), '#!/bin/sh\n', { mode: 0o755 });
  return programs;
}
