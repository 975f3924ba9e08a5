// `npm run requirements`: which numbers of docs/requirements.md the last full test run proved, by which tests and in which
// file, and which it did not. `--json` prints the same as data. A test that names an unknown number is an error.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Report } from './lib/count-tests.mjs';
import { type Coverage, parseRequirements, prove } from './lib/requirements.ts';

const root = join(import.meta.dirname, '..');
const reportFile = join(root, 'reports', 'vitest.json');

if (existsSync(reportFile)) {
  const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const texts = parseRequirements(readFileSync(join(root, 'docs', 'requirements.md'), 'utf8'));
  const coverage = prove(
    texts,
    report,
    (file) => relative(root, file),
    (path) => existsSync(join(root, path)),
  );
  const newer = sourceNewerThan(report.startTime);
  if (newer) console.error(`The last full test run is older than ${newer}; "npm test" brings this up to date.`);
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ stale: newer !== undefined, ...coverage }, null, 2));
  else print(coverage);
  for (const { id, proof } of coverage.unknown)
    console.error(`${proof.file}: "${proof.test}" names ${id}, which does not exist`);
  if (coverage.unknown.length) process.exitCode = 1;
} else {
  console.error('There is no report of a full test run yet; "npm test" writes it.');
  process.exitCode = 1;
}

function print({ requirements }: Coverage): void {
  for (const { id, passed, failed, text } of requirements) {
    if (passed.length + failed.length === 0) continue;
    console.log(`${id} ${text}`);
    for (const { test, code } of passed) console.log(`  ✓ ${code}  ${test}`);
    for (const { test, code } of failed) console.log(`  ✗ ${code}  ${test}`);
  }
  const proven = requirements.filter((each) => each.proven);
  const failing = requirements.filter((each) => each.failed.length > 0);
  const open = requirements.filter((each) => each.passed.length + each.failed.length === 0);
  console.log(`\n${proven.length} of ${requirements.length} are named by tests that pass.`);
  if (failing.length) console.log(`Failing: ${failing.map((each) => each.id).join(' ')}`);
  console.log(`Not yet: ${open.map((each) => each.id).join(' ')}`);
}

function sourceNewerThan(time: number): string | undefined {
  for (const top of ['packages', 'scripts', 'bench', 'e2e']) {
    const folder = join(root, top);
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (/(^|[\\/])(node_modules|dist)[\\/]/.test(name) || !/\.(ts|tsx|mjs|md)$/.test(name)) continue;
      if (statSync(join(folder, name)).mtimeMs > time) return join(top, name);
    }
  }
  return undefined;
}
