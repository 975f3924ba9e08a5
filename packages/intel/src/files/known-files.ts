import { columnsOf, type FileTree, type TreeColumns, treeOf } from '@black-ide/workspace';
import type { FileFacts } from '../parsing/file-facts.ts';
import { LANGUAGES, type Language } from '../parsing/language.ts';
import type { FileId, FileTable } from './file-table.ts';
import type { SectionReader, SectionWriter } from './sections.ts';

export type FileState = FileFacts['state'];

/** What was made of the files. The numbers are stored; new states go to the end. */
const STATES = ['parsed', 'partial', 'text', 'skipped', 'binary', 'unreadable'] as const satisfies FileState[];
/** In place of a number: not read yet, no language. */
const NONE = 255;

/** The files of a workspace: where they are (`tree`), and what became of each. */
export class KnownFiles implements FileTable {
  readonly tree: FileTree;
  #states: Uint8Array;
  #languages: Uint8Array;
  readonly #reasons: Map<FileId, string>;

  constructor(
    tree: FileTree,
    states = new Uint8Array(),
    languages = new Uint8Array(),
    reasons: [FileId, string][] = [],
  ) {
    this.tree = tree;
    this.#states = states;
    this.#languages = languages;
    this.#reasons = new Map(reasons);
  }

  /** @throws where the sections make no sense. */
  static load(reader: SectionReader, root: string): KnownFiles {
    const columns = {
      mtimes: doublesIn(reader.uint8('mtimes')),
      bytes: doublesIn(reader.uint8('bytes')),
      news: reader.uint8('news'),
      folderTimes: doublesIn(reader.uint8('folderTimes')),
      counts: reader.uint32('counts'),
      names: reader.uint8('names'),
      entries: reader.int32('entries'),
      buriedIds: reader.uint32('buriedIds'),
      buriedPaths: reader.uint8('buriedPaths'),
      ...(reader.value('stamps') as Pick<TreeColumns, 'ignoreStamps' | 'stampAbove'>),
    };
    const texts = reader.value('reasons') as string[];
    const numbers = reader.uint32('reasons');
    const reasons = Array.from(reader.uint32('reasonIds'), (id, at): [FileId, string] => [id, texts[numbers[at]!]!]);
    const [states, languages] = [reader.uint8('states').slice(), reader.uint8('languages').slice()];
    return new KnownFiles(treeOf(root, columns), states, languages, reasons);
  }

  get size(): number {
    return this.tree.size;
  }

  has(id: FileId): boolean {
    return this.tree.has(id);
  }

  path(id: FileId): string {
    return this.tree.path(id);
  }

  idOf(path: string): FileId | undefined {
    return this.tree.idOf(path);
  }

  language(id: FileId): Language | undefined {
    return LANGUAGES[this.#languages[id] ?? NONE];
  }

  ids(): Iterable<FileId> {
    return this.tree.ids();
  }

  /** Undefined for a file that was not read yet. */
  state(id: FileId): FileState | undefined {
    return STATES[this.#states[id] ?? NONE];
  }

  /** Why it was skipped or could not be read, or how many syntax errors it has. */
  reason(id: FileId): string | undefined {
    return this.#reasons.get(id);
  }

  /** Files that could not be read. */
  unreadable(): FileId[] {
    const found: FileId[] = [];
    const state = STATES.indexOf('unreadable');
    for (let id = this.#states.indexOf(state); id >= 0; id = this.#states.indexOf(state, id + 1)) found.push(id);
    return found;
  }

  note(id: FileId, { state, language, why }: Pick<FileFacts, 'state' | 'language' | 'why'>): void {
    this.#makeRoom(id);
    this.#states[id] = STATES.indexOf(state);
    this.#languages[id] = language === undefined ? NONE : LANGUAGES.indexOf(language);
    if (why === undefined) this.#reasons.delete(id);
    else this.#reasons.set(id, why);
  }

  forget(id: FileId): void {
    this.#makeRoom(id);
    this.#states[id] = NONE;
    this.#languages[id] = NONE;
    this.#reasons.delete(id);
  }

  #makeRoom(id: FileId): void {
    if (id < this.#states.length) return;
    const length = Math.max(id + 1, this.size, this.#states.length * 2);
    this.#states = longer(this.#states, length);
    this.#languages = longer(this.#languages, length);
  }

  save(writer: SectionWriter): void {
    const { ignoreStamps, stampAbove, ...arrays } = columnsOf(this.tree);
    for (const [name, data] of Object.entries(arrays)) {
      writer.array(name, data instanceof Float64Array ? new Uint8Array(data.buffer) : data);
    }
    writer.value('stamps', { ignoreStamps, stampAbove });
    writer.array(
      'states',
      Uint8Array.from({ length: this.size }, (_, id) => this.#states[id] ?? NONE),
    );
    writer.array(
      'languages',
      Uint8Array.from({ length: this.size }, (_, id) => this.#languages[id] ?? NONE),
    );
    // Most are the same few words.
    const texts = [...new Set(this.#reasons.values())];
    const numbers = new Map(texts.map((text, number) => [text, number]));
    writer.array(
      'reasons',
      Uint32Array.from(this.#reasons.values(), (text) => numbers.get(text)!),
    );
    writer.array('reasonIds', Uint32Array.from(this.#reasons.keys()));
    writer.value('reasons', texts);
  }
}

function longer(column: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(length).fill(NONE);
  copy.set(column);
  return copy;
}

/** Sections begin at a multiple of 8. */
function doublesIn({ buffer, byteOffset, byteLength }: Uint8Array): Float64Array {
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}
