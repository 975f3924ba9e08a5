import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileState } from '../../changes/file-state.ts';
import type { PathGuard } from '../../paths/path-guard.ts';
import type { ResolvedPath } from '../../paths/resolved-path.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { LedgerEntry } from '../store/checkpoint-ledger.ts';
import type { FileRef, StoredFile } from '../store/records.ts';
import { type LiveFile, pathAfterwards, readLiveFile } from './live-file.ts';
import { takeBack } from './take-back.ts';

/** A change to take back: one file of one checkpoint. */
export interface Chosen {
  entry: LedgerEntry;
  file: StoredFile;
  ref: FileRef;
}

/** A file that keeps others from being restored. */
export interface RestoreConflict {
  path: string;
  /** A sentence for a person. */
  message: string;
  /** The header of the hunk that does not apply any more, `@@ -3,7 +3,6 @@`. */
  hunk?: string;
}

/** A file of the workspace as a restore finds it and leaves it. */
export interface RestoredFile {
  path: ResolvedPath;
  shown: string;
  before: FileState | null;
  after: FileState | null;
  /** It was not as the changes had left it; what was changed since stays. */
  merged: boolean;
  /** A folder stands in its place, which is empty once the plan's other files are gone. */
  inFolder: boolean;
}

export interface RestorePlan {
  files: RestoredFile[];
  conflicts: RestoreConflict[];
  /** Files that are left alone, and why. */
  skipped: { path: string; why: string }[];
  /** The changes that the plan takes back. */
  settles: FileRef[];
  /** Files that somebody has changed since, with the version that the newest of our changes had left. */
  drifted: { path: string; left: string | null; now: string | null }[];
}

interface OpenSlot {
  kind: 'file';
  path: ResolvedPath;
  /** As it is on the disk, and as it would be. */
  first: FileState | null;
  now: FileState | null;
  merged: boolean;
  touched: boolean;
  isFolder: boolean;
}

type Slot = OpenSlot | { kind: 'skipped'; why: string } | { kind: 'refused'; why: string };

/** Takes changes back in thought, the newest first, from the files as they are now. Writes nothing. */
export class RestorePlanner {
  readonly #guard: PathGuard;
  readonly #blobs: BlobStore;
  readonly #lastCopyOf: (chosen: Chosen) => string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #slots = new Map<string, Slot>();
  readonly #plan: RestorePlan = { files: [], conflicts: [], skipped: [], settles: [], drifted: [] };

  /** @param lastCopyOf of which file a created one may be the last copy: it is left alone then */
  constructor(
    guard: PathGuard,
    blobs: BlobStore,
    lastCopyOf: (chosen: Chosen) => string | undefined,
    signal?: AbortSignal,
  ) {
    this.#guard = guard;
    this.#blobs = blobs;
    this.#lastCopyOf = lastCopyOf;
    this.#signal = signal;
  }

  /** @param chosen the newest first */
  async plan(chosen: readonly Chosen[]): Promise<RestorePlan> {
    for (const each of removalsFirst(chosen)) await this.#takeBack(each);
    for (const [shown, slot] of this.#slots) {
      if (slot.kind === 'skipped') this.#plan.skipped.push({ path: shown, why: slot.why });
      if (slot.kind !== 'file' || !slot.touched) continue;
      const { path, first, now, merged, isFolder } = slot;
      this.#plan.files.push({ path, shown, before: first, after: now, merged, inFolder: isFolder && now !== null });
    }
    this.#refuseFullFolders();
    return this.#plan;
  }

  async #takeBack(chosen: Chosen): Promise<void> {
    const { file, ref } = chosen;
    const expectsLink = file.after?.link === true || file.before?.link === true;
    const slot = await this.#slot(file.path, expectsLink);
    if (slot.kind === 'skipped') return;
    if (slot.kind === 'refused') return this.#conflict(file.path, slot.why);
    if (!slot.touched) this.#noteDrift(file, slot.now);
    if (file.from !== undefined) return this.#takeNameBack({ file, ref }, file.from, slot, expectsLink);
    const last = slot.now ? this.#lastCopyOf(chosen) : undefined;
    if (last !== undefined) {
      const why = `it may be the last copy of ${last}, which is lost`;
      this.#plan.skipped.push({ path: file.path, why });
      return;
    }
    const taken = await takeBack(file, slot.now, this.#blobs);
    slot.touched = true;
    if (!taken.ok) return this.#conflict(file.path, taken.why, taken.hunk);
    slot.merged ||= taken.how === 'merged';
    slot.now = taken.state;
    this.#plan.settles.push(ref);
  }

