import type { BlackError } from '@black-ide/protocol';
import { rejectOnAbort } from '../client/bell.ts';
import { type Limit, limited } from '../client/limited.ts';
import type { DiskTexts } from '../disk-texts.ts';
import { DiagnosticsLedger, type NewsLine } from './diagnostics-ledger.ts';
import type { CheckedFile, DiagnosticsSource, FileEvent } from './diagnostics-source.ts';
import { DiskStamps } from './disk-stamps.ts';
import { SourceQueue, type WriteCheck } from './source-queue.ts';

export interface WriteDiagnosticsOptions {
  /** The workspace: a real path. */
  root: string;
  /** The sources that check a file; the same values each time. */
  sourcesOf: (path: string) => Promise<readonly DiagnosticsSource[]>;
  /** Files that depend on one, the nearest first, as absolute paths. */
  importersOf: (path: string, limit: number, signal: AbortSignal) => Promise<readonly string[]>;
  /** Called at the first write of a turn: what is installed and trusted may be another than before. */
  refresh?: () => Promise<void>;
  /** Tells every source what has happened on the disk. */
  notice: (events: readonly FileEvent[]) => void;
  disk: DiskTexts;
  /** How long a write may be held up in all, in milliseconds. */
  waitMs: () => number;
  /** After so many milliseconds a source that has told nothing is given up. Default 5 minutes. */
  giveUpMs?: number;
}

/** A file that is about to be written, or made, or moved away. */
export interface FileBefore {
  /** Absolute. */
  path: string;
  /** Null: there is none, or it is no text. */
  text: string | null;
}

/** A file that has been written; with `text` null it is gone. */
export interface FileAfter extends FileBefore {
  kind: 'created' | 'modified' | 'deleted' | 'renamed';
  /** Its name before it was renamed. */
  from?: string;
}

/** What a result tells of diagnostics. */
export interface DiagnosticsNews {
  lines: NewsLine[];
  /** So many more there are, told later. */
  more: number;
  /** Who has not made up its mind yet, by title. */
  pending: string[];
  /** Who had not and has now, without finding anything new. */
  settled: string[];
  /** Why some are not known. */
  problems: string[];
}

/** A write that is being watched. */
export interface WatchedWrite {
  /** Tells what was written; resolves when it is known what that broke, at the latest when the wait is over. */
  written(after: readonly FileAfter[]): Promise<void>;
  /** Nothing was written. */
  abandon(): void;
}

const MAX_IMPORTERS = 20;
const MAX_LINES = 20;
/** So many files of one write are asked for. */
const MAX_EDITED = 100;
const GIVE_UP_MS = 300_000;
/** The part of the wait for sources that are behind. */
const BEHIND_SHARE = 0.1;

/**
 * Tells after each write of a session which diagnostics are new (INT-16 … INT-18): those of the written files and of up to
 * 20 files that depend on them, against a baseline from before the first write of the turn. No write waits longer than
 * `waitMs`; what is not known by then is told with the next result.
 */
export class WriteDiagnostics {
  readonly #options: WriteDiagnosticsOptions;
  readonly #ledger = new DiagnosticsLedger();
  readonly #queues = new Map<DiagnosticsSource, SourceQueue>();
  readonly #stamps: DiskStamps;
  readonly #problems = new Set<string>();
  readonly #toldProblems = new Set<string>();
  /** Sources whose answer a result has called pending, and the checks that bring it. */
  readonly #awaited = new Map<string, Promise<boolean>>();
  readonly #answered = new Set<string>();
  #pending: string[] = [];
  #turn: string | undefined;

  constructor(options: WriteDiagnosticsOptions) {
    this.#options = options;
    this.#stamps = new DiskStamps(options.disk);
  }

