import { type BigIntStats, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from './sandbox-policy.ts';

/**
 * Tells whether a path still means what it meant. In the sandbox a protected file is a mount and stays what it is, but a
 * folder above it can be renamed and made anew: the same path is then another place. So a place is its path together
 * with the folders on the way, and a folder is itself one of them. Looks at each folder once.
 */
export class PlaceIdentity {
  readonly #root: string;
  readonly #seen = new Map<string, string>();

  /** @param root where the way begins: an absolute real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Undefined where nothing is. Of a file, only that it is one counts: a person's editor may have saved it anew.
   * @param path absolute
   */
  of(path: string): string | undefined {
    const stat = statOf(path);
    if (!stat) return undefined;
    const own = stat.isDirectory() ? numberOf(stat) : stat.isSymbolicLink() ? 'link' : 'file';
    return `${this.#way(dirname(path))}/${own}`;
  }

  #way(folder: string): string {
    const seen = this.#seen.get(folder);
    if (seen !== undefined) return seen;
    const above = isInside(folder, this.#root) && folder !== this.#root ? this.#way(dirname(folder)) : '';
    const stat = statOf(folder);
    const way = `${above}/${stat ? numberOf(stat) : ''}`;
    this.#seen.set(folder, way);
    return way;
  }
}

/** What tells a file or folder from all others, wherever it has been moved to; undefined where nothing is. */
export function fileNumber(path: string): string | undefined {
  const stat = statOf(path);
  return stat && numberOf(stat);
}

/** A number is given again as soon as it is free, so that the time of birth belongs to it. */
function numberOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder on the way may not be entered, or is none.
    return undefined;
  }
}
