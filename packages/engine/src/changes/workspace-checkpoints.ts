import { BlackError } from '@black-ide/protocol';
import {
  type ChangeJournal,
  type CheckpointManager,
  errnoOf,
  hasUnsettledWork,
  openCheckpoints,
  type PathGuard,
  retractCheckpoint,
  takeOverCapNews,
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

const SHOWN_PATHS = 5;

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

  /** Takes half restores of killed runs back, and records what their commands had changed. @returns sentences for a person */
  async recover(journal: ChangeJournal): Promise<string[]> {
    const notes = overCapNote(takeOverCapNews(this.folder));
    if (!hasUnsettledWork(this.folder)) return notes;
    const manager = await this.open(journal);
    const restores = (await manager.recoverRestores()).map(({ paths, error }) =>
      error
        ? `An undo was killed midway, and ${someOf(paths)} could not be put back yet: ${error.message}`
        : `An undo was killed midway and has been taken back (${someOf(paths)}); it can be done again.`,
    );
    const paths = (await manager.recover()).flatMap(({ files }) => files.map(({ path }) => path));
    notes.push(...restores);
    if (paths.length === 0) return notes;
    return [...notes, `A command of a killed run had changed ${someOf(paths)}; that can be taken back.`];
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

function overCapNote(bytes: number | undefined): string[] {
  if (bytes === undefined) return [];
  const size = `${Math.ceil(bytes / 1024 / 1024)} MB`;
  return [
    `Undo needs ${size} for pending changes and the newest undo, more than checkpoints.maxMegabytes allows; nothing of it is dropped. Keep changes (/keep) or raise that.`,
  ];
}

function someOf(paths: readonly string[]): string {
  const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
  return paths.slice(0, SHOWN_PATHS).join(', ') + more;
}
