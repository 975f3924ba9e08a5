import type { FileId, FileTable } from '../../files/file-table.ts';
import { REFERENCE_KINDS, SYMBOL_KINDS, SymbolFlag } from '../../parsing/file-facts.ts';
import { CERTAINTIES, type CodeReference, type CodeSymbol, type SymbolId } from '../code-graph-api.ts';
import {
  certaintyOfReference,
  columnOf,
  containerOfReference,
  DECLARES,
  EXTENSION,
  FileCol,
  flagsOfSymbol,
  kindOfReference,
  kindOfSymbol,
  lineOf,
  MEMBER_OF,
  Ref,
  Sym,
} from '../tables/columns.ts';
import type { GraphTables } from '../tables/graph-tables.ts';
import type { UseIndex } from '../tables/use-index.ts';

const CALL = REFERENCE_KINDS.indexOf('call');
const TYPE = REFERENCE_KINDS.indexOf('type');
const NEW = REFERENCE_KINDS.indexOf('new');
const CONSTRUCTOR = SYMBOL_KINDS.indexOf('constructor');
const FUNCTIONS = new Set([SYMBOL_KINDS.indexOf('function'), SYMBOL_KINDS.indexOf('method'), CONSTRUCTOR]);
const VALUES = new Set(
  (['field', 'property', 'constant', 'variable', 'enum-member'] as const).map((kind) => SYMBOL_KINDS.indexOf(kind)),
);

/** What a class extends or implements, and whether some of it is not in the workspace. */
export interface Bases {
  bases: readonly SymbolId[];
  unknown: boolean;
}

/** What the queries look at: tables whose references are all resolved. Made for one question. */
export class GraphView {
  /** The bases of classes, as far as the question came across them: a class has many methods. */
  readonly bases = new Map<SymbolId, Bases>();
  readonly tables: GraphTables;
  readonly uses: UseIndex;
  readonly files: FileTable;

  constructor(tables: GraphTables, uses: UseIndex, files: FileTable) {
    this.tables = tables;
    this.uses = uses;
    this.files = files;
  }

  symbol(id: SymbolId): CodeSymbol {
    const cell = (column: number): number => this.tables.symbols.get(id, column);
    const file = cell(Sym.FILE);
    const shape = cell(Sym.SHAPE);
    const place = cell(Sym.NAME_PLACE);
    const doc = cell(Sym.DOC);
    return {
      id,
      name: this.name(id),
      kind: SYMBOL_KINDS[kindOfSymbol(shape)]!,
      container: this.containers(id),
      file,
      path: this.files.path(file),
      startLine: cell(Sym.START_LINE),
      endLine: cell(Sym.END_LINE),
      nameLine: lineOf(place),
      nameColumn: columnOf(place),
      exported: (flagsOfSymbol(shape) & SymbolFlag.EXPORTED) !== 0,
      isTest: this.isTest(id),
      doc: doc === 0 ? undefined : { startLine: lineOf(doc), endLine: lineOf(doc) + columnOf(doc) },
      signatureEndLine: cell(Sym.SIGNATURE_END),
    };
  }

  reference(row: number, to: SymbolId[]): CodeReference {
    const { references, referenceOwners } = this.tables;
    const file = referenceOwners.fileOf(row);
    const place = references.get(row, Ref.PLACE);
    const shape = references.get(row, Ref.SHAPE);
    const from = this.tables.symbolOf(file, containerOfReference(shape));
    return {
      file,
      path: this.files.path(file),
      line: lineOf(place),
      column: columnOf(place),
      kind: REFERENCE_KINDS[kindOfReference(shape)] ?? REFERENCE_KINDS[TYPE]!,
      certainty: CERTAINTIES[certaintyOfReference(shape)]!,
      from: from < 0 ? undefined : from,
      to,
    };
  }

  /** Names of what a symbol lies in and of the types it is declared to belong to, outermost first. */
  containers(symbol: SymbolId): string[] {
    const found: string[] = [];
    for (let inner = symbol; inner >= 0; inner = this.container(inner)) {
      if (inner !== symbol) found.unshift(this.name(inner));
      const owner = this.tables.symbols.get(inner, Sym.OWNER);
      if (owner >= 0) found.unshift(...this.tables.names.text(owner).split('.'));
    }
    return found;
  }

