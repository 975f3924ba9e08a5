import { dirname } from 'node:path';
import { BlackError, type EngineError } from '@black-ide/protocol';
import type { ChangeJournal } from '../../changes/change-journal.ts';
import { ChangeSet } from '../../changes/change-set.ts';
import { compareStates, type FileChange } from '../../changes/file-change.ts';
import { ioError } from '../../documents/io-errors.ts';
import type { PathGuard } from '../../paths/path-guard.ts';
import { errnoOf } from '../../stores/errno.ts';
import type { RestoreReport } from '../checkpoint.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { CheckpointLedger, LedgerEntry } from '../store/checkpoint-ledger.ts';
import type { ManifestFile } from '../store/manifest-file.ts';
import { packChanges, storedPath } from '../store/pack-change.ts';
import type { ChangeRecord, FileRef, FileTransaction, Origin } from '../store/records.ts';
import { changedBy, changesOfRestore } from './choose-changes.ts';
import { type HalfMarks, halvesOf } from './half-restores.ts';
import { lastCopies } from './last-copies.ts';
import {
  type Chosen,
  type RestoreConflict,
  type RestoredFile,
  type RestorePlan,
  RestorePlanner,
} from './plan-restore.ts';
import { type Folders, foldersIn, foldersToChange, restoreFolders } from './restore-folders.ts';

export interface RestorerParts {
  guard: PathGuard;
  journal: ChangeJournal;
  manifest: ManifestFile;
  ledger: CheckpointLedger;
  blobs: BlobStore;
  marks: HalfMarks;
  now: () => number;
  newId: () => string;
}

export interface RestoreOptions {
  /** Go on although somebody else has changed files since: what they did stays, merged. */
  merge?: boolean;
  signal?: AbortSignal | undefined;
}

export type RestoreResult =
  | ({ ok: true } & RestoreReport)
  | {
      ok: false;
      error: EngineError;
      /** Files whose changes since stand in the way. */
      conflicts?: RestoreConflict[];
      /** Files that somebody else has changed since: the same again with `merge` keeps what they did. */
      foreign?: { path: string; by: 'another session' | 'somebody' }[];
    };

type Written = { ok: true; id: string; changes: FileChange[] } | { ok: false; error: EngineError };

/** What a restore's line says of other lines. */
type Settling = Pick<ChangeRecord, 'kind' | 'redoes' | 'clearedBy' | 'clears'> & { settles: FileRef[] };

/** What became of half a restore: the files it had taken away are there again, or why they are not. */
export interface TakenHalf {
  paths: string[];
  error?: EngineError;
}

/** Takes changes back, all that are chosen or none, as one change that can be taken back itself (IDE-50). */
export class Restorer {
  readonly #parts: RestorerParts;

  constructor(parts: RestorerParts) {
    this.#parts = parts;
  }

  /** Takes the first steps of restores back that were killed before their second one: see `#clear`. */
  async takeBackHalves(): Promise<TakenHalf[]> {
    const { ledger, marks } = this.#parts;
    const forget = marks.found();
    ledger.refresh();
    const halves: TakenHalf[] = [];
    for (const half of halvesOf(ledger.entries())) {
      const put = await this.#putBack(half);
      const paths = half.record.files.map(({ path }) => path);
      halves.push({ paths, ...(put.ok ? {} : { error: put.error }) });
    }
    if (halves.every(({ error }) => error === undefined)) forget();
    ledger.refresh();
    return halves;
  }

  /** Takes changes back. @param chosen the newest first */
  restore(origin: Origin, chosen: readonly Chosen[], options: RestoreOptions): Promise<RestoreResult> {
    return this.#run(origin, chosen, 'restore', undefined, options);
  }

  /** Takes a restore back. */
  redo(
    origin: Origin,
    restore: LedgerEntry,
    chosen: readonly Chosen[],
    options: RestoreOptions,
  ): Promise<RestoreResult> {
    return this.#run(origin, chosen, 'redo', restore, options);
  }

  /** What the files are now, and what they would be, without doing anything. */
  plan(chosen: readonly Chosen[], signal?: AbortSignal): Promise<RestorePlan> {
    const { guard, blobs, ledger } = this.#parts;
    return new RestorePlanner(guard, blobs, lastCopies(ledger.entries(), guard), signal).plan(chosen);
  }

