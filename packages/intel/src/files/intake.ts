import { lookAtFile } from '@black-ide/workspace';
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
}

export interface ReadOptions {
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

/** States of files of which the layers know something. */
const HELD: readonly (FileState | undefined)[] = ['parsed', 'partial', 'text', 'skipped'];
/** Larger files are not read at all, as in searches. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Takes files in: has them parsed and hands on to the layers what was found, and keeps the layers tidy. */
export class Intake {
  readonly #options: IntakeOptions;
  /** The last request for each file that is under way: answers to earlier ones are out of date. */
  readonly #requests = new Map<FileId, Request>();
  /** While layers settle, nothing may be put into them or removed. */
  #settling: Promise<void> | undefined;
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
  async read(ids: Iterable<FileId>, { signal, onRead }: ReadOptions = {}): Promise<void> {
    const { files, parser } = this.#options;
    const { tree } = files;
    const requests = Array.from(ids, (id): Request => ({ id, mtimeMs: tree.mtimeMs(id), bytes: tree.bytes(id) }));
    for (const request of requests) this.#requests.set(request.id, request);
    const isRead = ({ id, bytes }: Request): boolean => bytes <= MOST_BYTES && !isBinaryName(tree.path(id));
    const [read, unread] = [requests.filter(isRead), requests.filter((request) => !isRead(request))];
    try {
      for (const request of unread) {
        while (this.#settling) await this.#settling;
        this.#take(request, nothingOf(request.bytes > MOST_BYTES ? 'skipped' : 'binary'));
        onRead?.();
      }
      const paths = read.map(({ id }) => tree.absolutePath(id));
      for await (const { index, parsed } of parser.parse(paths, signal)) {
        while (this.#settling) await this.#settling;
        this.#take(read[index]!, parsed);
        onRead?.();
      }
    } finally {
      for (const request of requests) this.#isLast(request);
    }
  }

  /** Makes the layers forget the files that are gone. */
  async tidy(): Promise<void> {
    while (this.#settling) await this.#settling;
    for (const id of this.#options.files.tree.gone) this.#remove(id);
  }

  /**
   * Has the layers merge what was put into them.
   * @param then called before anything else is put into them.
   */
  async settle(then?: () => void): Promise<void> {
    while (this.#settling) await this.#settling;
    this.#settling = this.#settleAll(then).finally(() => {
      this.#settling = undefined;
    });
    await this.#settling;
  }

  async #settleAll(then?: () => void): Promise<void> {
    for (const layer of this.#options.layers) if (layer.unsettled > 0) await runInSlices(layer.settle());
    then?.();
  }

  /** Whether nobody has asked for the file again since, or removed it. The request is no longer under way then. */
  #isLast(request: Request): boolean {
    return this.#requests.get(request.id) === request && this.#requests.delete(request.id);
  }

  #take(request: Request, parsed: ParsedFile): void {
    const { files, layers, changes, now } = this.#options;
    const { id, mtimeMs, bytes } = request;
    if (!this.#isLast(request) || !files.has(id)) return;
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
  }

  #remove(id: FileId): void {
    const { files } = this.#options;
    this.#requests.delete(id);
    this.#drop(id);
    files.forget(id);
    files.tree.gone.delete(id);
  }

  #drop(id: FileId): void {
    const { files, layers, changes } = this.#options;
    if (!HELD.includes(files.state(id))) return;
    for (const layer of layers) layer.remove(id);
    this.#version += 1;
    changes.remove(id);
  }
}

/** What is known of a file that was not opened. */
function nothingOf(state: 'skipped' | 'binary'): ParsedFile {
  const facts = { names: [], symbols: NONE, references: NONE, imports: NONE, bindings: NONE };
  const why = state === 'skipped' ? { why: `larger than ${MOST_BYTES / 1024 / 1024} MB` } : {};
  return {
    facts: { language: undefined, state, ...why, lines: 0, ...facts },
    chunks: { chunks: NONE, terms: new Uint32Array(), weights: new Uint8Array() },
  };
}

const NONE = new Int32Array();
