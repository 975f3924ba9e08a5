import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The folder in which a Python interpreter would find a package, by the layouts of Debian, of virtual environments and of
 * installations of one's own; undefined where it has none. Nothing is run.
 * @param python absolute path of the interpreter
 * @param home the person's, for packages of their own
 */
export function pythonPackage(python: string, name: string, home?: string): string | undefined {
  const places = [...prefixesOf(python).flatMap(librariesIn), ...(home ? librariesIn(join(home, '.local')) : [])];
  return places.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, '__init__.py')));
}

/**
 * The interpreter behind a stand-in of pyenv, which chooses a version by the environment, by `.python-version` in or above
 * a folder, or for all; the path itself where it is none.
 */
export function pythonBehindShim(
  python: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = {},
): string {
  const root = dirname(dirname(python));
  if (basename(dirname(python)) !== 'shims' || !existsSync(join(root, 'versions'))) return python;
  const files = [...foldersAbove(cwd).map((folder) => join(folder, '.python-version')), join(root, 'version')];
  const chosen = env.PYENV_VERSION ?? files.map(textOf).find((text) => text !== undefined);
  const [version = 'system'] = (chosen ?? '').split(/[\s:]+/).filter(Boolean);
  const behind = join(root, 'versions', version, 'bin', basename(python));
  return existsSync(behind) ? behind : python;
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** A virtual environment's own prefix, and that of the installation behind it unless it keeps it out. */
function prefixesOf(python: string): string[] {
  const own = dirname(dirname(python));
  const settings = textOf(join(own, 'pyvenv.cfg'));
  if (settings !== undefined && !/^\s*include-system-site-packages\s*=\s*true\s*$/im.test(settings)) return [own];
  const real = realOf(python);
  return real === undefined
    ? [own]
    : [...new Set([own, dirname(dirname(real)), join(dirname(dirname(real)), 'local')])];
}

function librariesIn(prefix: string): string[] {
  return ['lib', 'lib64'].flatMap((lib) =>
    namesIn(join(prefix, lib))
      .filter((version) => /^python3(\.\d+)?$/.test(version))
      .flatMap((version) => ['site-packages', 'dist-packages'].map((kind) => join(prefix, lib, version, kind))),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No such layout.
    return [];
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // A broken link.
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No virtual environment.
    return undefined;
  }
}
