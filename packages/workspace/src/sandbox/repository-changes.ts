import { basename, dirname, join } from 'node:path';
import { pathsInConfig, runsPrograms } from './git-inspect.ts';
import { gitRules } from './git-rules.ts';
import { pathKind } from './path-kind.ts';
import { fileNumber } from './place-identity.ts';
import { isInside } from './sandbox-policy.ts';
import type { GuardedState } from './workspace-guard.ts';

export interface RepositoryChangesOptions {
  before: GuardedState;
  /** Whether a path is the place that it was before. */
  isKnown: (path: string) => boolean;
  /** Real path of the workspace. */
  root: string;
  /** Absolute path of git; undefined where there is none. */
  git: string | undefined;
}

/** Finds what a command has left of repositories, and in them, that would run programs. */
export class RepositoryChanges {
  readonly #options: RepositoryChangesOptions;

  constructor(options: RepositoryChangesOptions) {
    this.#options = options;
  }

  /**
   * @param gits every repository that is there now
   * @returns what may not stay: path → why
   */
  async find(gits: readonly string[]): Promise<Map<string, string>> {
    const { before, isKnown, root, git } = this.#options;
    const found = new Map<string, string>();
    for (const path of before.missing) {
      if (pathKind(path) !== undefined) found.set(path, 'the configuration of git names it');
    }
    for (const path of before.named) {
      if (pathKind(path) !== undefined && !isKnown(path)) found.set(path, 'the configuration of git names it');
    }
    for (const dotGit of gits) {
      const { folders, links, deciding, configs } = gitRules(dotGit, [root]);
      const wasThere = isKnown(dotGit) || this.#wasMoved(dotGit);
      const fresh = links.filter((link) => !before.git.links.includes(link) && !before.leads.has(link));
      for (const link of fresh) found.set(link, 'git would write through this link');
      for (const path of deciding) {
        if (isKnown(path) || this.#wasMoved(path)) continue;
        const why = await runsPrograms(path, before.configs, git);
        // A part of a repository that was there goes alone; what leads to a new one goes with it.
        if (why !== undefined) found.set(wasThere ? this.#part(path) : leadTo(dotGit), why);
      }
      const leadsOut = folders.length === 0 && pathKind(dotGit) !== 'folder' && !wasThere;
      if (leadsOut) found.set(dotGit, 'it leads to a repository outside the workspace');
      if (isKnown(dotGit)) continue;
      for (const path of (
        await Promise.all(configs.map((config) => pathsInConfig(config, git, before.relative)))
      ).flat()) {
        if (!isInside(path, root) || pathKind(path) === undefined || isKnown(path) || this.#wasMoved(path)) continue;
        found.set(path, 'the configuration of git names it');
      }
    }
    return found;
  }

  /** What goes with a part of git: its git folder where that is new, e.g. a submodule's. */
  #part(path: string): string {
    const { isKnown, root } = this.#options;
    const folder = dirname(basename(path) === 'attributes' ? dirname(path) : path);
    const wasThere = isKnown(folder) || this.#wasMoved(join(folder, 'config'));
    const isOwn = isInside(folder, root) && folder !== root && basename(dirname(folder)) !== 'worktrees';
    return !wasThere && isOwn ? folder : path;
  }

  /** Whether it came here with a folder above it: it was a mount, so nothing in it is different. */
  #wasMoved(path: string): boolean {
    const number = fileNumber(path);
    return number !== undefined && this.#options.before.numbers.has(number);
  }
}

/** What makes a repository of a place: without it, git takes nothing there for one. */
function leadTo(dotGit: string): string {
  return basename(dotGit) === '.git' ? dotGit : join(dotGit, 'HEAD');
}
