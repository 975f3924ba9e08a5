import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import type { ChangeJournal } from '../changes/change-journal.ts';
import type { ChangeSet, CommitResult } from '../changes/change-set.ts';
import { nodeFileOps } from '../changes/file-ops.ts';
import type { PathGuard } from '../paths/path-guard.ts';
import { type Checkpoint, checkpointOf } from './checkpoint.ts';
import { noteOverCap } from './leftovers.ts';
import { changesOfRestore, chooseChanges, type Selection } from './restore/choose-changes.ts';
import { HalfMarks } from './restore/half-restores.ts';
import type { Chosen } from './restore/plan-restore.ts';
import { diffOfPlan, type RestoreOptions, type RestoreResult, Restorer, type TakenHalf } from './restore/restorer.ts';
import { BlobStore } from './store/blob-store.ts';
import { CheckpointLedger, type LedgerEntry } from './store/checkpoint-ledger.ts';
import { type Condensed, condense } from './store/condense.ts';
import { ManifestFile } from './store/manifest-file.ts';
import { packChanges, storedPath } from './store/pack-change.ts';
import type { ChangeRecord, FileRef, FileTransaction, Origin } from './store/records.ts';
import { leftOf } from './tree/changed-ignored.ts';
import type { CommandWatch, RunningCommands } from './tree/running-commands.ts';
import type { Uncovered } from './tree/tree.ts';

export interface CheckpointManagerOptions {
  /** This workspace's folder of checkpoints, outside of the workspace; made when missing. */
  folder: string;
  guard: PathGuard;
  /** Its commits are what checkpoints are for; its lock guards the manifest. Its `onUndone` must be `retractCheckpoint`. */
  journal: ChangeJournal;
  /** For finding git. */
  env: Readonly<Record<string, string | undefined>>;
  /** Folders that are never looked into: the state home. */
  exclude: readonly string[];
  /** How large the store may grow, in bytes. Default 1 GiB. */
  maxBytes?: number | undefined;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export type CheckpointedCommit = CommitResult & { checkpoint?: Checkpoint };

const DEFAULT_MAX_BYTES = 1024 ** 3;
/** From this share of what is allowed it is worth looking for copies that nothing needs. */
const TIDY_FROM = 1 / 4;

/**
 * Makes every change of workspace files one that can be taken back (IDE-47 … IDE-51): by file, by message, also after a
 * crash, and taking back can be taken back. All of it lies in one folder of the state home; the workspace, and its `.git`
 * above all, holds nothing of it.
 */
export class CheckpointManager {
  readonly #options: CheckpointManagerOptions;
  readonly #now: () => number;
  readonly #blobs: BlobStore;
  readonly #manifest: ManifestFile;
  readonly #ledger: CheckpointLedger;
  readonly #restorer: Restorer;
  #running: Promise<RunningCommands> | undefined;

