import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Bundle, EXTERNAL } from '../bundle/bundle.ts';

/**
 * Runs a bundle far from its sources: copied to a temporary folder beside nothing but the packages that are looked up at
 * run time, with an empty home and another working folder. Every module of it is imported, then `--help` is run.
 * Returns what went wrong, one line each; none means that it works.
 */
export function smoke(root: string, bundle: Bundle): string[] {
  const foreign = mkdtempSync(join(tmpdir(), 'black-smoke-'));
  try {
    const program = join(foreign, 'program');
    for (const file of bundle.files) cpSync(join(bundle.folder, file), join(program, 'dist', file));
    cpSync(join(root, 'packages/cli/bin'), join(program, 'bin'), { recursive: true });
    cpSync(join(root, 'packages/cli/package.json'), join(program, 'package.json'));
    for (const name of EXTERNAL) {
      const link = join(program, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link, 'junction');
    }
    const work = join(foreign, 'work');
    const home = join(foreign, 'home');
    for (const folder of [work, home]) mkdirSync(folder);
    const modules = bundle.files.filter((file) => file.endsWith('.mjs')).map((file) => join(program, 'dist', file));
    const imports = modules.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)});`).join('\n');
    const run = (what: string, args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
      const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
        cwd: work,
        env,
        encoding: 'utf8',
        timeout: 60_000,
      });
      if (status === 0 && (stdout || what === 'import')) return [];
      return [`${what} from a foreign folder: ${error?.message ?? `exit code ${status}`}\n${stderr || stdout}`];
    };
    const black = join(program, 'bin', 'black.mjs');
    return [...run('import', ['--input-type=module', '-e', imports]), ...run('--help', [black, '--help'])];
  } finally {
    rmSync(foreign, { recursive: true, force: true });
  }
}
