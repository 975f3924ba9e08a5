// `npm test`: installs what the tests need, bundles, runs them, ends with `N passed, N failed`.
// Plain JavaScript for Node 20, Node's own modules only.
//   --all    with what needs big packages: the tests against other agents and the makers' SDKs (e2e/peers)
//   --deep   property tests with all runs instead of a twentieth; BLACK_TEST_SEED=N repeats a run
// Everything else goes to Vitest: a file filter, -t "name" …
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { scriptNode } from '../packages/cli/bin/bundled-node.mjs';
import { countTests } from './lib/count-tests.mjs';
import { installPackages, linkNode } from './lib/install.mjs';
import { installSystemPackages } from './lib/system-packages.mjs';

const root = join(import.meta.dirname, '..');
const peers = join(root, 'e2e', 'peers');
const all = process.argv.includes('--all');
const deep = process.argv.includes('--deep');
const rest = process.argv.slice(2).filter((arg) => arg !== '--all' && arg !== '--deep');
// Only a run of everything is the one that `npm run requirements` reads.
const report = join(root, 'reports', rest.length ? 'vitest-part.json' : 'vitest.json');

const { passed, failed, why } = install()
  ? sum(build(), run())
  : { passed: 0, failed: 1, why: ['what the tests need could not be installed'] };
for (const reason of why) console.log(reason);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

function install() {
  if (!installSystemPackages(all) || !installPackages(root, 'Black IDE')) return false;
  linkNode(root);
  return !all || installPackages(peers, 'e2e/peers');
}

/** The bundle counts as a test of its own only when it cannot be made. */
function build() {
  const ok = node([join(root, 'scripts', 'build.ts')], process.env) === 0;
  return { passed: 0, failed: ok ? 0 : 1, why: ok ? [] : ['the program could not be bundled'] };
}

function run() {
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...rest];
  const env = { ...process.env, ...(all && { BLACK_TEST_ALL: '1' }), ...(deep && { BLACK_TEST_DEEP: '1' }) };
  const status = node(args, env);
  return countTests(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined, status);
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function node(args, env) {
  const PATH = `${join(root, 'node_modules', '.bin')}${delimiter}${env.PATH ?? ''}`;
  const options = { cwd: root, env: { ...env, PATH } };
  return spawnSync(scriptNode(root), args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] }).status;
}

/** @param {ReturnType<typeof countTests>[]} counts */
function sum(...counts) {
  return {
    passed: counts.reduce((total, each) => total + each.passed, 0),
    failed: counts.reduce((total, each) => total + each.failed, 0),
    why: counts.flatMap((each) => each.why),
  };
}
