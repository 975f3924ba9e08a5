import { sep } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { limited } from '../client/limited.ts';
import type { Diagnostic } from '../wire/diagnostic.ts';
import type { DiagnosticsLedger } from './diagnostics-ledger.ts';
import type { CheckedFile, DiagnosticsByFile, DiagnosticsSource } from './diagnostics-source.ts';

export interface SourceQueueOptions {
  source: DiagnosticsSource;
  ledger: DiagnosticsLedger;
  /** The workspace: what is outside of it is nobody's news. */
  root: string;
  /** After so many milliseconds a source that has told nothing is given up. */
  giveUpMs: number;
  /** Told why nothing is known. */
  onProblem: (problem: BlackError) => void;
}

/** One write on its way through a source. */
export interface WriteCheck {
  /** Resolves when the state before the write is known, or never will be. */
  readonly based: Promise<void>;
  /** Resolves when the state after it is in the ledger (true), or never will be. */
  readonly done: Promise<boolean>;
  /** When it began, the source was still busy with an earlier one. */
  readonly isBehind: boolean;
  /** The write is done: these are the texts now; of files that were not edited for this source nothing is taken. */
  written(after: readonly CheckedFile[]): void;
  /** Nothing was written. */
  abandon(): void;
}

/** So many files are asked for again when something becomes known later. */
const MAX_WATCHED = 60;

/**
 * Leads the writes of a session through one source, in their order: first the state before, then the state after, each as
 * long as it takes, in the background. While an answer for an earlier write is still awaited, that one is not waited for
 * any longer: its files are asked for together with those of the next.
 */
