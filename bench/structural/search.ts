import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findTree, TreeCopy } from '../intel/lib/trees.ts';
import { BLACK } from '../lib/black.ts';
import { median, runNode } from '../lib/measure.ts';
import { type Bench, type Row, ratioRow, type Skipped } from '../lib/row.ts';

/** Patterns with a name in them, each on a tree in which it occurs. */
const SEARCHES = [
  { tree: 'spring', lang: 'java', pattern: '$O.close()' },
  { tree: 'go', lang: 'go', pattern: 'strings.Contains($A, $B)' },
  { tree: 'playwright', lang: 'ts', pattern: '$O.dispose($$$A)' },
  { tree: 'typeorm', lang: 'ts', pattern: 'Object.assign($$$A)' },
  { tree: 'django', lang: 'py', pattern: 'warnings.warn($$$A)' },
] as const;

/** The processor time of the built program for a search of a whole tree, against ast-grep's. */
export const search: Bench = async ({ rounds }) => {
  const program = findAstGrep();
  if (!program) return [{ what: 'structural search / ast-grep', skipped: 'skipped: no @ast-grep/cli; see npm ci' }];
  const rows: (Row | Skipped)[] = [];
  for (const { tree, lang, pattern } of rounds < 3 ? SEARCHES.slice(4) : SEARCHES) {
    const what = `${pattern} in ${tree} / ast-grep`;
    const folder = findTree(tree, what);
    if (typeof folder !== 'string') {
      rows.push(folder);
      continue;
    }
    using copy = new TreeCopy(folder);
    const [ours, theirs]: number[][] = [[], []];
    let found = 0;
    for (let round = 0; round < Math.max(3, Math.min(rounds, 7)); round += 1) {
      const env = { BLACKIDE_HOME: copy.home, HOME: copy.home };
      const run = await runNode([BLACK, 'ast', pattern, '--lang', lang, '--json'], { cwd: copy.root, env });
      found = (JSON.parse(run.stdout) as unknown[]).length;
      const other = runAstGrep(program, pattern, lang, copy.root);
      if (round === 0) continue;
      ours!.push(run.cpuMs);
      theirs!.push(other.cpuMs);
    }
    const note = `${found} matches in ${copy.files.length} files`;
    rows.push({ ...ratioRow(what, median(ours!), median(theirs!), 0.5, 'ms CPU'), note });
  }
  return rows;
};

/** The binary itself; undefined where it is not installed. */
function findAstGrep(): string | undefined {
  const suffix = process.platform === 'linux' ? '-gnu' : process.platform === 'win32' ? '-msvc' : '';
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@ast-grep/cli-${process.platform}-${process.arch}${suffix}/package.json`,
    );
    return join(manifest, '..', process.platform === 'win32' ? 'ast-grep.exe' : 'ast-grep');
  } catch {
    // An optional package of another platform.
    return undefined;
  }
}

function runAstGrep(program: string, pattern: string, lang: string, cwd: string): { cpuMs: number } {
  const args = [program, 'run', '-p', pattern, '-l', lang, '--json=stream', '.'];
  // The shell waits for it, and tells what it took.
  const { stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null', ...args], {
    cwd,
    encoding: 'utf8',
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  if (Number.isNaN(user)) throw new Error(`ast-grep could not be measured: ${stderr}`);
  return { cpuMs: (user + system) * 1000 };
}
