import { lookAtFile } from '@black-ide/workspace';
import { noChunks } from '../index/chunk-facts.ts';
import { withoutSymbols } from '../parsing/without-symbols.ts';
import type { ChangesSince } from './changes-since.ts';
import type { FileParser } from './file-parser.ts';
import type { FileId } from './file-table.ts';
import { isBinaryName } from './is-binary-name.ts';
import type { FileState, KnownFiles } from './known-files.ts';
import type { Layer, ParsedFile } from './layer.ts';
import { runInSlices } from './run-in-slices.ts';

export interface IntakeOptions {
  files: KnownFiles;
  layers: readonly Layer[];
  parser: FileParser;
  changes: ChangesSince;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Called with the path of each file that was read, or is gone. */
  onFile?(path: string): void;
  /** Called when what was read before can be looked at as a whole; the layers may be changed then. */
  onTidy?(): void;
}

export interface ReadOptions {
  /** They are being edited: the next time they are read soon. */
  isEdited?: boolean;
  signal?: AbortSignal | undefined;
  /** Called after each file. */
  onRead?: (() => void) | undefined;
}

/** A file that is to be read, as it was at its last look. */
interface Request {
  id: FileId;
  mtimeMs: number;
  bytes: number;
}

/** More files than that outside the compact form of a layer make its answers slow. */
const MOST_UNSETTLED = 64;
/** States of files of which the layers know something. */
const HELD: readonly (FileState | undefined)[] = ['parsed', 'partial', 'text', 'skipped'];

/** What is known of a file that was not opened. */
const BINARY: ParsedFile = { facts: withoutSymbols('binary', 0), chunks: noChunks() };

/** Takes files in: has them parsed and hands on to the layers what was found, and keeps the layers tidy. */
export class Intake {
  readonly #options: IntakeOptions;
  /** The last request for each file that is under way: answers to earlier ones are out of date. */
  readonly #requests = new Map<FileId, Request>();
  /** While layers settle, nothing may be put into them or removed. */
  #settling: Promise<void> | undefined;
  /** What came meanwhile. */
  readonly #deferred: (() => void)[] = [];
  #version = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Goes up whenever the layers are told of a file. */
  get version(): number {
    return this.#version;
  }

  /**
   * Reads files as they were at their last look, and hands them to the layers as they come. It may run several times at
   * once.
   * @throws the signal's reason, and errors of the parser: what was not read stays changed.
   */
  async read(ids: Iterable<FileId>, { isEdited = false, signal, onRead }: ReadOptions = {}): Promise<void> {
    const { files, parser } = this.#options;
    const { tree } = files;
    const requests = new Map<string, Request>();
    for (const id of ids) {
      const request = { id, mtimeMs: tree.mtimeMs(id), bytes: tree.bytes(id) };
      requests.set(tree.path(id), request);
      this.#requests.set(id, request);
    }
    const take = (path: string, parsed: ParsedFile): void =>
      this.#whenSettled(() => {
        this.#take(requests.get(path)!, parsed);
        onRead?.();
      });
    const paths = [...requests.keys()];
    const read = paths.filter((path) => !isBinaryName(path)).map((path) => ({ path, keep: isEdited }));
    try {
      for (const path of paths.filter(isBinaryName)) take(path, BINARY);
      await parser.parse(read, { signal, onFile: (parsed) => take(parsed.path, parsed) });
      while (this.#settling) await this.#settling;
    } finally {
      for (const request of requests.values()) this.#close(request);
    }
  }

  /** Makes the layers forget the files that are gone. */
  async tidy(): Promise<void> {
    while (this.#settling) await this.#settling;
    for (const id of this.#options.files.tree.gone) this.#remove(id);
    this.#options.onTidy?.();
  }

  /** Has the layers merge what was put into them, where it is much. */
  async settleMany(): Promise<void> {
    if (this.#options.layers.some(({ unsettled }) => unsettled > MOST_UNSETTLED)) await this.settle();
  }

  /**
   * Has the layers merge what was put into them.
   * @param then called before anything else is put into them.
   */
  async settle(then?: () => void): Promise<void> {
    while (this.#settling) await this.#settling;
    this.#settling = this.#settleAll(then).finally(() => {
      this.#settling = undefined;
      for (const act of this.#deferred.splice(0)) act();
    });
    await this.#settling;
  }

  #whenSettled(act: () => void): void {
    if (this.#settling) this.#deferred.push(act);
    else act();
  }

  async #settleAll(then?: () => void): Promise<void> {
    for (const layer of this.#options.layers) if (layer.unsettled > 0) await runInSlices(layer.settle());
    then?.();
  }

  /** A request is done. @returns whether nobody has asked for the file again since, or removed it. */
  #close(request: Request): boolean {
    return this.#requests.get(request.id) === request && this.#requests.delete(request.id);
  }

  #take(request: Request, parsed: ParsedFile): void {
    const { files, layers, changes, now, onFile } = this.#options;
    const { id, mtimeMs, bytes } = request;
    if (!this.#close(request) || !files.has(id)) return;
    const { state } = parsed.facts;
    if (state === 'unreadable' && lookAtFile(files.tree, id, now) === 'gone') {
      files.tree.remove(id);
      this.#remove(id);
      return;
    }
    if (HELD.includes(state)) {
      for (const layer of layers) layer.put(id, parsed);
      this.#version += 1;
      changes.put(id, parsed);
    } else this.#drop(id);
    files.note(id, parsed.facts);
    files.tree.settle(id, mtimeMs, bytes);
    onFile?.(files.path(id));
  }

  #remove(id: FileId): void {
    const { files, onFile } = this.#options;
    this.#requests.delete(id);
    this.#drop(id);
    files.forget(id);
    files.tree.gone.delete(id);
    onFile?.(files.path(id));
  }

  #drop(id: FileId): void {
    const { files, layers, changes } = this.#options;
    if (!HELD.includes(files.state(id))) return;
    for (const layer of layers) layer.remove(id);
    this.#version += 1;
    changes.remove(id);
  }
}