  name(symbol: SymbolId): string {
    return this.tables.names.text(this.tables.symbols.get(symbol, Sym.NAME));
  }

  container(symbol: SymbolId): SymbolId {
    const { symbols } = this.tables;
    return this.tables.symbolOf(symbols.get(symbol, Sym.FILE), symbols.get(symbol, Sym.CONTAINER));
  }

  isExtension(symbol: SymbolId): boolean {
    return this.kind(symbol) === EXTENSION;
  }

  isOwned(symbol: SymbolId): boolean {
    return this.tables.symbols.get(symbol, Sym.OWNER) >= 0;
  }

  /** The type that an extension extends; else, and where it is none of the workspace, the symbol itself. */
  extended(symbol: SymbolId): SymbolId {
    return this.isExtension(symbol) ? (this.#implied(symbol, MEMBER_OF) ?? symbol) : symbol;
  }

  /** The type that a symbol is a member of, wherever it is declared; else what it lies in; -1 for nothing. */
  memberOf(symbol: SymbolId): SymbolId {
    if (this.isOwned(symbol)) return this.#implied(symbol, MEMBER_OF) ?? -1;
    const container = this.container(symbol);
    return container < 0 ? -1 : this.extended(container);
  }

  /** Extensions of a type, and its members that are declared outside of it. */
  outsideOf(type: SymbolId): SymbolId[] {
    return this.#impliedTo(type, MEMBER_OF);
  }

  /** Every use of a symbol that is written; those of a definition and of its prototypes are the same. */
  usesOf(symbol: SymbolId): number[] {
    const found: number[] = [];
    for (const each of [symbol, ...this.#twins(symbol)]) {
      found.push(...this.uses.uses(each).filter((use) => this.isWritten(use)));
    }
    return found;
  }

  /** Not so are links that only follow from where something is declared; the head of an extension names its type. */
  isWritten(reference: number): boolean {
    const kind = kindOfReference(this.tables.references.get(reference, Ref.SHAPE));
    return kind < MEMBER_OF || (kind === MEMBER_OF && this.isExtension(this.owner(reference)));
  }

  /** The definition with a body of a prototype, where there is exactly one; else the symbol itself. */
  definition(symbol: SymbolId): SymbolId {
    const isPrototype = (flagsOfSymbol(this.tables.symbols.get(symbol, Sym.SHAPE)) & SymbolFlag.ABSTRACT) !== 0;
    return isPrototype ? (this.#implied(symbol, DECLARES) ?? symbol) : symbol;
  }

  /** Of a definition its prototypes; of a prototype the definition and the other prototypes. */
  #twins(symbol: SymbolId): SymbolId[] {
    const definition = this.definition(symbol);
    return [definition, ...this.#impliedTo(definition, DECLARES)].filter((each) => each !== symbol);
  }

  /** Where the link of a kind that follows from a declaration leads. */
  #implied(symbol: SymbolId, kind: number): SymbolId | undefined {
    const { references, symbols } = this.tables;
    const file = this.file(symbol);
    const row = this.tables.rowOf(symbol);
    const line = lineOf(symbols.get(symbol, Sym.NAME_PLACE));
    for (let at = this.firstReferenceFrom(file, line); at < this.endOfReferences(file); at++) {
      if (lineOf(references.get(at, Ref.PLACE)) > line) return undefined;
      const shape = references.get(at, Ref.SHAPE);
      if (kindOfReference(shape) === kind && containerOfReference(shape) === row) return this.uses.targets(at)[0];
    }
    return undefined;
  }

  #impliedTo(symbol: SymbolId, kind: number): SymbolId[] {
    const found: SymbolId[] = [];
    for (const use of this.uses.uses(symbol)) {
      if (kindOfReference(this.tables.references.get(use, Ref.SHAPE)) === kind) found.push(this.owner(use));
    }
    return found;
  }

  kind(symbol: SymbolId): number {
    return kindOfSymbol(this.tables.symbols.get(symbol, Sym.SHAPE));
  }

  file(symbol: SymbolId): FileId {
    return this.tables.symbols.get(symbol, Sym.FILE);
  }

  isTest(symbol: SymbolId): boolean {
    return (flagsOfSymbol(this.tables.symbols.get(symbol, Sym.SHAPE)) & SymbolFlag.TEST) !== 0;
  }

  /** Orders symbols by path and place: numbers of files and symbols say nothing that lasts. */
  compare(one: SymbolId, other: SymbolId): number {
    const [file, otherFile] = [this.file(one), this.file(other)];
    if (file === otherFile) return one - other;
    return this.files.path(file) < this.files.path(otherFile) ? -1 : 1;
  }

  /** Numbers of the files of the graph, in the order of their paths. */
  filesByPath(): FileId[] {
    const files = [...this.files.ids()].filter((file) => this.tables.has(file));
    return files.sort((one, other) => (this.files.path(one) < this.files.path(other) ? -1 : 1));
  }

  /** The symbol in which a reference stands; -1 at the top of a file. */
  owner(reference: number): SymbolId {
    const file = this.tables.referenceOwners.fileOf(reference);
    return this.tables.symbolOf(file, containerOfReference(this.tables.references.get(reference, Ref.SHAPE)));
  }

  isCall(reference: number): boolean {
    const kind = kindOfReference(this.tables.references.get(reference, Ref.SHAPE));
    return kind === CALL || kind === NEW;
  }

  /** Calls of a symbol; those of a constructor are those of its class. */
  calls(symbol: SymbolId): number[] {
    const found = this.usesOf(symbol).filter((reference) => this.isCall(reference));
    if (this.kind(symbol) !== CONSTRUCTOR) return found;
    const type = this.memberOf(symbol);
    return type < 0 ? found : [...found, ...this.uses.uses(type).filter((use) => this.isCall(use))];
  }

  /**
   * Whose running a reference is part of: the symbol around it, the functions around that, and the class where its fields
   * and constructor run when one is made.
   */
  *runners(reference: number): Generator<SymbolId, void, void> {
    for (let symbol = this.owner(reference); symbol >= 0; symbol = this.container(symbol)) {
      yield symbol;
      const kind = this.kind(symbol);
      if (FUNCTIONS.has(kind) && kind !== CONSTRUCTOR) {
        const outer = this.container(symbol);
        if (outer < 0 || !FUNCTIONS.has(this.kind(outer))) return;
      } else if (kind !== CONSTRUCTOR && !VALUES.has(kind)) return;
    }
  }

  isRunBy(reference: number, symbol: SymbolId): boolean {
    for (const runner of this.runners(reference)) if (runner === symbol) return true;
    return false;
  }

  /** One more than the last symbol that lies in a symbol: those follow it. */
  endOfMembers(symbol: SymbolId): SymbolId {
    const file = this.file(symbol);
    const first = this.tables.file(file, FileCol.FIRST_SYMBOL);
    const end = first + this.tables.file(file, FileCol.SYMBOLS);
    let next = symbol + 1;
    while (next < end && this.tables.symbols.get(next, Sym.CONTAINER) >= symbol - first) next++;
    return next;
  }

  /** References that stand in a symbol or in one that lies in it, in their order. */
  referencesIn(symbol: SymbolId): number[] {
    const file = this.file(symbol);
    const firstSymbol = this.tables.file(file, FileCol.FIRST_SYMBOL);
    const end = this.endOfMembers(symbol) - firstSymbol;
    const start = symbol - firstSymbol;
    const found: number[] = [];
    const last = this.tables.symbols.get(symbol, Sym.END_LINE);
    for (
      let row = this.firstReferenceFrom(file, this.tables.symbols.get(symbol, Sym.START_LINE));
      row < this.endOfReferences(file) && lineOf(this.tables.references.get(row, Ref.PLACE)) <= last;
      row++
    ) {
      const owner = containerOfReference(this.tables.references.get(row, Ref.SHAPE));
      if (owner >= start && owner < end) found.push(row);
    }
    return found;
  }

  /** The first reference of a file at or after a line; where there is none the end of its references. */
  firstReferenceFrom(file: FileId, line: number): number {
    let low = this.tables.file(file, FileCol.FIRST_REFERENCE);
    let high = this.endOfReferences(file);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lineOf(this.tables.references.get(middle, Ref.PLACE)) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  endOfReferences(file: FileId): number {
    return this.tables.file(file, FileCol.FIRST_REFERENCE) + this.tables.file(file, FileCol.REFERENCES);
  }
}
