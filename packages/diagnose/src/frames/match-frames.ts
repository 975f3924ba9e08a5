import type { Frame } from './frame.ts';

/** A file of the repository that a frame means. */
export interface FrameMatch {
  path: string;
  /** How many parts of the path agree, the name included. */
  agreeing: number;
}

/** Endings that a build turns into another. */
const BUILT: readonly [ending: RegExp, sources: readonly string[]][] = [
  [/\.[cm]?jsx?$/, ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte']],
  [/\.java$/, ['.java', '.kt', '.scala', '.groovy']],
];
/** What installed packages lie in: a frame from there is of this repository only where it is the package. */
const INSTALLED = /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor|\.cargo\/registry\/src\/[^/]+|gems)\//;

/** Finds the files of a repository that frames mean, however their paths differ by prefix, bundling or case (DX-9). */
export class FrameMatcher {
  readonly #byName = new Map<string, string[]>();

  /** @param paths of the repository's files, with `/`. */
  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
      const known = this.#byName.get(name);
      if (known) known.push(path);
      else this.#byName.set(name, [path]);
    }
  }

  /** Undefined: the frame is of other code, or several files may be meant and nothing tells which. */
  match({ file }: Pick<Frame, 'file'>): FrameMatch | undefined {
    const parts = file === undefined ? [] : partsOf(file);
    const name = parts.at(-1);
    if (name === undefined) return undefined;
    let best: FrameMatch | undefined;
    let rivals = 0;
    for (const each of namesOf(name)) {
      for (const path of this.#byName.get(each) ?? []) {
        const agreeing = agreement(path, parts);
        if (agreeing < (best?.agreeing ?? 0)) continue;
        rivals = agreeing === best?.agreeing ? rivals + 1 : 0;
        if (rivals === 0 || path.length < best!.path.length) best = { path, agreeing };
      }
    }
    if (!best) return undefined;
    const isWhole = best.agreeing === best.path.split('/').length;
    if (rivals > 0 && best.agreeing === 1) return undefined;
    // Of an installed package only as much of the path is the package's as lies below its folder.
    const inside = insidePackage(parts);
    return inside !== undefined && !isWhole && best.agreeing < inside ? undefined : best;
  }
}

function partsOf(file: string): string[] {
  const path = file
    .replace(/^(?:webpack|rollup|vite|turbopack)(?:-internal)?:\/{2,3}(?:[^/]*\/)?/, '')
    .replace(/^[a-z][\w+.-]*:\/\/(?:[^/]*\/)?/i, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/');
  return path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

function namesOf(name: string): string[] {
  const sources = BUILT.find(([ending]) => ending.test(name));
  if (!sources) return [name];
  const bare = name.replace(sources[0], '');
  return [...new Set([name, ...sources[1].map((ending) => bare + ending)])];
}

/** Parts that agree, from the end; the name is one whatever its ending. */
function agreement(path: string, parts: readonly string[]): number {
  const own = path.toLowerCase().split('/');
  let count = 1;
  while (count < own.length && count < parts.length && own.at(-1 - count) === parts.at(-1 - count)) count += 1;
  return count;
}

/** How many parts of a path lie in an installed package; undefined where it lies in none. */
function insidePackage(parts: readonly string[]): number | undefined {
  const path = parts.join('/');
  let end = -1;
  for (const match of path.matchAll(new RegExp(INSTALLED, 'g'))) end = match.index + match[0].length;
  if (end < 0) return undefined;
  const inner = path.slice(end).split('/');
  // The first part, or with a scope the first two, is the package's name.
  return Math.max(1, inner.length - (inner[0]?.startsWith('@') ? 2 : 1));
}
