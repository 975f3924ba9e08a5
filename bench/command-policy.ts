import { type CommandContext, CommandPolicy, ShellParser } from '../packages/workspace/src/index.ts';
import { readCorpus, readMoreRows } from '../packages/workspace/src/policy/fixtures/read-lines.ts';
import { median } from './lib/measure.ts';
import { type Bench, type Row, ratioRow } from './lib/row.ts';

const PLACE: CommandContext = { cwd: '/home/ann/app', home: '/home/ann' };
/** Lines of about 10,000 characters as an agent writes them: texts, lists of files, scripts, chains. */
const LONG_LINES = [
  `echo '${'some text of a message '.repeat(430)}'`,
  `git add ${'src/components/some/file-name.tsx '.repeat(300)}`.slice(0, 9_900),
  `cat > notes.md <<'END'\n${'some line of text, as it is written\n'.repeat(270)}END`,
  `python3 -c '${'print(1)\n'.repeat(1_080)}'`,
  `ls ${'src/*.ts '.repeat(1_090)}`,
  `grep -n ${"'some words' ".repeat(760)}`,
];
/** A pattern on which a backtracking engine takes time beyond all bounds. */
const PATHOLOGICAL = '^(([a-z ])+.)+[A-Z]([a-z])+$';

/** The command policy, warm: decisions a second, the longest lines, and a pattern of the user that is made to be slow. */
export const commandPolicy: Bench = async ({ rounds }) => {
  const { allow, rows } = readCorpus();
  const parser = new ShellParser();
  await parser.load();
  const policy = await CommandPolicy.create({ allow, deny: ['^curl\\b'], parser });
  const slow = await CommandPolicy.create({ deny: [PATHOLOGICAL], parser });
  const plain = await CommandPolicy.create({ deny: ['^curl\\b'], parser });
  try {
    const lines = [...rows, ...readMoreRows()].map(({ command }) => command);
    const decide = (by: CommandPolicy, each: readonly string[]) => async () => {
      for (const line of each) await by.decide(line, PLACE);
    };
    const parse = async () => {
      for (const line of lines) parser.parse(line);
    };
    const [decided, parsed] = await both(decide(policy, lines), parse, rounds);
    const long: number[] = [];
    for (const line of LONG_LINES) long.push((await both(decide(policy, [line]), decide(plain, ['ls']), rounds))[0]);
    const text = [`echo ${'some words '.repeat(890)}`];
    const [withSlow, withPlain] = await both(decide(slow, text), decide(plain, text), rounds);
    const each = (decided / lines.length) * 1_000;
    return [
      ratioRow(`${lines.length} command decisions / parsing them alone`, decided, parsed, 12, 'ms'),
      figure('a command decision (200 µs: 5,000 a second)', each, 200, 'µs'),
      figure('the slowest of six kinds of 10 KB lines', Math.max(...long), 20, 'ms'),
      figure('a 10 KB line under a pathological pattern', withSlow, 50, 'ms'),
      ratioRow('pathological pattern of the user / plain one', withSlow, withPlain, 5, 'ms'),
    ];
  } finally {
    parser.dispose();
  }
};

/**
 * Two things in turn, so that a busy moment of the machine meets both; the medians of the milliseconds of processor time
 * that they take, warm.
 */
async function both(
  ours: () => Promise<void>,
  reference: () => Promise<void>,
  rounds: number,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + 2; round += 1) {
    for (const [at, run] of [ours, reference].entries()) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      if (round >= 2) times[at]!.push((user + system) / 1_000);
    }
  }
  return [median(times[0]), median(times[1])];
}

function figure(what: string, value: number, limit: number, unit: string): Row {
  return { what, ours: `${value.toFixed(1)} ${unit}`, reference: '', value, limit, unit: '' };
}
