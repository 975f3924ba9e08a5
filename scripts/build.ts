// Bundles the program. `--quick` leaves the smoke test out (a stale start from a checkout).
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle/bundle.ts';

const root = join(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');

if (quick) {
  console.error('black: bundling its sources …');
  await bundle(root);
} else {
  const made = await bundle(root);
  const code = made.files.filter((file) => file.endsWith('.mjs'));
  const size = code.reduce((sum, file) => sum + statSync(join(made.folder, file)).size, 0);
  console.log(`packages/cli/dist: ${code.length} modules, ${Math.round(size / 1024)} KB`);
  const { smoke } = await import('./lib/smoke.ts');
  const problems = smoke(root, made);
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length ? 'smoke test: failed' : 'smoke test: every module and --help work from a foreign folder',
  );
  process.exitCode = problems.length ? 1 : 0;
}
