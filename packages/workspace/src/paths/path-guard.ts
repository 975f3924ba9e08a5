import { basename, dirname, join, posix, relative as relativePath, resolve as resolvePath, sep } from 'node:path';
import { refuseShape } from './path-shape.ts';
import { noticedPath, protectedPath } from './protected-paths.ts';
import { entryExists, resolveLinks } from './resolve-links.ts';
import type { PathAccess, PathMark, RefusedPath, ResolvedPath } from './resolved-path.ts';

/** A folder outside the workspace that the user opened to the agent. */
export interface GrantedFolder {
  path: string;
  access: PathAccess;
}

export interface PathGuardOptions {
  /** The workspace, or the worktree in force: absolute, chosen by the user, never by a model or a file. */
  root: string;
  /** Further folders that the user granted. */
  granted?: readonly GrantedFolder[];
  /** Further folders or files to protect, absolute, e.g. git's `core.hooksPath`. */
  protect?: readonly string[];
  /** Files that no tool may even read, absolute: where the person's keys are. */
  withhold?: readonly string[];
  platform?: NodeJS.Platform;
}

interface Root {
  given: string;
  real: string;
  access: PathAccess;
}

/** Never files to work on; `/proc/self/environ` would hand out the engine's own keys. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/**
 * Decides which file a path given by a tool means and whether it lies inside what the user opened (IDE-53). Paths are
 * compared after every symbolic link is resolved, with a separator, so that neither `/w/app_evil` nor a planted link
 * passes for `/w/app`.
 */
export class PathGuard {
  readonly #roots: readonly [Root, ...Root[]];
  readonly #protect: readonly string[];
  readonly #withhold: readonly string[];
  readonly #platform: NodeJS.Platform;

