// Bundles the program and tries it out. `--quick` leaves the trial out (a start from a checkout whose sources changed).
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, bundle } from './bundle/bundle.ts';

const root = join(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');

if (quick) console.error('black: bundling its sources …');
const made = await bundle(root).catch((error: unknown) => {
  // esbuild has printed its errors, with their places, already.
  if (!(error instanceof Error && 'errors' in error)) throw error;
  return undefined;
});
if (!made) process.exitCode = 1;
else if (!quick) await tryOut(made);

async function tryOut(bundle: Bundle): Promise<void> {
  const code = bundle.files.filter((file) => file.endsWith('.mjs'));
  const size = code.reduce((sum, file) => sum + statSync(join(bundle.folder, file)).size, 0);
  console.log(`packages/cli/dist: ${code.length} modules, ${Math.round(size / 1024)} KB`);
  const { smoke } = await import('./lib/smoke.ts');
  const problems = smoke(root, bundle);
  for (const problem of problems) console.error(problem);
  console.log(problems.length ? 'smoke test: failed' : 'smoke test: the bundle works from a foreign folder');
  if (problems.length) process.exitCode = 1;
}
