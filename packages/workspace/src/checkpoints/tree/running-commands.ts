import { randomBytes } from 'node:crypto';
import { copyFileSync, linkSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '@black-ide/protocol';
import type { ChangeJournal } from '../../changes/change-journal.ts';
import type { FileChange } from '../../changes/file-change.ts';
import { findProgram } from '../../doctor/find-program.ts';
import type { PathGuard } from '../../paths/path-guard.ts';
import { errnoOf } from '../../stores/errno.ts';
import { type ProcessIdentity, ProcessTable } from '../../stores/process-table.ts';
import { realPathOf } from '../../stores/real-path.ts';
import { listStoreFolder, makeStoreFolder } from '../../stores/store-folder.ts';
import { writeFileAtomic } from '../../stores/write-file-atomic.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { RUN_SUFFIX, TREE_FOLDER } from '../leftovers.ts';
import { readLiveFile } from '../restore/live-file.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { packChanges, storedPath } from '../store/pack-change.ts';
import type { ChangeRecord, LostFile, Origin } from '../store/records.ts';
import { changedIgnored } from './changed-ignored.ts';
import { diffTrees } from './diff-trees.ts';
import type { GitRepository } from './git-repository.ts';
import { refusesTree, type TakenTree, type TakeTreeOptions, takeTree } from './take-tree.ts';
import { emptyUncovered, isUnseen, readTree, type Tree, treeToJson, type Uncovered } from './tree.ts';

export interface RunningCommandsParts {
  /** The folder of checkpoints. */
  folder: string;
  guard: PathGuard;
  journal: ChangeJournal;
  blobs: BlobStore;
  env: Readonly<Record<string, string | undefined>>;
  exclude: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
  table?: ProcessTable;
  isRecorded(id: string): boolean;
  /** The changes that were recorded at this time or later. */
  writtenSince(at: number): ChangeRecord[];
  /** Writes the record; the caller holds the lock. */
  record(
    id: string,
    origin: Origin,
    files: ChangeRecord['files'],
    more: Pick<ChangeRecord, 'madeFolders' | 'goneFolders' | 'lost'>,
  ): Promise<Checkpoint>;
}

/** What a command has changed so far. */
export interface CommandChanges {
  /** Absent where it changed nothing that is covered. */
  checkpoint?: Checkpoint;
  /** Files and ignored folders that it changed, and whose old bytes nobody knows. */
  uncovered: string[];
}

/** A command that runs, or is about to. */
export interface CommandWatch {
  /** What it would change unseen. */
  readonly coverage: Uncovered;
  /** Records what has changed since the beginning, or since this was asked last. */
  settle(signal?: AbortSignal): Promise<CommandChanges>;
  /** It has ended, and was settled. */
  end(): void;
}

interface Open {
  id: string;
  origin: Origin;
  since: number;
  tree: Tree;
}

const LAST = 'last.json';

/**
 * Finds what commands change on the disk (IDE-51), by a snapshot of the workspace before and one after. The snapshot
 * lies on the disk before the command runs: whoever comes after a kill finds what it changed until then.
 */
export class RunningCommands {
  readonly #parts: RunningCommandsParts;
  readonly #trees: string;
  readonly #table: ProcessTable;
  readonly #open = new Set<Open>();
  #last: { tree: Tree; ino: number } | undefined;
  #repository: GitRepository | undefined;

  constructor(parts: RunningCommandsParts) {
    this.#parts = parts;
    this.#trees = join(parts.folder, TREE_FOLDER);
    this.#table = parts.table ?? new ProcessTable();
    makeStoreFolder(this.#trees);
  }

  async coverage(signal?: AbortSignal): Promise<Uncovered> {
    const nothing = this.#refusal();
    if (nothing) return { ...emptyUncovered(), nothing };
    return (await this.#take(this.#lastTree(), signal, { dry: true })).tree.uncovered;
  }

  /** @param command the command line, where it is known */
  async begin(origin: Origin, signal?: AbortSignal, command = ''): Promise<CommandWatch> {
    const nothing = this.#refusal();
    if (nothing) {
      const coverage = { ...emptyUncovered(), nothing };
      return { coverage, settle: async () => ({ uncovered: [] }), end: () => undefined };
    }
    const copyTracked = endangersGit(command, this.#parts.guard.root);
    const taken = await this.#take(this.#lastTree(), signal, { copyTracked });
    const open: Open = { id: newId(), origin, since: this.#parts.now(), tree: taken.tree };
    this.#keep(open, taken);
    this.#open.add(open);
    return {
      coverage: taken.tree.uncovered,
      settle: (settling) => this.#settle(open, settling),
      end: () => {
        this.#open.delete(open);
        this.#forget(open.id);
      },
    };
  }

  /** What change sets write while commands run is none of theirs. @param paths as the manifest has them */
  async noteWritten(paths: readonly string[]): Promise<void> {
    const { guard, blobs } = this.#parts;
    for (const { tree } of this.#open) {
      for (const path of paths) {
        const live = await readLiveFile(path, guard, { link: true });
        const stats = lstatSync(resolve(guard.root, path), { throwIfNoEntry: false });
        if (live.kind !== 'file' || !live.state || !stats) {
          tree.files.delete(path);
          continue;
        }
        const { link, bytes, version } = live.state;
        const id = link
          ? `l:${Buffer.from(bytes).toString('base64')}`
          : `s:${await blobs.put(bytes, version, { durable: false })}`;
        const { size, mtimeMs, ctimeMs, ino, mode } = stats;
        tree.files.set(path, { mode: mode & 0o7777, size, mtimeMs, ctimeMs, ino, id });
      }
    }
  }

  /** Records what commands of dead processes changed, and forgets them. */
  async recover(signal?: AbortSignal): Promise<Checkpoint[]> {
    const found: Checkpoint[] = [];
    const names = listStoreFolder(this.#trees).map(({ name }) => name);
    for (const name of names.filter((each) => each.endsWith(RUN_SUFFIX))) {
      const id = name.slice(0, -RUN_SUFFIX.length);
      const run = readRun(join(this.#trees, name));
      if (run && this.#table.isAlive(run.owner)) continue;
      const tree = run && !this.#parts.isRecorded(id) ? readTree(join(this.#trees, `${id}.json`)) : undefined;
      if (run && tree && !this.#refusal()) {
        const { checkpoint } = await this.#settle({ id, origin: run.origin, since: run.since, tree }, signal, true);
        if (checkpoint) found.push(checkpoint);
      }
      this.#forget(id);
    }
    return found;
  }

  async #settle(open: Open, signal?: AbortSignal, isLast = false): Promise<CommandChanges> {
    const { guard, blobs, journal } = this.#parts;
    const before = open.tree;
    const earlier = this.#repository;
    const taken = await this.#take(before, signal);
    const others = this.#parts.writtenSince(open.since).filter((record) => !isSameCall(record, open.origin));
    const { tree: after, repository } = taken;
    const files: ChangeRecord['files'] = [];
    const uncovered = [...changedIgnored(guard.root, before, after), ...unreadableBetween(before, after)];
    const lost: LostFile[] = [];
    const repositories = [repository, earlier];
    for await (const part of diffTrees({ root: guard.root, before, after, repositories, blobs, signal })) {
      const own = part.changes.filter((change) => !isWrittenBy(others, change, guard.root));
      files.push(...(await packChanges(own, guard.root, blobs)));
      uncovered.push(...part.uncovered);
      lost.push(...part.lost);
    }
    const { id, origin } = open;
    const more = { ...foldersBetween(before, after), ...(lost.length > 0 ? { lost } : {}) };
    const recorded =
      files.length > 0 || lost.length > 0
        ? await journal.exclusive(undefined, () => this.#parts.record(id, origin, files, more))
        : undefined;
    const checkpoint = files.length > 0 ? recorded : undefined;
    if (!isLast && (checkpoint || uncovered.length > 0)) {
      Object.assign(open, { id: newId(), since: this.#parts.now(), tree: taken.tree });
      this.#keep(open, taken);
      this.#forget(id);
    }
    return { ...(checkpoint ? { checkpoint } : {}), uncovered: [...new Set(uncovered)] };
  }

  #refusal(): string | undefined {
    const { guard, env } = this.#parts;
    return refusesTree(guard.root, env.HOME === undefined ? undefined : realPathOf(env.HOME));
  }

  async #take(
    last: Tree | undefined,
    signal: AbortSignal | undefined,
    how: Pick<TakeTreeOptions, 'dry' | 'copyTracked'> = {},
  ): Promise<TakenTree> {
    const { guard, blobs, env, exclude } = this.#parts;
    const path = findProgram('git', { env, workspace: guard.root });
    const taken = await takeTree({
      root: guard.root,
      exclude: exclude.map(realPathOf),
      git: path === undefined ? undefined : { path, env },
      blobs,
      clockFolder: this.#trees,
      last,
      repository: this.#repository,
      ...how,
      signal,
    });
    this.#repository = taken.repository;
    return taken;
  }

  #lastTree(): Tree | undefined {
    if (this.#last) return this.#last.tree;
    const path = join(this.#trees, LAST);
    const ino = lstatSync(path, { throwIfNoEntry: false })?.ino;
    const tree = ino === undefined ? undefined : readTree(path);
    if (tree && ino !== undefined) this.#last = { tree, ino };
    return tree;
  }

  /** Puts the snapshot on the disk, then the line that says whose it is. */
  #keep({ id, origin, since, tree }: Open, { isSame }: TakenTree): void {
    const path = join(this.#trees, `${id}.json`);
    const last = join(this.#trees, LAST);
    const isLinked = isSame && this.#last !== undefined && linked(last, path) === this.#last.ino;
    if (!isLinked) {
      rmSync(path, { force: true });
      writeFileAtomic(path, treeToJson(tree));
      const aside = `${last}.${id.slice(0, 12)}.tmp`;
      linked(path, aside);
      renameSync(aside, last);
    }
    this.#last = { tree: { ...tree, files: new Map(tree.files) }, ino: lstatSync(path).ino };
    const run = { v: 1, origin, since, owner: this.#table.self() };
    writeFileAtomic(join(this.#trees, id + RUN_SUFFIX), JSON.stringify(run));
  }

  #forget(id: string): void {
    rmSync(join(this.#trees, id + RUN_SUFFIX), { force: true });
    rmSync(join(this.#trees, `${id}.json`), { force: true });
  }
}

/** Git's blobs, by which clean tracked files are known, may be gone after such a command. */
const ENDANGERS_GIT =
  /(?<![\w/.-])(?:\S*\/)?\.git(?![\w.-])|\b(?:gc|prune|repack|maintenance|filter-branch|filter-repo|objects)\b|-delete\b|\brm\b[^;&|\n]*\s\.[*?[]/;

function endangersGit(command: string, root: string): boolean {
  return ENDANGERS_GIT.test(command) || command.includes(root);
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

/** A second name for a file, or a copy where there are no hard links. @returns its inode; undefined where it is not there */
function linked(from: string, to: string): number | undefined {
  try {
    linkSync(from, to);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    copyFileSync(from, to);
  }
  return lstatSync(to).ino;
}

function readRun(path: string): { origin: Origin; since: number; owner: ProcessIdentity } | undefined {
  try {
    const run: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(run) || run.v !== 1 || !isRecord(run.origin) || !isRecord(run.owner)) return undefined;
    return run as unknown as { origin: Origin; since: number; owner: ProcessIdentity };
  } catch (cause) {
    if (cause instanceof SyntaxError || errnoOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Models count their calls: two sessions may well have calls with the same id. */
function isSameCall(a: Origin, b: Origin): boolean {
  return a.sessionId === b.sessionId && a.callId === b.callId;
}

/** Another session's change, or another call's, with its own checkpoint. */
function isWrittenBy(records: readonly ChangeRecord[], { real, after }: FileChange, root: string): boolean {
  const path = storedPath(real, root);
  return records.some(({ files }) =>
    files.some(
      (file) =>
        (file.path === path && (file.after?.version ?? null) === (after?.version ?? null)) ||
        (file.from === path && after === null),
    ),
  );
}

/** Pipes, files whose names are no UTF-8 and the like that came or went: nothing brings them back, but it is told. */
function unreadableBetween(before: Tree, after: Tree): string[] {
  const {
    uncovered: { unreadable: was },
  } = before;
  const {
    uncovered: { unreadable: is },
  } = after;
  const came = is.filter((path) => !isUnseen(before, path) && !before.files.has(path));
  const went = was.filter((path) => !isUnseen(after, path));
  return [...came, ...went];
}

function foldersBetween(before: Tree, after: Tree): Pick<ChangeRecord, 'madeFolders' | 'goneFolders'> {
  const madeFolders = [...after.folders.keys()]
    .filter((path) => !before.folders.has(path) && !isUnseen(before, path))
    .sort();
  const goneFolders = [...before.folders]
    .filter(([path]) => !after.folders.has(path) && !isUnseen(after, path))
    .map(([path, mode]) => ({ path, mode }));
  return {
    ...(madeFolders.length > 0 ? { madeFolders } : {}),
    ...(goneFolders.length > 0 ? { goneFolders } : {}),
  };
}
