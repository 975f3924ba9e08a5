import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMockModelServer } from '../packages/testkit/src/index.ts';
import { BLACK, environment, tempFolders } from './lib/black.ts';
import { longSession } from './lib/long-session.ts';
import { median } from './lib/measure.ts';
import { openPseudoTerminal, type PseudoTerminal, usedBy } from './lib/pseudo-terminal.ts';
import { type Bench, type Row, ratioRow } from './lib/row.ts';

const ENTRIES = 10_000;
const BYTES = 30_000_000;
/** Without blanks: at the end of a line nobody sees them. */
const KEYS = 'the_quick_brown_fox_jumps_over_the_lazy_dog_and_then_it_rests_a_while';
/** 1 MB a second, in lines. */
const LOUD = "while :; do head -c 100000 /dev/zero | tr '\\0' x | fold -w 99; sleep 0.1; done";

/** The terminal UI in a pseudo-terminal: first paint, what it costs while idle, how soon a key is on the screen. */
export const terminalUi: Bench = async ({ rounds }) => {
  const server = await createMockModelServer([
    { toolCalls: [{ name: 'run_command', args: { command: LOUD } }] },
    { text: 'done', times: 'always' },
  ]);
  const { cwd, home, dispose } = tempFolders();
  const env = environment(server.openaiUrl, home);
  const session = join(home, '2026-01-01T00-00-00-000Z_bench.jsonl');
  writeFileSync(session, longSession({ cwd, entries: ENTRIES, bytes: BYTES }));
  const open = (...args: string[]): PseudoTerminal =>
    openPseudoTerminal([process.execPath, BLACK, ...args].join(' '), { cwd, env });
  // The kernel counts in 10 ms: in less time, one of them alone is over the limit.
  const idleMs = rounds > 2 ? 30_000 : 20_000;
  try {
    const empty = await idle(open('--model', 'openai/mock'), 'openai/mock', idleMs);
    const long = await idle(open('-r', session), '/details shows more', idleMs);
    const size = statSync(session).size / 1e6;
    const rows: Row[] = [
      figure('idle: processor', empty.share, 0.1, '%'),
      figure(`idle, ${ENTRIES} entries: processor`, long.share, 0.1, '%'),
      figure('idle: memory', empty.memory, 90, 'MB'),
      // Text outside Latin-1 takes two bytes a character.
      ratioRow(`idle, ${ENTRIES} entries: memory more / file`, long.memory - empty.memory, size, 2.5, 'MB'),
    ];
    return [
      await firstPaint(rounds, open, () => openPseudoTerminal(`${process.execPath} -p 123456`, { cwd, env })),
      ...rows,
      await typing(`a key, ${ENTRIES} entries`, open('-r', session), '/details shows more', 16),
      await typing(
        'a key beside 1 MB of output a second',
        open('--auto-approve', '--model', 'openai/mock', 'go'),
        'xxxxxx',
        50,
      ),
    ];
  } finally {
    dispose();
    await server.close();
  }
};

type Open = (...args: string[]) => PseudoTerminal;

/** The input line and the status below it are there; what is typed counts. */
async function firstPaint(rounds: number, open: Open, node: () => PseudoTerminal): Promise<Row> {
  const ours: number[] = [];
  const reference: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const black = open();
    ours.push(await black.until('Agent'));
    await black.close();
    const bare = node();
    reference.push(await bare.until('123456'));
    await bare.close();
  }
  // The first round fills the caches.
  const [a, b] = [median(ours.slice(1)), median(reference.slice(1))];
  return {
    ...figure('first paint of the terminal UI', a, 2.5 * b + 100, 'ms'),
    reference: `node -p: ${b.toFixed(0)} ms`,
  };
}

/** How much of a core, in per cent, and how many MB a terminal UI takes in which nothing happens. */
async function idle(terminal: PseudoTerminal, ready: string, ms: number): Promise<{ share: number; memory: number }> {
  try {
    await terminal.until(ready);
    // What start-up leaves to be done is not idling: the list of files, V8's collecting what was needed once.
    await sleep(15_000);
    const pid = terminal.pid();
    const before = usedBy(pid);
    await sleep(ms);
    const after = usedBy(pid);
    return { share: (100 * (after.cpuMs - before.cpuMs)) / ms, memory: after.residentMb };
  } finally {
    await terminal.close();
  }
}

async function typing(what: string, terminal: PseudoTerminal, ready: string, limit: number): Promise<Row> {
  try {
    await terminal.until(ready);
    await sleep(1_000);
    const took: number[] = [];
    for (let i = 1; i <= KEYS.length; i++) {
      took.push(await terminal.echo(KEYS[i - 1]!, KEYS.slice(0, i)));
      // At a person's pace: each key meets the program in another state.
      await sleep(37);
    }
    const sorted = took.toSorted((a, b) => a - b);
    const most = sorted[Math.floor(sorted.length * 0.95)]!;
    return { ...figure(`${what}, 95 of 100`, most, limit, 'ms'), reference: `median ${median(took).toFixed(1)} ms` };
  } finally {
    await terminal.close();
  }
}

function figure(what: string, value: number, limit: number, unit: 'ms' | 'MB' | '%'): Row {
  return { what, ours: `${value.toFixed(1)} ${unit}`, reference: '', value, limit: Math.round(limit * 10) / 10, unit };
}