  async #run(
    origin: Origin,
    chosen: readonly Chosen[],
    kind: 'restore' | 'redo',
    restore: LedgerEntry | undefined,
    { merge, signal }: RestoreOptions,
  ): Promise<RestoreResult> {
    const { guard, ledger, journal } = this.#parts;
    const plan = await this.plan(chosen, signal);
    const refused = this.#refusal(plan, origin.sessionId, merge === true);
    if (refused) return refused;
    if (restore ? plan.skipped.length > 0 : plan.settles.length === 0) return { ok: false, error: skippedOf(plan) };
    const settles = restore ? (restore.record.settles ?? []) : plan.settles;
    const records = recordsOf(chosen, plan.settles);
    const what = { kind, settles, ...(restore ? { redoes: restore.record.id } : {}) };
    const written = mustClear(plan.files)
      ? await this.#inTwoSteps(origin, what, plan.files, records, signal)
      : await this.#write(origin, what, plan.files, foldersToChange(records, guard), signal);
    if (!written.ok) return written;
    restoreFolders(records, guard, journal.ops);
    ledger.refresh();
    const merged = new Set(plan.files.filter((file) => file.merged).map(({ shown }) => shown));
    return {
      ok: true,
      id: written.id,
      files: written.changes.map(({ real, kind: how, added, removed }) => {
        const path = storedPath(real, guard.root);
        return { path, kind: how, added, removed, merged: merged.has(path) };
      }),
      skipped: plan.skipped,
      settled: settles.flatMap(([checkpoint, n]) => {
        const entry = ledger.get(checkpoint);
        const file = entry?.record.files[n];
        return entry && file ? [{ checkpoint, path: file.path, state: entry.states[n] ?? 'pending' }] : [];
      }),
    };
  }

  /**
   * Takes away what has to go before folders can be where files are, or files where folders are: no single change set can
   * do both. It is a restore of its own, which counts for nothing without the second step that names it: whoever comes
   * after a kill in between takes it back.
   */
  async #inTwoSteps(
    origin: Origin,
    what: Settling,
    files: readonly RestoredFile[],
    records: readonly ChangeRecord[],
    signal: AbortSignal | undefined,
  ): Promise<Written> {
    const { guard, journal, ledger, marks } = this.#parts;
    const inPlace = files.flatMap(({ path, inFolder }) => (inFolder ? foldersIn(path.real, guard) : []));
    const changing = [...records, { madeFolders: inPlace }];
    const folders = foldersToChange(changing, guard);
    const going = files.filter(({ after }) => after === null);
    const forget = marks.set();
    const first = await this.#write(origin, { kind: 'restore', settles: [], clears: true }, going, folders, signal);
    if (!first.ok) {
      // One that could not be rolled back may yet be finished by the next process.
      if (first.error.code !== 'rollback_failed') forget();
      return first;
    }
    // From here on it is finished or taken back: nobody's abort leaves it in between.
    const second = await this.#valueOf(async () => {
      restoreFolders(changing, guard, journal.ops);
      const coming = files.filter(({ after }) => after !== null);
      return this.#write(origin, { ...what, clearedBy: first.id }, coming, folders, undefined);
    });
    if (!second.ok) {
      ledger.refresh();
      const half = ledger.get(first.id);
      const put = half ? await this.#putBack(half) : second;
      if (!put.ok) return { ok: false, error: halfDone(second.error, put.error) };
    }
    forget();
    return second.ok ? { ...second, changes: [...first.changes, ...second.changes] } : second;
  }

  /** What was cleared away comes back, with its folders. May be killed at any point and run again. */
  async #putBack(half: LedgerEntry): Promise<Written> {
    const { guard, journal } = this.#parts;
    const { id, sessionId, messageId } = half.record;
    return this.#valueOf(async () => {
      restoreFolders([half.record], guard, journal.ops);
      const plan = await this.plan(changesOfRestore(half));
      const [conflict] = plan.conflicts;
      if (conflict) return { ok: false, error: conflictOf(conflict) };
      if (plan.skipped.length > 0) return { ok: false, error: skippedOf(plan) };
      return this.#write(
        { sessionId, messageId },
        { kind: 'redo', settles: [], redoes: id },
        plan.files,
        {},
        undefined,
      );
    });
  }

  /** Failures of the disk and the store as values. */
  async #valueOf(run: () => Promise<Written>): Promise<Written> {
    try {
      return await run();
    } catch (cause) {
      if (!(cause instanceof BlackError || errnoOf(cause))) throw cause;
      return { ok: false, error: BlackError.toValue(ioError(cause, 'a file of the restore')) };
    }
  }

  /** Writes files and the line of the manifest, as one change set. */
  async #write(
    origin: Origin,
    what: Settling,
    files: readonly RestoredFile[],
    folders: Folders,
    signal: AbortSignal | undefined,
  ): Promise<Written> {
    const { guard, journal, ledger, blobs, manifest } = this.#parts;
    const { kind, settles, ...more } = what;
    const expected = settles.map(([id, n]) => ledger.get(id)?.states[n]);
    const id = this.#parts.newId();
    let isStored = false;
    const store = async (changes: readonly FileChange[], made: readonly string[]): Promise<void> => {
      this.#refuseOvertaken(settles, expected);
      const stored = await packChanges(changes, guard.root, blobs);
      const back = folders.madeFolders ?? [];
      const madeFolders = [...new Set([...made.map((real) => storedPath(real, guard.root)), ...back])];
      const at = this.#parts.now();
      await manifest.append({
        t: 'change',
        v: 1,
        id,
        kind,
        ...origin,
        at,
        files: stored,
        ...folders,
        madeFolders,
        settles,
        ...more,
      });
      isStored = true;
    };
    const set = changeSetOf(files, new ChangeSet({ guard, journal }));
    const committed = await set.commit(signal, { label: id, onReadOnly: 'replace', beforeCommit: store });
    if (!committed.ok) return { ok: false, error: committed.error };
    // The files are so already: only the transactions are settled.
    if (!isStored) await journal.exclusive(signal, () => store([], []));
    return { ok: true, id, changes: committed.changes };
  }

  #refusal(plan: RestorePlan, sessionId: string, merge: boolean): RestoreResult | undefined {
    const [first] = plan.conflicts;
    if (first) {
      const { conflicts } = plan;
      return { ok: false, error: conflictOf(first, ...conflicts.slice(1)), conflicts };
    }
    if (merge) return undefined;
    const entries = this.#parts.ledger.entries();
    const foreign = plan.drifted.flatMap((drift) => {
      const by = changedBy(entries, sessionId, drift);
      return by === 'this session' ? [] : [{ path: drift.path, by }];
    });
    if (foreign.length === 0) return undefined;
    const names = foreign.map(({ path, by }) => (by === 'somebody' ? path : `${path} (by ${by})`)).join(', ');
    const message = `Changed since by somebody else: ${names}. Their changes would stay, merged.`;
    return { ok: false, error: { code: 'changed_since', message, next: 'Say so again to merge.' }, foreign };
  }

  /** Under the lock: another process may have settled the same changes a moment ago. */
  #refuseOvertaken(settles: readonly FileRef[], expected: readonly (FileTransaction | undefined)[]): void {
    const { ledger } = this.#parts;
    ledger.refresh();
    if (settles.every(([id, n], i) => ledger.get(id)?.states[n] === expected[i])) return;
    throw new BlackError('changed_meanwhile', 'These changes were settled by another process just now.', 'Look again.');
  }
}

