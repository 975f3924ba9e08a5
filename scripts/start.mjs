// `npm start`: from a fresh clone to an answer. Plain JavaScript for Node 20, Node's own modules only.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { scriptNode } from '../packages/cli/bin/bundled-node.mjs';
import { installPackages, linkNode } from './lib/install.mjs';

const root = join(import.meta.dirname, '..');
const example = join(root, 'examples', 'notes-app');
const black = join(root, 'packages', 'cli', 'bin', 'black.mjs');
const question = 'Where is the note title validated?';

if (installPackages(root, 'Black IDE')) {
  linkNode(root);
  console.error(`\nexamples/notes-app $ black -p "${question}"   (offline, no key)\n`);
  const args = [black, '-p', '--model', 'offline', question];
  const { status } = spawnSync(scriptNode(root), args, { cwd: example, stdio: ['ignore', 'inherit', 'inherit'] });
  process.exitCode = status ?? 1;
  if (status === 0 && process.stdin.isTTY && process.stdout.isTTY) {
    console.log(`
Three to try next (cd examples/notes-app, then npx black trust):
  npx black -p "Run the tests" --yes
  npx black -p "Who uses parseTags?"
  npx black -p "Replace at most with no more than in src/validate-title.ts"
With a model: set ANTHROPIC_API_KEY or OPENAI_API_KEY and run the same, or anything else.`);
  }
} else process.exitCode = 1;
