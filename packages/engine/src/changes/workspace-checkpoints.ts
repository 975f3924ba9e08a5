import { BlackError } from '@black-ide/protocol';
import {
  type ChangeJournal,
  type CheckpointManager,
  errnoOf,
  hasUnsettledCommands,
  openCheckpoints,
  type PathGuard,
  retractCheckpoint,
  workspaceKey,
} from '@black-ide/workspace';

export interface WorkspaceCheckpointsParts {
  /** The state folder. */
  home: string;
  guard: PathGuard;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The setting `checkpoints.maxBytes`. */
  maxBytes: () => number;
}

/** The checkpoints of an engine's workspace, opened when the first file is changed: most runs change none. */
export class WorkspaceCheckpoints {
  readonly folder: string;
  readonly #parts: WorkspaceCheckpointsParts;
  #opened: Promise<CheckpointManager> | undefined;

  constructor(parts: WorkspaceCheckpointsParts) {
    this.#parts = parts;
    this.folder = `${parts.home}/checkpoints/${workspaceKey(parts.guard.root)}`;
  }

  /** What the workspace's journal has to do where nothing is left of a change set. */
  readonly retract = (label: string | null): void => retractCheckpoint(this.folder, label);

  open(journal: ChangeJournal): Promise<CheckpointManager> {
    const { home, guard, env, now, maxBytes } = this.#parts;
    this.#opened ??= openCheckpoints({
      folder: this.folder,
      guard,
      journal,
      env,
      exclude: [home],
      maxBytes: maxBytes(),
      now,
    });
    return this.#opened;
  }

  /** Records what commands of killed runs had changed. @returns sentences for a person */
  async recover(journal: ChangeJournal): Promise<string[]> {
    if (!hasUnsettledCommands(this.folder)) return [];
    const found = await (await this.open(journal)).recover();
    const paths = found.flatMap(({ files }) => files.map(({ path }) => path));
    if (paths.length === 0) return [];
    const shown = paths.slice(0, 5).join(', ');
    const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
    return [`A command of a killed run had changed ${shown}${more}; that can be taken back.`];
  }

  /** Makes room where the store has grown over its cap. Nothing where this run stored nothing. */
  async dispose(): Promise<void> {
    try {
      await (await this.#opened)?.enforceCap();
    } catch (cause) {
      // Nothing is lost by a store that is too large for a while: the next run tries again.
      if (!(cause instanceof BlackError) && errnoOf(cause) === undefined) throw cause;
    }
  }
}
