import { closeSync, constants, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CACHES } from './home-view.ts';

/** What tools note for themselves and nobody misses: other caches, histories, logs. */
const PASSING =
  /^(\.cache|\.npm|\.local\/state|\.config\/configstore)(\/|$)|(^|\/)(\.\w*hist(ory)?|\.lesshst|\.viminfo)$/;
const MAX_ENTRIES = 2_000;
const MAX_DEPTH = 32;

/**
 * What commands write into the folder that stands for the home, and that goes with the session: a person who was not
 * told would look for it. Commands that run meanwhile are not told apart.
 */
export class PrivateHome {
  readonly #folder: string;
  /** What is in it, by its name from the home, and which version of it. */
  readonly #seen = new Map<string, string>();
  /** Where something else is shown: what stands for it here is bubblewrap's. */
  readonly #mounts = new Set<string>();

  /** @param folder the one that stands for the home: absolute */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param names what a command is shown there, from the home. To be called before it starts. */
  mounted(names: Iterable<string>): void {
    for (const name of names) {
      const parts = name.split('/');
      for (let length = 1; length <= parts.length; length++) this.#mounts.add(parts.slice(0, length).join('/'));
    }
  }

  /**
   * What was made or changed since the last call, from the home, without caches; a fresh folder that holds several things
   * as one, with a slash at its end. Of very many the first.
   */
  news(): string[] {
    const budget = { left: MAX_ENTRIES };
    const root = openFolder(this.#folder);
    return root === undefined ? [] : this.#newsIn(root, '', budget, 0);
  }

  /** Each folder by its open descriptor: a command that runs meanwhile may put a link in its place. Closes it. */
  #newsIn(descriptor: number, folder: string, budget: { left: number }, depth: number): string[] {
    const here = `/proc/self/fd/${descriptor}`;
    try {
      return readdirSync(here, { withFileTypes: true }).flatMap((item) => {
        const name = folder ? `${folder}/${item.name}` : item.name;
        if (budget.left <= 0 || PASSING.test(name) || CACHES.includes(name)) return [];
        budget.left -= 1;
        if (!item.isDirectory()) return this.#mounts.has(name) || !this.#isNew(name, here, item.name) ? [] : [name];
        return this.#newsOfFolder(join(here, item.name), name, budget, depth);
      });
    } finally {
      closeSync(descriptor);
    }
  }

  #newsOfFolder(path: string, name: string, budget: { left: number }, depth: number): string[] {
    const isFresh = !this.#mounts.has(name) && !this.#seen.has(name);
    this.#seen.set(name, '');
    const descriptor = depth < MAX_DEPTH ? openFolder(path) : undefined;
    if (descriptor === undefined) return isFresh ? [`${name}/`] : [];
    const isEmpty = isFresh && readdirSync(`/proc/self/fd/${descriptor}`).length === 0;
    const inside = this.#newsIn(descriptor, name, budget, depth + 1);
    return isEmpty || (isFresh && inside.length > 1) ? [`${name}/`] : inside;
  }

  #isNew(name: string, folder: string, file: string): boolean {
    const stat = lstatSync(join(folder, file), { throwIfNoEntry: false });
    if (!stat) return false;
    const version = `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
    const before = this.#seen.get(name);
    this.#seen.set(name, version);
    return before !== version;
  }
}

/** Undefined: it is no folder (any more), or closed to us. */
function openFolder(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    // Whoever made it has locked it, or it is gone: there is nothing to look into.
    return undefined;
  }
}
