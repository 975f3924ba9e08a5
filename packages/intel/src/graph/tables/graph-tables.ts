import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { baseOf, folderOf, nameOf } from '../modules/path-index.ts';
import { type NameId, NameTable } from '../names/name-table.ts';
import { BIND_WIDTH, Bind, FILE_WIDTH, FileCol, HOLE, IMP_WIDTH, Imp, REF_WIDTH, SYM_WIDTH, Sym } from './columns.ts';
import { type Csr, EMPTY_CSR } from './csr.ts';
import type { EncodedFile } from './encode-file.ts';
import { RowOwners } from './row-owners.ts';
import { RowTable } from './row-table.ts';

/** The parts of the tables that are settled: rows of all files in the order of their numbers, and what is derived of them. */
export interface SettledTables {
  names: NameTable;
  files: Int32Array;
  symbols: Int32Array;
  order: Int32Array;
  references: Int32Array;
  imports: Int32Array;
  bindings: Int32Array;
  /** Lists of targets of ambiguous references: a count, then so many symbols. */
  lists: Int32Array;
  /** Symbols by name. */
  named: Csr;
}

export function noTables(): SettledTables {
  const none = new Int32Array();
  return {
    names: new NameTable(),
    files: none,
    symbols: none,
    order: none,
    references: none,
    imports: none,
    bindings: none,
    lists: none,
    named: EMPTY_CSR,
  };
}

/**
 * What is known of the files, as rows: the settled part, and what came since. A file that is put again gets new rows and
 * leaves its old ones behind, dead, until the next settling; so a symbol or reference that is found through a settled index
 * counts only when it lies in the present rows of its file.
 */
export class GraphTables {
  readonly names: NameTable;
  readonly symbols: RowTable;
  readonly order: RowTable;
  readonly references: RowTable;
  readonly imports: RowTable;
  readonly bindings: RowTable;
  readonly lists: RowTable;
  readonly referenceOwners: RowOwners;
  readonly importOwners: RowOwners;
  #files: Int32Array;
  readonly #named: Csr;
  /** Symbols by name, of those that were added. */
  readonly #namedAdded = new Map<NameId, SymbolId[]>();
  #symbolCount = 0;
  #referenceCount = 0;