  constructor(options: PathGuardOptions) {
    const root = (path: string, access: PathAccess): Root => {
      const given = resolvePath(path);
      const resolution = resolveLinks(given);
      return { given, real: resolution.ok ? resolution.real : given, access };
    };
    this.#roots = [
      root(options.root, 'write'),
      ...(options.granted ?? []).map(({ path, access }) => root(path, access)),
    ];
    const bothForms = (path: string): string[] => {
      const entry = root(path, 'read');
      return [entry.given, entry.real];
    };
    this.#protect = (options.protect ?? []).flatMap(bothForms);
    this.#withhold = (options.withhold ?? []).flatMap(bothForms);
    this.#platform = options.platform ?? process.platform;
  }

  /** The workspace root with its symbolic links resolved. */
  get root(): string {
    return this.#roots[0].real;
  }

  /**
   * Resolves a path as a tool gave it, relative to the workspace root or absolute. A protected path is not refused here
   * but marked: whether it may be written is a person's decision. Does not throw.
   */
  resolve(given: string, access: PathAccess): ResolvedPath | RefusedPath {
    const misshapen = refuseShape(given, this.#platform);
    if (misshapen) return misshapen;
    const absolute = resolvePath(this.#roots[0].given, given);
    const resolution = resolveLinks(absolute);
    if (!resolution.ok) return refuseErrno(given, resolution.errno);
    const { real, exists } = resolution;
    if (this.#isWithheld(absolute, real)) return withheld(given);
    const root = this.#roots.find((candidate) => holds(candidate, real, access));
    if (!root) return this.#refuseOutside(given, absolute, real, access);
    const mark = this.#judge(absolute, real, protectedPath) ?? this.#judgeExtra(absolute, real);
    const notice = this.#judge(absolute, real, noticedPath);
    return {
      ok: true,
      access,
      absolute,
      real,
      relative: this.#display(root, absolute, real),
      exists,
      ...(mark ? { protected: mark } : {}),
      ...(notice ? { notice } : {}),
    };
  }

  /**
   * The same for a name in its folder, whether a link stands there or not: the folder's links are resolved, the last
   * part is not.
   */
  resolveEntry(given: string, access: PathAccess): ResolvedPath | RefusedPath {
    const misshapen = refuseShape(given, this.#platform);
    if (misshapen) return misshapen;
    const absolute = resolvePath(this.#roots[0].given, given);
    const folder = this.resolve(dirname(absolute), access);
    if (!folder.ok) return folder;
    const real = join(folder.real, basename(absolute));
    if (this.#isWithheld(absolute, real)) return withheld(given);
    const root = this.#roots.find((candidate) => holds(candidate, real, access));
    if (!root) return this.#refuseOutside(given, absolute, real, access);
    const mark = this.#judge(absolute, real, protectedPath) ?? this.#judgeExtra(absolute, real);
    return {
      ok: true,
      access,
      absolute,
      real,
      relative: this.#display(root, real, real),
      exists: entryExists(real),
      entry: true,
      ...(mark ? { protected: mark } : {}),
    };
  }

  #isWithheld(absolute: string, real: string): boolean {
    return [absolute, real].some((one) => this.#withhold.some((path) => folded(one) === folded(path)));
  }

  /** Judges the path as written and the path it leads to, below every root that holds them: either is enough. */
  #judge(absolute: string, real: string, rule: (relative: string) => PathMark | undefined): PathMark | undefined {
    for (const root of this.#roots) {
      for (const base of new Set([root.given, root.real])) {
        for (const path of new Set([absolute, real])) {
          const mark = isInside(path, base) ? rule(relativePath(base, path)) : undefined;
          if (mark) return mark;
        }
      }
    }
    return undefined;
  }

  #judgeExtra(absolute: string, real: string): PathMark | undefined {
    const found = this.#protect.some((path) => [absolute, real].some((one) => isInside(folded(one), folded(path))));
    return found ? { why: 'protected by the settings' } : undefined;
  }

  /** A form that, given back to `resolve`, means the same file. */
  #display(root: Root, absolute: string, real: string): string {
    const [workspace] = this.#roots;
    for (const base of [workspace.given, workspace.real]) {
      if (isInside(absolute, base)) return slashed(relativePath(base, absolute)) || '.';
    }
    if (root === workspace) return slashed(relativePath(root.real, real)) || '.';
    return slashed(real);
  }

  #refuseOutside(given: string, absolute: string, real: string, access: PathAccess): RefusedPath {
    const [workspace] = this.#roots;
    const readable = access === 'write' && this.#roots.some((root) => holds(root, real, 'read'));
    if (readable) {
      return {
        ok: false,
        code: 'path_read_only',
        message: `"${given}" lies in a folder that was opened for reading only.`,
        next: 'Write inside the workspace, or ask the user to open that folder for writing.',
      };
    }
    const byLink = isInside(absolute, workspace.given) || isInside(absolute, workspace.real);
    return {
      ok: false,
      code: 'path_outside',
      message: byLink
        ? `"${given}" is a link that leads to ${real}, outside the workspace ${workspace.real}.`
        : `"${given}" is outside the workspace ${workspace.real}.`,
      next: 'Use a path inside the workspace, or ask the user to open that folder to the agent.',
    };
  }
}

function withheld(given: string): RefusedPath {
  return {
    ok: false,
    code: 'path_withheld',
    message: `"${given}" holds the person's keys.`,
    next: 'Do without it.',
  };
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function holds(root: Root, real: string, access: PathAccess): boolean {
  if (access === 'write' && root.access !== 'write') return false;
  if (!isInside(real, root.real)) return false;
  const kernel = KERNEL_FOLDERS.find((folder) => isInside(real, folder));
  return kernel === undefined || isInside(root.real, kernel);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function slashed(path: string): string {
  return sep === posix.sep ? path : path.split(sep).join(posix.sep);
}

function refuseErrno(given: string, errno: string): RefusedPath {
  switch (errno) {
    case 'ELOOP':
      return {
        ok: false,
        code: 'path_link_loop',
        message: `"${given}" goes round in circles: its links lead to themselves.`,
        next: 'Use a path without that link.',
      };
    case 'ENAMETOOLONG':
      return {
        ok: false,
        code: 'path_too_long',
        message: `A part of "${given.slice(0, 200)}" is too long for a file name.`,
        next: 'Use a shorter path.',
      };
    case 'EACCES':
    case 'EPERM':
      return {
        ok: false,
        code: 'path_unreadable',
        message: `A folder on the way to "${given}" may not be entered.`,
        next: "Change that folder's permissions, or use another path.",
      };
    default:
      return {
        ok: false,
        code: 'path_unreadable',
        message: `"${given}" cannot be looked up (${errno}).`,
        next: 'Check the disk, or use another path.',
      };
  }
}