  /** Takes a rename back, with what was changed on the way. */
  async #takeNameBack(
    { file, ref }: Pick<Chosen, 'file' | 'ref'>,
    from: string,
    slot: OpenSlot,
    expectsLink: boolean,
  ): Promise<void> {
    const source = await this.#slot(from, expectsLink);
    if (source.kind === 'skipped') return;
    if (source.kind === 'refused') return this.#conflict(from, source.why);
    const isBack = slot.now === null && source.now?.version === file.before?.version;
    if (!isBack) {
      if (source.now) return this.#conflict(from, 'another file has this name now');
      const taken = await takeBack(file, slot.now, this.#blobs);
      if (!taken.ok) return this.#conflict(file.path, taken.why, taken.hunk);
      const merged = slot.merged || taken.how === 'merged';
      Object.assign(source, { now: taken.state, touched: true, merged });
      Object.assign(slot, { now: null, touched: true });
    }
    this.#plan.settles.push(ref);
  }

  async #slot(path: string, link: boolean): Promise<Slot> {
    const known = this.#slots.get(path);
    if (known) return known;
    const live: LiveFile = this.#isBelowGoing(path)
      ? { kind: 'file', path: pathAfterwards(path, this.#guard), state: null }
      : await readLiveFile(path, this.#guard, { link }, this.#signal);
    const slot: Slot =
      live.kind === 'file'
        ? {
            kind: 'file',
            path: live.path,
            first: live.state,
            now: live.state,
            merged: false,
            touched: false,
            isFolder: live.isFolder === true,
          }
        : live;
    this.#slots.set(path, slot);
    return slot;
  }

  /** Whether a file or link that the plan takes away stands where one of the path's folders is to be. */
  #isBelowGoing(path: string): boolean {
    for (let at = dirname(path), last = path; at !== last; last = at, at = dirname(at)) {
      const slot = this.#slots.get(at);
      if (slot?.kind === 'file' && slot.first !== null && slot.now === null) return true;
    }
    return false;
  }

  /** A folder with anybody's files in it does not make room for a file. */
  #refuseFullFolders(): void {
    const { files } = this.#plan;
    const going = new Set(files.flatMap(({ path, after }) => (after ? [] : [path.real])));
    for (const { path, shown, inFolder } of files) {
      if (!inFolder) continue;
      const left = readdirSync(path.real, { recursive: true, withFileTypes: true }).find(
        (entry) => !entry.isDirectory() && !going.has(join(entry.parentPath, entry.name)),
      );
      if (left) this.#conflict(shown, `it is a folder now, with ${left.name} in it`);
    }
  }

  #noteDrift(file: StoredFile, now: FileState | null): void {
    const left = file.after?.version ?? null;
    if ((now?.version ?? null) === left || (now?.version ?? null) === (file.before?.version ?? null)) return;
    this.#plan.drifted.push({ path: file.path, left, now: now?.version ?? null });
  }

  #conflict(path: string, why: string, hunk?: string): void {
    const known = this.#plan.conflicts.some((conflict) => conflict.path === path);
    if (known) return;
    this.#plan.conflicts.push({ path, message: `${path}: ${why}.`, ...(hunk ? { hunk } : {}) });
  }
}

/** Within one change what it made goes first: it may stand where folders of other files are to be. */
function removalsFirst(chosen: readonly Chosen[]): Chosen[] {
  const byChange = Map.groupBy(chosen, ({ ref: [id] }) => id);
  return [...byChange.values()].flatMap((own) => own.toSorted((a, b) => rank(a) - rank(b)));
}

function rank({ file }: Chosen): number {
  return file.before === null ? 0 : 1;
}