  constructor(settled: SettledTables = noTables()) {
    this.names = settled.names;
    this.symbols = new RowTable(SYM_WIDTH, settled.symbols);
    this.order = new RowTable(1, settled.order);
    this.references = new RowTable(REF_WIDTH, settled.references);
    this.imports = new RowTable(IMP_WIDTH, settled.imports);
    this.bindings = new RowTable(BIND_WIDTH, settled.bindings);
    this.lists = new RowTable(1, settled.lists);
    this.#files = settled.files.slice();
    this.#named = settled.named;
    this.referenceOwners = new RowOwners(this.#column(FileCol.FIRST_REFERENCE), this.references.count);
    this.importOwners = new RowOwners(this.#column(FileCol.FIRST_IMPORT), this.imports.count);
    this.#symbolCount = this.symbols.count;
    this.#referenceCount = this.references.count;
  }

  /** More than the highest file number; there are holes. */
  get fileCount(): number {
    return this.#files.length / FILE_WIDTH;
  }

  get symbolCount(): number {
    return this.#symbolCount;
  }

  get referenceCount(): number {
    return this.#referenceCount;
  }

  has(file: FileId): boolean {
    return file < this.fileCount && this.file(file, FileCol.LANGUAGE) !== HOLE;
  }

  file(file: FileId, column: number): number {
    return this.#files[file * FILE_WIDTH + column]!;
  }

  /** The rows of all files, for the settling. */
  get files(): Int32Array {
    return this.#files;
  }

  isLiveSymbol(symbol: SymbolId): boolean {
    const file = this.symbols.get(symbol, Sym.FILE);
    const first = this.file(file, FileCol.FIRST_SYMBOL);
    return symbol >= first && symbol < first + this.file(file, FileCol.SYMBOLS);
  }

  isLiveReference(reference: number, file: FileId): boolean {
    const first = this.file(file, FileCol.FIRST_REFERENCE);
    return reference >= first && reference < first + this.file(file, FileCol.REFERENCES);
  }

  /** Takes the place of what was known of the file. */
  put(file: FileId, path: string, encoded: EncodedFile): void {
    this.remove(file);
    this.#reserve(file);
    const firstSymbol = this.symbols.add(encoded.symbols);
    this.order.add(encoded.order);
    const row = file * FILE_WIDTH;
    const set = (column: number, value: number): void => {
      this.#files[row + column] = value;
    };
    set(FileCol.FIRST_SYMBOL, firstSymbol);
    set(FileCol.SYMBOLS, encoded.symbols.length / SYM_WIDTH);
    set(FileCol.FIRST_REFERENCE, this.#addReferences(file, encoded.references));
    set(FileCol.REFERENCES, encoded.references.length / REF_WIDTH);
    set(FileCol.FIRST_IMPORT, this.#addImports(file, encoded.imports));
    set(FileCol.IMPORTS, encoded.imports.length / IMP_WIDTH);
    set(FileCol.FIRST_BINDING, this.bindings.add(encoded.bindings));
    set(FileCol.BINDINGS, encoded.bindings.length / BIND_WIDTH);
    set(FileCol.LANGUAGE, encoded.language);
    set(FileCol.PACKAGE, encoded.packageName);
    set(FileCol.STEM, this.names.intern(pathName(nameOf(baseOf(path)))));
    set(FileCol.FOLDER, this.names.intern(pathName(nameOf(folderOf(path)))));
    for (let at = 0, symbol = firstSymbol; at < encoded.symbols.length; at += SYM_WIDTH, symbol++) {
      const name = encoded.symbols[at + Sym.NAME]!;
      const known = this.#namedAdded.get(name);
      if (known === undefined) this.#namedAdded.set(name, [symbol]);
      else known.push(symbol);
    }
    this.#symbolCount += encoded.symbols.length / SYM_WIDTH;
    this.#referenceCount += encoded.references.length / REF_WIDTH;
  }

  remove(file: FileId): void {
    if (!this.has(file)) return;
    this.#symbolCount -= this.file(file, FileCol.SYMBOLS);
    this.#referenceCount -= this.file(file, FileCol.REFERENCES);
    const row = file * FILE_WIDTH;
    this.#files.fill(0, row, row + FILE_WIDTH);
    this.#files[row + FileCol.LANGUAGE] = HOLE;
  }

  /** Gives a file rows of references and imports that may be written to: what they resolve to is about to change. */
  unsettle(file: FileId): void {
    const row = file * FILE_WIDTH;
    const references = this.#files[row + FileCol.FIRST_REFERENCE]!;
    if (references < this.references.settledCount) {
      const rows = this.references.slice(references, this.#files[row + FileCol.REFERENCES]!);
      this.#files[row + FileCol.FIRST_REFERENCE] = this.#addReferences(file, rows);
    }
    const imports = this.#files[row + FileCol.FIRST_IMPORT]!;
    if (imports < this.imports.settledCount) {
      const rows = this.imports.slice(imports, this.#files[row + FileCol.IMPORTS]!);
      this.#files[row + FileCol.FIRST_IMPORT] = this.#addImports(file, rows);
    }
  }

  /** Where a file's symbols of a name begin in `order`: they are in the order of their containers. -1 when it has none. */
  firstNamed(file: FileId, name: NameId): number {
    const first = this.file(file, FileCol.FIRST_SYMBOL);
    const end = first + this.file(file, FileCol.SYMBOLS);
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.symbols.get(first + this.order.get(middle, 0), Sym.NAME) < name) low = middle + 1;
      else high = middle;
    }
    return low < end && this.symbols.get(first + this.order.get(low, 0), Sym.NAME) === name ? low : -1;
  }

  /** The symbol at a place of `order`; -1 when it is not one of the file and of the name. */
  namedAt(file: FileId, at: number, name: NameId): SymbolId {
    const first = this.file(file, FileCol.FIRST_SYMBOL);
    if (at >= first + this.file(file, FileCol.SYMBOLS)) return -1;
    const symbol = first + this.order.get(at, 0);
    return this.symbols.get(symbol, Sym.NAME) === name ? symbol : -1;
  }

  /** Local rows of symbols become symbols; -1 stays. */
  symbolOf(file: FileId, row: number): SymbolId {
    return row < 0 ? -1 : this.file(file, FileCol.FIRST_SYMBOL) + row;
  }

  rowOf(symbol: SymbolId): number {
    return symbol - this.file(this.symbols.get(symbol, Sym.FILE), FileCol.FIRST_SYMBOL);
  }

  /** Where a file's imports under a local name begin in the table of imports; -1 when it has none. */
  firstImport(file: FileId, local: NameId): number {
    const first = this.file(file, FileCol.FIRST_IMPORT);
    const end = first + this.file(file, FileCol.IMPORTS);
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.imports.get(middle, Imp.LOCAL) < local) low = middle + 1;
      else high = middle;
    }
    return low < end && this.imports.get(low, Imp.LOCAL) === local ? low : -1;
  }

  /** Where a file's bindings of a name begin in the table of bindings: they are in the order of scopes; -1 for none. */
  firstBinding(file: FileId, name: NameId): number {
    const first = this.file(file, FileCol.FIRST_BINDING);
    const end = first + this.file(file, FileCol.BINDINGS);
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.bindings.get(middle, Bind.NAME) < name) low = middle + 1;
      else high = middle;
    }
    return low < end && this.bindings.get(low, Bind.NAME) === name ? low : -1;
  }