  constructor(options: CheckpointManagerOptions) {
    const { folder, guard, journal } = options;
    const ops = journal.ops ?? nodeFileOps;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#blobs = new BlobStore(join(folder, 'blobs'), ops);
    this.#manifest = new ManifestFile(folder, ops);
    this.#ledger = new CheckpointLedger(this.#manifest);
    this.#restorer = new Restorer({
      guard,
      journal,
      manifest: this.#manifest,
      ledger: this.#ledger,
      blobs: this.#blobs,
      marks: new HalfMarks(folder, ops),
      now: this.#now,
      newId,
    });
  }

  /**
   * Commits a change set with its checkpoint: the change is real only if its undo is stored. As `ChangeSet.commit`, and
   * a store that cannot be written is a failure like a file that cannot.
   */
  async commit(set: ChangeSet, origin: Origin, signal?: AbortSignal): Promise<CheckpointedCommit> {
    const id = newId();
    let record: ChangeRecord | undefined;
    const committed = await set.commit(signal, {
      label: id,
      beforeCommit: async (changes, madeFolders) => {
        const { guard } = this.#options;
        const files = await packChanges(changes, guard.root, this.#blobs);
        const made = madeFolders.map((real) => storedPath(real, guard.root));
        record = this.#record(id, 'edit', origin, files, made.length > 0 ? { madeFolders: made } : {});
        await this.#manifest.append(record);
      },
    });
    if (!committed.ok || !record) return committed;
    await this.#noteWritten(record.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
    return { ...committed, checkpoint: pendingCheckpoint(record) };
  }

  /** Every checkpoint of a session's own work, oldest first; what took them back is told by how they stand. */
  list(sessionId: string): Checkpoint[] {
    return this.#entries()
      .filter(({ record }) => record.sessionId === sessionId && (record.kind === 'edit' || record.kind === 'command'))
      .filter(({ record }) => record.files.length > 0)
      .map(checkpointOf);
  }

  /** Whether the session has a restore that can be taken back. */
  canRedo(sessionId: string): boolean {
    return this.#newestRestore(sessionId) !== undefined;
  }

  /** The changes of a file, or of all files, that are still pending, as one unified diff against the disk. */
  async diff(selection: Selection, signal?: AbortSignal): Promise<string> {
    const chosen = this.#chosen(selection);
    return diffOfPlan(await this.#restorer.plan(chosen, signal));
  }

  /**
   * Keeps changes: they are no longer offered for undoing with their message.
   * @returns the transactions that are kept now.
   * @throws BlackError `nothing_to_keep`, or why the store cannot be written
   */
  keep(selection: Selection, signal?: AbortSignal): Promise<{ checkpoint: string; path: string }[]> {
    return this.#options.journal.exclusive(signal, async () => {
      const chosen = chooseChanges(this.#entries(), this.#named(selection), 'pending');
      if (chosen.length === 0) throw nothing('keep', selection);
      const of: FileRef[] = chosen.map(({ ref }) => ref);
      await this.#manifest.append({ t: 'keep', v: 1, of });
      this.#ledger.refresh();
      return chosen.map(({ entry, file }) => ({ checkpoint: entry.record.id, path: file.path }));
    });
  }

  /**
   * Takes the pending changes back that are meant; a file that is named, and has none, its kept ones.
   * Failures are values: `conflict`, `changed_since`, `all_skipped`, and those of a commit.
   * @throws BlackError `nothing_to_undo`, `checkpoint_damaged`; the signal's reason
   */
  async restore(selection: Selection, options: RestoreOptions = {}): Promise<RestoreResult> {
    const halves = await this.#takeBackHalves();
    const chosen = this.#chosen(selection);
    if (chosen.length === 0) throw nothing('undo', selection);
    const half = halfIn(halves, chosen);
    if (half) return half;
    const messageId = selection.messageId ?? chosen[0]?.entry.record.messageId ?? '';
    return this.#noted(this.#restorer.restore({ sessionId: selection.sessionId, messageId }, chosen, options));
  }

  /**
   * Takes the session's newest restore back.
   * @throws BlackError `nothing_to_redo` and as `restore`
   */
  async redo(sessionId: string, options: RestoreOptions = {}): Promise<RestoreResult> {
    const halves = await this.#takeBackHalves();
    const restore = this.#newestRestore(sessionId);
    if (!restore) throw new BlackError('nothing_to_redo', 'There is no undo that could be taken back.');
    const { messageId, clearedBy = '' } = restore.record;
    const cleared = this.#ledger.get(clearedBy);
    const chosen = [...changesOfRestore(restore), ...(cleared ? changesOfRestore(cleared) : [])];
    const half = halfIn(halves, chosen);
    if (half) return half;
    return this.#noted(this.#restorer.redo({ sessionId, messageId }, restore, chosen, options));
  }

  /** What a command would change unseen: files that are ignored, too large or cannot be read. */
  async coverage(signal?: AbortSignal): Promise<Uncovered> {
    return (await this.#commands()).coverage(signal);
  }

  /** How files that are not covered stand now. @param paths as `CommandChanges.uncovered` has them */
  leftOf(paths: readonly string[]): { path: string; gone?: true }[] {
    return leftOf(this.#options.guard.root, paths);
  }

  /**
   * Knows the bytes of every file that counts before a command runs; `settle` finds afterwards what it changed.
   * @param command the command line: one that may destroy what git has makes more be copied
   */
  async beforeCommand(origin: Origin, signal?: AbortSignal, command?: string): Promise<CommandWatch> {
    return (await this.#commands()).begin(origin, signal, command);
  }

  /** Records what commands of killed processes had changed. @returns their checkpoints */
  async recover(signal?: AbortSignal): Promise<Checkpoint[]> {
    return (await this.#commands()).recover(signal);
  }

  /** Takes restores back that were killed between their two steps. @returns the files that they had taken away */
  async recoverRestores(): Promise<TakenHalf[]> {
    return this.#takeBackHalves();
  }

  /**
   * Drops the oldest settled changes where the store has grown too large, and well before that what nothing needs any
   * more. Looks without a lock, and writes nothing where there is room. `takeOverCapNews` tells where what is never
   * dropped is too much.
   */
  async enforceCap(signal?: AbortSignal): Promise<Condensed | undefined> {
    const { maxBytes = DEFAULT_MAX_BYTES, journal, folder } = this.#options;
    const size = this.#blobs.list().reduce((sum, blob) => sum + blob.size, this.#manifest.size);
    if (size < maxBytes * TIDY_FROM) {
      noteOverCap(folder, undefined);
      return undefined;
    }
    return journal.exclusive(signal, async () => {
      const [manifest, blobs] = [this.#manifest, this.#blobs];
      const condensed = condense({ folder, maxBytes, now: this.#now(), manifest, blobs, ops: journal.ops });
      noteOverCap(folder, condensed.neededOver);
      return condensed;
    });
  }

  async #takeBackHalves(): Promise<TakenHalf[]> {
    const halves = await this.#restorer.takeBackHalves();
    await this.#noteWritten(halves.flatMap(({ paths }) => paths));
    return halves;
  }

  async #noted(restoring: Promise<RestoreResult>): Promise<RestoreResult> {
    const result = await restoring;
    if (result.ok) await this.#noteWritten(result.files.map(({ path }) => path));
    return result;
  }

  async #noteWritten(paths: readonly string[]): Promise<void> {
    await (await this.#running)?.noteWritten(paths);
  }

  #commands(): Promise<RunningCommands> {
    this.#running ??= this.#openCommands();
    return this.#running;
  }

  async #openCommands(): Promise<RunningCommands> {
    const { RunningCommands: Opened } = await import('./tree/running-commands.ts');
    const { folder, guard, journal, env, exclude } = this.#options;
    return new Opened({
      folder,
      guard,
      journal,
      env,
      exclude,
      blobs: this.#blobs,
      now: this.#now,
      isRecorded: (id) => this.#entries().some(({ record }) => record.id === id),
      writtenSince: (at) => this.#entries().flatMap(({ record }) => (record.at >= at ? [record] : [])),
      record: async (id, origin, files, more) => {
        const record = this.#record(id, 'command', origin, files, more);
        await this.#manifest.append(record);
        return pendingCheckpoint(record);
      },
    });
  }

  #record(
    id: string,
    kind: ChangeRecord['kind'],
    { sessionId, messageId, callId }: Origin,
    files: ChangeRecord['files'],
    more: Pick<ChangeRecord, 'madeFolders' | 'goneFolders' | 'lost'>,
  ): ChangeRecord {
    const origin = { sessionId, messageId, ...(callId === undefined ? {} : { callId }) };
    return { t: 'change', v: 1, id, kind, ...origin, at: this.#now(), files, ...more };
  }

  #chosen(selection: Selection): Chosen[] {
    const named = this.#named(selection);
    const entries = this.#entries();
    const pending = chooseChanges(entries, named, 'pending');
    return pending.length > 0 || named.path === undefined ? pending : chooseChanges(entries, named, 'kept');
  }

  /** The path as the manifest has it, however it was given. */
  #named(selection: Selection): Selection {
    if (selection.path === undefined) return selection;
    const { guard } = this.#options;
    const resolved = guard.resolveEntry(selection.path, 'write');
    if (!resolved.ok) throw new BlackError(resolved.code, resolved.message, resolved.next);
    return { ...selection, path: storedPath(resolved.real, guard.root) };
  }

  #entries(): LedgerEntry[] {
    this.#ledger.refresh();
    return this.#ledger.entries();
  }

  #newestRestore(sessionId: string): LedgerEntry | undefined {
    return this.#entries().findLast(
      ({ record, redone }) =>
        record.sessionId === sessionId && record.kind === 'restore' && record.settles?.length !== 0 && !redone,
    );
  }
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

/** The failure of a half restore that could not be taken back, where its files are meant. */
function halfIn(halves: readonly TakenHalf[], chosen: readonly Chosen[]): RestoreResult | undefined {
  const meant = new Set(chosen.map(({ file }) => file.path));
  const half = halves.find(({ paths, error }) => error && paths.some((path) => meant.has(path)));
  return half?.error && { ok: false, error: half.error };
}

function pendingCheckpoint(record: ChangeRecord): Checkpoint {
  const states: FileTransaction[] = record.files.map(() => 'pending');
  return checkpointOf({ record, states, previous: [], redone: false });
}

function nothing(what: 'keep' | 'undo', { path, messageId }: Selection): BlackError {
  const where = path !== undefined ? ` in ${path}` : messageId !== undefined ? ' by this message' : '';
  return new BlackError(
    `nothing_to_${what}`,
    `There is no change${where} that could be ${what === 'keep' ? 'kept' : 'taken back'}.`,
    'Look at the list of changes.',
  );
}