  /**
   * A write is about to be made: learns how things stand before it, within the wait.
   * @param turn names the turn; its first write takes the baseline anew
   * @throws the signal's reason
   */
  async begin(turn: string, files: readonly FileBefore[], signal: AbortSignal): Promise<WatchedWrite> {
    const began = performance.now();
    if (turn !== this.#turn) await this.#beginTurn(turn);
    const plan = await this.#plan(files, signal);
    const checks = new Map<SourceQueue, WriteCheck>();
    for (const [queue, { edited, dependents }] of plan) checks.set(queue, queue.begin(edited, [...dependents]));
    // Who has not been in time before will hardly be now, and tells it later all the same.
    const isBehind = [...checks.values()].every((check) => check.isBehind);
    const waitMs = this.#options.waitMs() * (isBehind ? BEHIND_SHARE : 1) - (performance.now() - began);
    const limit = limited(Math.max(0, waitMs), signal);
    const watched: WatchedWrite = {
      written: (after) => this.#written(checks, after, limit),
      abandon: () => {
        limit.clear();
        for (const check of checks.values()) check.abandon();
      },
    };
    await inTime(checks, ({ based }) => based, limit.signal);
    if (signal.aborted) {
      watched.abandon();
      throw signal.reason;
    }
    return watched;
  }

  /** Somebody else has changed files, these among others: how things stood before counts no more. */
  changedOutside(events: readonly FileEvent[] = []): void {
    if (events.length > 0) this.#options.notice(events);
    for (const queue of this.#queues.values()) queue.unbase();
  }

  /** What is to be told now, and has not been told before; undefined where there is nothing. */
  take(): DiagnosticsNews | undefined {
    const { lines, more } = this.#ledger.take(MAX_LINES);
    const problems = [...this.#problems].filter((problem) => !this.#toldProblems.has(problem));
    for (const problem of problems) this.#toldProblems.add(problem);
    this.#problems.clear();
    const pending = this.#pending;
    this.#pending = [];
    const settled = lines.length > 0 ? [] : [...this.#answered].filter((title) => !pending.includes(title));
    this.#answered.clear();
    if (lines.length + problems.length + pending.length + settled.length === 0) return undefined;
    return { lines, more, pending, settled, problems };
  }

  dispose(): void {
    for (const queue of this.#queues.values()) queue.dispose();
  }

  /** A person may have changed files since the turn before. */
  async #beginTurn(turn: string): Promise<void> {
    this.#turn = turn;
    await this.#options.refresh?.();
    this.changedOutside(await this.#stamps.changes());
  }

  /** Which files each source is to be asked for. */
  async #plan(
    files: readonly FileBefore[],
    signal: AbortSignal,
  ): Promise<Map<SourceQueue, { edited: CheckedFile[]; dependents: Set<string> }>> {
    const plan = new Map<SourceQueue, { edited: CheckedFile[]; dependents: Set<string> }>();
    const partOf = (source: DiagnosticsSource) => {
      const queue = this.#queueOf(source);
      const part = plan.get(queue) ?? { edited: [], dependents: new Set<string>() };
      plan.set(queue, part);
      return part;
    };
    const asked = files.slice(0, MAX_EDITED);
    for (const file of asked) {
      for (const source of await this.#options.sourcesOf(file.path)) partOf(source).edited.push(file);
    }
    if (plan.size === 0) return plan;
    const left = files.length - asked.length;
    if (left > 0) this.#problems.add(`${left} of ${files.length} written files were not checked.`);
    const edited = new Set(files.map(({ path }) => path));
    const importers = (await this.#importers(asked, signal)).filter((each) => !edited.has(each));
    // Our own writes are told as they are made.
    await this.#stamps.record(importers);
    for (const path of importers) {
      for (const source of await this.#options.sourcesOf(path)) partOf(source).dependents.add(path);
    }
    return plan;
  }

  /** The nearest importers of all files together, taken in turns. */
  async #importers(files: readonly FileBefore[], signal: AbortSignal): Promise<string[]> {
    // Rather none than a write that waits for a search.
    const limit = limited(this.#options.waitMs() / 2, signal);
    const search = async ({ path }: FileBefore): Promise<readonly string[]> => {
      try {
        const found = this.#options.importersOf(path, MAX_IMPORTERS, limit.signal);
        return await rejectOnAbort(found, limit.signal);
      } catch (cause) {
        if (limit.isOver()) return [];
        throw cause;
      }
    };
    const lists = await Promise.all(files.map(search)).finally(limit.clear);
    const nearest = Array.from({ length: MAX_IMPORTERS }, (_, rank) => lists.flatMap((list) => list[rank] ?? []));
    return [...new Set(nearest.flat())].slice(0, MAX_IMPORTERS);
  }

  async #written(
    checks: ReadonlyMap<SourceQueue, WriteCheck>,
    after: readonly FileAfter[],
    limit: Limit,
  ): Promise<void> {
    for (const { path, from, kind } of after) {
      if (from !== undefined) this.#ledger.rename(from, path);
      if (kind === 'deleted') this.#ledger.forget(path);
    }
    this.#options.notice(after.flatMap(eventsOf));
    const texts: CheckedFile[] = after.flatMap(({ path, text, from }) => [
      ...(from === undefined ? [] : [{ path: from, text: null }]),
      { path, text },
    ]);
    const open = new Set(checks.keys());
    for (const [queue, check] of checks) {
      check.written(texts);
      void check.done.then(() => open.delete(queue));
    }
    await inTime(checks, ({ done }) => done, limit.signal);
    limit.clear();
    for (const queue of open) this.#isPending(queue.source.title, checks.get(queue)!.done);
  }

  #isPending(title: string, done: Promise<boolean>): void {
    this.#pending.push(title);
    this.#awaited.set(title, done);
    void done.then((isKnown) => {
      // A later write is awaited by now.
      if (this.#awaited.get(title) !== done) return;
      this.#awaited.delete(title);
      if (isKnown) this.#answered.add(title);
    });
  }

  #queueOf(source: DiagnosticsSource): SourceQueue {
    const { root, giveUpMs = GIVE_UP_MS } = this.#options;
    let queue = this.#queues.get(source);
    if (!queue) {
      const onProblem = ({ message }: BlackError) => void this.#problems.add(message);
      queue = new SourceQueue({ source, ledger: this.#ledger, root, giveUpMs, onProblem });
      this.#queues.set(source, queue);
    }
    return queue;
  }
}

function eventsOf({ path, kind, from }: FileAfter): FileEvent[] {
  if (kind === 'modified') return [{ path, type: 'changed' }];
  if (kind === 'deleted') return [{ path, type: 'deleted' }];
  const made: FileEvent = { path, type: 'created' };
  return from === undefined ? [made] : [{ path: from, type: 'deleted' }, made];
}

/** Waits for all of them, but not beyond the signal. */
async function inTime(
  checks: ReadonlyMap<SourceQueue, WriteCheck>,
  of: (check: WriteCheck) => Promise<unknown>,
  limit: AbortSignal,
): Promise<void> {
  if (checks.size === 0) return;
  try {
    await rejectOnAbort(Promise.all([...checks.values()].map(of)), limit);
  } catch (cause) {
    if (!limit.aborted) throw cause;
  }
}
