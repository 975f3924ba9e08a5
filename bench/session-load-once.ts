// Loads a session the way its first argument says and prints the milliseconds it took; session-load.ts runs it.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { conversationOf, SessionStore } from '../packages/engine/src/index.ts';

const [how, path] = process.argv.slice(2) as ['ours' | 'parse', string];
const started = performance.now();
const found = how === 'ours' ? await load() : parse();
const took = performance.now() - started;
if (found < 1_000) throw new Error(`only ${found} were found`);
console.log(took);

async function load(): Promise<number> {
  const cwd = dirname(path);
  const session = await new SessionStore({ home: cwd, now: Date.now }).open(path, cwd);
  const { placed } = conversationOf(session.getBranch());
  session.close();
  return placed.length;
}

function parse(): number {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).length;
}
