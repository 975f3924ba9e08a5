import { BlackError, type EngineError } from '@black-ide/protocol';
import { ioError } from '../documents/io-errors.ts';
import type { PathGuard } from '../paths/path-guard.ts';
import type { ResolvedPath } from '../paths/resolved-path.ts';
import { errnoOf } from '../stores/errno.ts';
import type { ChangeJournal } from './change-journal.ts';
import { StepRunner } from './change-steps.ts';
import { CommitRun } from './commit-run.ts';
import { describeChange, type FileChange } from './file-change.ts';
import { FolderHandles } from './folder-handles.ts';
import {
  type ChangeBase,
  type ChangeProblem,
  type PlannedChange,
  planChanges,
  type StagedChange,
} from './plan-changes.ts';

export interface ChangeSetOptions {
  guard: PathGuard;
  journal: ChangeJournal;
}

export interface CommitOptions {
  /** `refuse` (default) when a file is no longer what its change is based on, or try to `merge` (needs the base's bytes). */
  onDrift?: 'refuse' | 'merge';
  /** What the change set is for, e.g. a tool call's id; comes back from recovery. */
  label?: string;
  /** `refuse` (default) a file that is marked read-only, or `replace` it: only where a person asked for it. */
  onReadOnly?: 'refuse' | 'replace';
  /**
   * Called when everything is ready and nothing has changed yet: the place to store what undoing needs. When it throws,
   * nothing changes. `madeFolders`: real paths, outermost first.
   */
  beforeCommit?: (changes: readonly FileChange[], madeFolders: readonly string[]) => Promise<void>;
}

export type CommitResult =
  | {
      ok: true;
      /** In the order they were staged; a renamed file once, under its new name. Files that stay as they are are left out. */
      changes: FileChange[];
      /** Real paths of folders that had to be made, outermost first. */
      madeFolders: string[];
      /** Set when temporary files could not be removed; the next commit or start does. */
      leftovers?: EngineError;
    }
  | {
      ok: false;
      error: EngineError;
      /** Which files are to blame, where the refusal is about files. */
      problems: ChangeProblem[];
    };

/**
 * The only way to write a workspace file: any number of writes, removals and renames that become real together or not at
 * all, also when the process is killed at any instruction. Every file is checked against the version it is based on.
 */
export class ChangeSet {
  readonly #guard: PathGuard;
  readonly #journal: ChangeJournal;
  readonly #staged = new Map<string, StagedChange>();

  constructor(options: ChangeSetOptions) {
    this.#guard = options.guard;
    this.#journal = options.journal;
  }

  /**
   * Stages a file's new content, over what was staged for it before.
   *
   * @param path as the guard resolved it for writing; consent to a protected path is the caller's business
   * @param options `base`: what the file is now, e.g. the `Document` that was read, or `absent`; `mode`: permission bits,
   * by default those of the file it replaces, else the usual ones; `link`: a symbolic link to `bytes`, for which the
   * path must be resolved as an entry
   */
  write(path: ResolvedPath, bytes: Uint8Array, options: { base: ChangeBase; mode?: number; link?: boolean }): this {
    const earlier = this.#staged.get(path.real);
    const after = { bytes, mode: options.mode, ...(options.link ? { link: true as const } : {}) };
    return this.#stage({ ...earlier, path, base: earlier?.base ?? options.base, after });
  }

  /** Stages a file's removal. One that was only staged to be created is forgotten. */
  remove(path: ResolvedPath, options: { base: ChangeBase }): this {
    const earlier = this.#staged.get(path.real);
    if (earlier?.base !== 'absent') return this.#stage({ path, base: earlier?.base ?? options.base, after: null });
    this.#staged.delete(path.real);
    return this;
  }

  /** Stages a file under a new name, which must be free, and with new content where `bytes` are given. */
  rename(
    from: ResolvedPath,
    to: ResolvedPath,
    options: { base: { version: string; bytes: Uint8Array }; bytes?: Uint8Array },
  ): this {
    if (from.real === to.real) throw new BlackError('same_name', `${from.relative} and ${to.relative} are one file`);
    const bytes = options.bytes ?? this.#staged.get(from.real)?.after?.bytes ?? options.base.bytes;
    this.remove(from, options);
    return this.#stage({ path: to, base: 'absent', after: { bytes }, from });
  }