export class SourceQueue {
  readonly #options: SourceQueueOptions;
  readonly #disposed = new AbortController();
  readonly #based = new Set<string>();
  readonly #unlisten: () => void;
  /** In the order of their use. */
  #watched = new Set<string>();
  #newest: Check | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: SourceQueueOptions) {
    this.#options = options;
    this.#unlisten = options.source.onLater(() => this.#look());
  }

  get source(): DiagnosticsSource {
    return this.#options.source;
  }

  /** A write begins. @param edited the files with their texts of before @param dependents files that it may break */
  begin(edited: readonly CheckedFile[], dependents: readonly string[]): WriteCheck {
    return this.#add(new Check(edited, dependents));
  }

  /** How things stood before counts no more: a new turn, or somebody else has changed files. */
  unbase(): void {
    this.#based.clear();
  }

  dispose(): void {
    this.#unlisten();
    this.#disposed.abort(new BlackError('disposed', 'The session has ended.'));
    this.#newest?.abandon();
  }

  /** Something has become known unasked. */
  #look(): void {
    if (this.#newest || this.#watched.size === 0) return;
    const check = new Check([], [...this.#watched]);
    check.look();
    this.#add(check);
  }

  #add(check: Check): Check {
    if (this.#newest) check.follow(this.#newest);
    this.#newest = check;
    check.done = this.#tail.then(() => this.#run(check));
    this.#tail = check.done;
    return check;
  }

  async #run(check: Check): Promise<boolean> {
    try {
      await this.#base(check);
      check.onBased();
      await check.outcome;
      const files = check.files();
      if (check.isSuperseded || files.length === 0) return false;
      const found = await this.#collect(files, check.isWritten, check.superseded);
      const { ledger, source } = this.#options;
      for (const [path, diagnostics] of this.#inside(found)) ledger.update(source.id, path, diagnostics);
      this.#watch(files);
      this.#warn();
      return true;
    } catch (cause) {
      if (!check.isSuperseded) this.#failed(cause);
      return false;
    } finally {
      check.onBased();
      if (this.#newest === check) this.#newest = undefined;
    }
  }

  /** Learns how the files of a write stand before it. */
  async #base(check: Check): Promise<void> {
    const { source } = this.#options;
    const files = check.before.filter(({ path }) => !this.#based.has(path));
    if (files.length === 0) return;
    let found: DiagnosticsByFile;
    try {
      found = await this.#collect(files, false, ...(source.answersForOldTexts ? [] : [check.decided]));
    } catch (cause) {
      if (!check.decided.aborted) this.#failed(cause);
      return;
    }
    // Nothing is wrong with a file that is not there.
    for (const { path, text } of files) if (text === null) this.#record(path, [], true);
    const own = new Set(files.map(({ path }) => path));
    for (const [path, diagnostics] of this.#inside(found)) {
      if (own.has(path) || !this.#based.has(path)) this.#record(path, diagnostics, own.has(path));
    }
  }

  #record(path: string, diagnostics: readonly Diagnostic[], tellsEarlier: boolean): void {
    const { source, ledger } = this.#options;
    ledger.base(source.id, path, diagnostics, tellsEarlier);
    this.#based.add(path);
  }

  #inside(found: DiagnosticsByFile) {
    return [...found].filter(([path]) => path.startsWith(this.#options.root + sep));
  }

  #watch(files: readonly CheckedFile[]): void {
    const paths = files.filter(({ text }) => text !== null).map(({ path }) => path);
    this.#watched = new Set([...paths, ...this.#watched].slice(0, MAX_WATCHED));
  }

  async #collect(
    files: readonly CheckedFile[],
    written: boolean,
    ...signals: AbortSignal[]
  ): Promise<DiagnosticsByFile> {
    const { source, giveUpMs } = this.#options;
    const limit = limited(giveUpMs, this.#disposed.signal, ...signals);
    try {
      return await source.collect(files, { written }, limit.signal);
    } finally {
      limit.clear();
    }
  }

  #warn(): void {
    const { source, onProblem } = this.#options;
    if (source.warning) onProblem(new BlackError('server_warning', `${source.title} says: ${source.warning}`));
  }

  #failed(cause: unknown): void {
    if (this.#disposed.signal.aborted) return;
    const { source, onProblem, giveUpMs } = this.#options;
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
    const { code, message } = isLate
      ? { code: 'server_timeout', message: `${source.title} has told nothing in ${Math.round(giveUpMs / 1000)} s.` }
      : BlackError.toValue(cause);
    const problem = new BlackError(code, message);
    if (code === 'server_timeout') void source.hangs?.(problem);
    onProblem(problem);
  }
}

class Check implements WriteCheck {
  readonly #edited: readonly CheckedFile[];
  readonly #dependents: readonly string[];
  readonly #superseded = new AbortController();
  readonly #decided = new AbortController();
  readonly #based = Promise.withResolvers<void>();
  readonly #outcome = Promise.withResolvers<void>();
  /** What earlier writes have left to be asked for. */
  #inherited: readonly CheckedFile[] = [];
  #after: readonly CheckedFile[] | undefined;
  #looks = false;
  done: Promise<boolean> = Promise.resolve(false);
  isBehind = false;

  constructor(edited: readonly CheckedFile[], dependents: readonly string[]) {
    this.#edited = edited;
    this.#dependents = dependents;
  }

  get based(): Promise<void> {
    return this.#based.promise;
  }

  /** Resolves when it is decided whether something was written. */
  get outcome(): Promise<void> {
    return this.#outcome.promise;
  }

  get decided(): AbortSignal {
    return this.#decided.signal;
  }

  get superseded(): AbortSignal {
    return this.#superseded.signal;
  }

  get isSuperseded(): boolean {
    return this.#superseded.signal.aborted;
  }

  get isWritten(): boolean {
    return this.#after !== undefined;
  }

  /** The files before the write; none where nothing is to be written. */
  get before(): CheckedFile[] {
    return this.#looks ? [] : [...this.#edited, ...this.#dependents.map((path) => ({ path }))];
  }

  /** The files to be asked for in the end, each once, with the newest text. */
  files(): CheckedFile[] {
    const asked = this.#looks || this.#after ? this.#dependents.map((path): CheckedFile => ({ path })) : [];
    const all = [...this.#inherited, ...(this.#after ?? []), ...asked];
    return [...new Map(all.map((file) => [file.path, file])).values()];
  }

  /** Takes the place of an earlier one: what that has not learnt is asked for here. */
  follow(earlier: Check): void {
    this.isBehind = earlier.isWritten;
    // It has written already: a session does one thing after the other.
    this.#inherited = earlier.files();
    earlier.#superseded.abort(new BlackError('superseded', 'A later write asks for the same.'));
  }

  /** Nothing is written; it only looks again. */
  look(): void {
    this.#looks = true;
    this.#decide();
  }

  written(after: readonly CheckedFile[]): void {
    const own = new Set(this.#edited.map(({ path }) => path));
    this.#after = after.filter(({ path }) => own.has(path));
    this.#decide();
  }

  abandon(): void {
    this.#decide();
  }

  onBased(): void {
    this.#based.resolve();
  }

  #decide(): void {
    this.#decided.abort(new BlackError('decided', 'It is written.'));
    this.#outcome.resolve();
  }
}
