import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ORACLE_PATTERNS, type OraclePattern } from './fixtures/oracle-patterns.ts';
import { StructuralSearch } from './structural-search.ts';

const LANGUAGES = {
  typescript: ['ts', 'TypeScript'],
  javascript: ['js', 'JavaScript'],
  python: ['py', 'Python'],
  go: ['go', 'Go'],
  java: ['java', 'Java'],
  rust: ['rs', 'Rust'],
} as const;

let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'black-oracle-')));
  for (const [extension] of Object.values(LANGUAGES)) {
    const source = fileURLToPath(new URL(`./fixtures/sources/sample.${extension}.txt`, import.meta.url));
    copyFileSync(source, join(root, `sample.${extension}`));
  }
});

afterAll(() => rmSync(root, { recursive: true }));

it.each(Object.entries(LANGUAGES))(
  'INT-22 finds what ast-grep finds, and nowhere else, in %s',
  async (language, [, name]) => {
    const patterns = ORACLE_PATTERNS[language as keyof typeof LANGUAGES]!;
    const theirs = oracle(patterns, name);
    const ours = new Map<string, string[]>();
    for (const each of patterns) {
      const pattern = typeof each === 'string' ? each : each.pattern;
      ours.set(pattern, await hits(pattern, language));
    }
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
    expect(patterns.length).toBeGreaterThanOrEqual(30);
    expect([...theirs.values()].filter((found) => found.length > 0).length).toBeGreaterThanOrEqual(30);
  },
);

async function hits(pattern: string, language: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, matches } of new StructuralSearch({ root, pattern, language }).files()) {
    for (const { start, end } of matches) {
      found.push(place(path, start.line, start.column, end.line, end.column));
    }
  }
  return found.sort();
}

/** All patterns in one run, each as a rule of its own. */
function oracle(patterns: readonly OraclePattern[], language: string): Map<string, string[]> {
  const rules = patterns.map((pattern, index) =>
    JSON.stringify({ id: `r${index}`, language, severity: 'hint', rule: { pattern: asRule(pattern) } }),
  );
  const args = ['scan', '--json=stream', '--inline-rules', rules.join('\n---\n'), '.'];
  const output = execFileSync(astGrep(), args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const found = new Map(patterns.map((each) => [typeof each === 'string' ? each : each.pattern, [] as string[]]));
  const names = [...found.keys()];
  for (const line of output.split('\n').filter(Boolean)) {
    const { ruleId, file, range } = JSON.parse(line) as OracleHit;
    const { start, end } = range;
    const path = file.replace(/^\.\//, '');
    const at = place(path, start.line + 1, start.column + 1, end.line + 1, end.column + 1);
    found.get(names[Number(ruleId.slice(1))]!)!.push(at);
  }
  for (const places of found.values()) places.sort();
  return found;
}

interface OracleHit {
  ruleId: string;
  file: string;
  range: Record<'start' | 'end', { line: number; column: number }>;
}

function asRule(pattern: OraclePattern): unknown {
  return typeof pattern === 'string' ? pattern : { context: pattern.context, selector: pattern.selector };
}

function place(path: string, ...numbers: [number, number, number, number]): string {
  return `${path} ${numbers.map((number) => String(number).padStart(4)).join(':')}`;
}

function astGrep(): string {
  const require = createRequire(import.meta.url);
  const suffix = process.platform === 'linux' ? '-gnu' : process.platform === 'win32' ? '-msvc' : '';
  const folder = `@ast-grep/cli-${process.platform}-${process.arch}${suffix}`;
  return join(
    require.resolve(`${folder}/package.json`),
    '..',
    process.platform === 'win32' ? 'ast-grep.exe' : 'ast-grep',
  );
}
