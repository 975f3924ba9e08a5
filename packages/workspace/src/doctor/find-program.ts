import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';

export interface ProgramSearch {
  env: Readonly<Record<string, string | undefined>>;
  /** The workspace: programs inside it are never found, so that a probe cannot run a project's own. */
  workspace?: string;
  platform?: NodeJS.Platform;
}

/**
 * The absolute path of a program on the PATH, or undefined. Relative PATH entries and entries inside the workspace
 * (links resolved) do not count.
 */
export function findProgram(name: string, search: ProgramSearch): string | undefined {
  const { env, platform = process.platform } = search;
  const path = env.PATH ?? env.Path ?? '';
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.com`] : [name];
  const forbidden = search.workspace ? (real(search.workspace) ?? search.workspace) : undefined;
  for (const folder of path.split(platform === 'win32' ? ';' : delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const file of names) {
      const found = real(join(folder, file));
      const inside = (each: string | undefined): boolean =>
        forbidden !== undefined && each !== undefined && (each === forbidden || each.startsWith(forbidden + sep));
      if (found && !inside(found) && !inside(real(folder)) && isProgram(found)) return join(folder, file);
    }
  }
  return undefined;
}

/**
 * The first of these folders that has a program of this name: its path there. For programs that a project brings itself:
 * only where the project is trusted.
 */
export function findLocalProgram(
  name: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.com`] : [name];
  const paths = folders.flatMap((folder) => names.map((file) => join(folder, file)));
  return paths.find((path) => {
    const found = real(path);
    return found !== undefined && isProgram(found);
  });
}

function real(path: string): string | undefined {
  // Most folders of a PATH do not have the program, and a failure that is thrown costs far more than a look.
  if (!existsSync(path)) return undefined;
  try {
    return realpathSync(path);
  } catch {
    // Gone meanwhile: nothing to find.
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not allowed to run it: as good as missing.
    return false;
  }
}
