import { sep } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { realPathOf, TrustStore } from '@black-ide/workspace';

export interface WorkspaceTrustOptions {
  /** The state folder. */
  home: string;
  /** The folder that was opened. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** Trusted for this run alone (`--trust`); nothing is stored. */
  forRun: boolean;
}

/** How the opened folder comes to be trusted, or not. */
export type TrustState = 'stored' | 'run' | 'none';

/**
 * Whether the folder that was opened is trusted (IDE-67). The engine's other parts ask here, each time anew: a person may
 * give or take trust while they work.
 */
export class WorkspaceTrust {
  readonly #options: WorkspaceTrustOptions;
  readonly #store: TrustStore;
  #state: TrustState;
  /** Why the stored list could not be read, or does not count. */
  #problem: string | undefined;

  constructor(options: WorkspaceTrustOptions) {
    this.#options = options;
    const userHome = options.env.HOME ?? options.env.USERPROFILE;
    this.#store = new TrustStore({ ...options, ...(userHome ? { userHome } : {}) });
    this.#state = options.forRun ? 'run' : 'none';
    this.refresh();
  }

  /** The folder that was opened. */
  get root(): string {
    return this.#options.root;
  }

  get trusted(): boolean {
    return this.#state !== 'none';
  }

  get state(): TrustState {
    return this.#state;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Whether a folder's own configuration may be read: the opened folder's, or that of a repository inside it, which needs
   * trust of its own. `--trust` speaks of the opened folder alone.
   * @param folder absolute
   */
  covers(folder: string): boolean {
    const { root } = this.#options;
    if (realPathOf(folder) === realPathOf(root)) return this.trusted;
    return this.trusted && this.#isStored(folder);
  }

  /** Looks at the stored list again: another process may have changed it. */
  refresh(): void {
    this.#problem = undefined;
    if (this.#options.forRun) return;
    this.#state = this.#isStored(this.#options.root) ? 'stored' : 'none';
  }

  /** Whether the list has this folder, and counts. */
  #isStored(folder: string): boolean {
    const { home, root } = this.#options;
    try {
      if (!this.#store.has(folder)) return false;
      if (!isInside(realPathOf(home), realPathOf(root))) return true;
      // Whoever made the folder would have made the list in it.
      this.#problem = `The state folder ${home} lies in the folder that was opened, so its list of trusted folders does not count.`;
    } catch (cause) {
      const { message, next } = BlackError.toValue(cause);
      this.#problem = next ? `${message} ${next}` : message;
    }
    return false;
  }

  /** A person trusts the folder for good. @throws BlackError as `TrustStore.add`. */
  async grant(): Promise<void> {
    await this.#store.add(this.#options.root);
    this.refresh();
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