function changeSetOf(files: readonly RestoredFile[], set: ChangeSet): ChangeSet {
  for (const { path, before, after } of files) {
    const base = before ? { version: before.version } : ('absent' as const);
    if (after) {
      const mode = after.link || after.mode === -1 ? {} : { mode: after.mode };
      set.write(path, after.bytes, { base, ...mode, ...(after.link ? { link: true } : {}) });
    } else if (before) set.remove(path, { base });
  }
  return set;
}

/** Whether a file has to go before a folder can be there, or the other way round. */
function mustClear(files: readonly RestoredFile[]): boolean {
  const going = new Set(files.flatMap(({ path, after }) => (after ? [] : [path.real])));
  return files.some(({ path, after, inFolder }) => inFolder || (after !== null && liesBelow(path.real, going)));
}

function liesBelow(path: string, files: ReadonlySet<string>): boolean {
  for (let at = dirname(path), last = path; at !== last; last = at, at = dirname(at)) if (files.has(at)) return true;
  return false;
}

function conflictOf(...conflicts: [RestoreConflict, ...RestoreConflict[]]): EngineError {
  const [first] = conflicts;
  const message =
    conflicts.length === 1
      ? `Nothing was restored: ${first.message}`
      : `Nothing was restored, because of ${conflicts.length} files: ${conflicts.map((one) => one.message).join(' ')}`;
  return { code: 'conflict', message, next: 'Restore the other files one by one, and mend these by hand.' };
}

function skippedOf({ skipped }: RestorePlan): EngineError {
  const names = skipped.map(({ path, why }) => `${path} (${why})`).join(', ');
  const message = skipped.length > 0 ? `Nothing was restored. Left alone: ${names}.` : 'There is nothing to restore.';
  return { code: skipped.length > 0 ? 'all_skipped' : 'nothing_to_undo', message };
}

function halfDone(cause: EngineError, why: EngineError): EngineError {
  return {
    code: 'rollback_failed',
    message: `${cause.message} What had made room for it could not be put back yet: ${why.message}`,
    next: 'Mend that; the next undo or start puts it back.',
  };
}

function recordsOf(chosen: readonly Chosen[], settles: readonly FileRef[]): ChangeRecord[] {
  const ids = new Set(settles.map(([id]) => id));
  return [...new Set(chosen.map(({ entry }) => entry.record))].filter(({ id }) => ids.has(id));
}

/** The unified diff from what files were before the chosen changes to what they are now. */
export async function diffOfPlan({ files }: RestorePlan): Promise<string> {
  const diffs = await Promise.all(
    files.map(async ({ shown, before: now, after: old }) => {
      const names = { from: old ? shown : null, to: now ? shown : null };
      const { diff } = await compareStates(old, now, names);
      const modes = old && now && !old.link && !now.link && old.mode !== now.mode;
      return modes ? `${shown}: mode ${old.mode.toString(8)} to ${now.mode.toString(8)}\n${diff}` : diff;
    }),
  );
  return diffs.join('\n');
}