  /** Every symbol of a name, in the order of their numbers. */
  symbolsNamed(name: NameId): SymbolId[] {
    const found: SymbolId[] = [];
    if (name < this.#named.starts.length - 1) {
      for (let at = this.#named.starts[name]!; at < this.#named.starts[name + 1]!; at++) {
        const symbol = this.#named.values[at]!;
        if (this.isLiveSymbol(symbol)) found.push(symbol);
      }
    }
    for (const symbol of this.#namedAdded.get(name) ?? []) if (this.isLiveSymbol(symbol)) found.push(symbol);
    return found;
  }

  /** The name that stands for all that a file hands on without naming it: noted by those who may find something there. */
  wholeName(file: FileId): NameId {
    const row = file * FILE_WIDTH;
    const known = this.#files[row + FileCol.WHOLE]! - 1;
    if (known >= 0) return known;
    const name = this.names.intern(`*${file}`);
    this.#files[row + FileCol.WHOLE] = name + 1;
    return name;
  }

  /** Names that symbols have or had since the last settling. */
  *symbolNames(): Generator<NameId, void, void> {
    for (let name = 0; name < this.#named.starts.length - 1; name++) {
      if (this.#named.starts[name]! < this.#named.starts[name + 1]!) yield name;
    }
    for (const name of this.#namedAdded.keys()) {
      const isSettled =
        name < this.#named.starts.length - 1 && this.#named.starts[name]! < this.#named.starts[name + 1]!;
      if (!isSettled) yield name;
    }
  }

  #addReferences(file: FileId, rows: Int32Array): number {
    const first = this.references.add(rows);
    if (rows.length > 0) this.referenceOwners.add(first, file);
    return first;
  }

  #addImports(file: FileId, rows: Int32Array): number {
    const first = this.imports.add(rows);
    if (rows.length > 0) this.importOwners.add(first, file);
    return first;
  }

  #column(column: number): Int32Array {
    return Int32Array.from({ length: this.fileCount }, (_, file) => this.file(file, column));
  }

  #reserve(file: FileId): void {
    if (file < this.fileCount) return;
    const count = Math.max(file + 1, 2 * this.fileCount);
    const longer = new Int32Array(count * FILE_WIDTH);
    longer.set(this.#files);
    for (let hole = this.fileCount; hole < count; hole++) longer[hole * FILE_WIDTH + FileCol.LANGUAGE] = HOLE;
    this.#files = longer;
  }
}

/** The name of a file or folder as one of the name table, where it is none of the code. */
export function pathName(name: string): string {
  return `/${name}`;
}