  /** What is staged for a real path: bytes, null for a removal, undefined for nothing. */
  stagedBytes(real: string): Uint8Array | null | undefined {
    const staged = this.#staged.get(real);
    return staged && (staged.after?.bytes ?? null);
  }

  /** The real paths of all files that are staged, those that go among them. */
  stagedPaths(): string[] {
    return [...this.#staged.keys()];
  }

  /** Number of files that are staged. */
  get size(): number {
    return this.#staged.size;
  }

  /**
   * Makes the staged changes real, all or none. Expected failures are values, e.g. `changed_since_read`, `exists`,
   * `conflict`, `read_only`, `not_a_file`, `no_permission`, `disk_full`, `busy`. Rejects with the signal's reason when aborted
   * before the point of no return, and then nothing has changed.
   */
  async commit(signal?: AbortSignal, options: CommitOptions = {}): Promise<CommitResult> {
    if (this.#staged.size === 0) return { ok: true, changes: [], madeFolders: [] };
    try {
      return await this.#journal.exclusive(signal, () => this.#commit(signal, options));
    } catch (error) {
      const isAbort = signal?.aborted === true && error === signal.reason;
      if (isAbort || !(error instanceof BlackError || errnoOf(error))) throw error;
      return { ok: false, error: BlackError.toValue(ioError(error, 'a file of the change')), problems: [] };
    }
  }

  #stage(change: StagedChange): this {
    if (change.path.access !== 'write')
      throw new BlackError('internal', `${change.path.relative} was resolved for reading only`);
    this.#staged.set(change.path.real, change);
    return this;
  }

  async #commit(signal: AbortSignal | undefined, options: CommitOptions): Promise<CommitResult> {
    const { ops } = this.#journal;
    const folders = new FolderHandles(ops);
    try {
      const { onDrift = 'refuse', onReadOnly = 'refuse', label = null } = options;
      const context = { guard: this.#guard, ops, folders, onDrift, onReadOnly, signal };
      const { plan, problems } = await planChanges([...this.#staged.values()], context);
      if (problems.length > 0) return refusal(problems);
      if (plan.length === 0) return { ok: true, changes: [], madeFolders: [] };
      const run = new CommitRun(ops, folders, new StepRunner(ops, folders), this.#journal.open(), () =>
        this.#journal.undone(label),
      );
      return await this.#run(run, plan, signal, options);
    } finally {
      folders.dispose();
    }
  }

  async #run(
    run: CommitRun,
    plan: readonly PlannedChange[],
    signal: AbortSignal | undefined,
    options: CommitOptions,
  ): Promise<CommitResult> {
    try {
      run.prepare(plan, options.label ?? null);
      const sources = new Set(plan.map(({ from }) => from?.real));
      const shown = plan.filter(({ real, after }) => after !== null || !sources.has(real));
      const changes = await Promise.all(shown.map(describeChange));
      await options.beforeCommit?.(changes, run.madeFolders);
      signal?.throwIfAborted();
      await run.apply();
      return { ok: true, changes, madeFolders: [...run.madeFolders], ...cleanUp(run) };
    } catch (error) {
      const conflicts = run.rollBack();
      if (conflicts.length === 0) throw error;
      const cause = ioError(error, 'a file of the change');
      return { ok: false, error: BlackError.toValue(cause), problems: conflicts.map((path) => leftBehind(path)) };
    }
  }
}

/** The change set is made; what its temporary files do is no longer its failure. */
function cleanUp(run: CommitRun): { leftovers?: EngineError } {
  try {
    run.finish();
    return {};
  } catch (error) {
    return { leftovers: BlackError.toValue(error) };
  }
}

function leftBehind(path: string): ChangeProblem {
  return {
    path,
    code: 'changed_since_read',
    message: `${path} was changed by somebody else while it was written, and is left as they made it.`,
    next: 'Read it again.',
  };
}

function refusal(problems: [ChangeProblem, ...ChangeProblem[]] | ChangeProblem[]): CommitResult {
  const [first] = problems;
  if (!first) throw new BlackError('internal', 'a refusal without a problem');
  const error =
    problems.length === 1
      ? { code: first.code, message: first.message, next: first.next }
      : {
          code: first.code,
          message: `Nothing was written, because of ${problems.length} files: ${problems.map(({ message }) => message).join(' ')}`,
          next: first.next,
        };
  return { ok: false, error, problems };
}
