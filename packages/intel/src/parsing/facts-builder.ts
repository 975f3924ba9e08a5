import { type Arranged, ContainerCursor, TYPES } from './arrange-symbols.ts';
import { type Collected, RawBinding, RawImport, RawReference, RawSpan, type SymbolDraft } from './collected.ts';
import {
  BINDING_WIDTH,
  BindingColumn,
  IMPORT_WIDTH,
  ImportColumn,
  ImportFlag,
  REFERENCE_KINDS,
  REFERENCE_WIDTH,
  ReferenceColumn,
  SYMBOL_KINDS,
  SYMBOL_WIDTH,
  SymbolColumn,
  type SymbolKind,
} from './file-facts.ts';
import { IntRows } from './int-rows.ts';
import type { LanguageSpec } from './language-spec.ts';
import type { LineTable } from './line-table.ts';

const BRACE = 123;
const READ = REFERENCE_KINDS.indexOf('read');
const WRITE = REFERENCE_KINDS.indexOf('write');
const TYPE = REFERENCE_KINDS.indexOf('type');
/** A sort key is an offset and a row; both stay exact in a double. */
const ROWS = 2 ** 24;
const HOLDS_VALUES: ReadonlySet<SymbolKind> = new Set(['field', 'property', 'constant', 'variable']);

/** Makes the four tables of `FileFacts`. */
export class FactsBuilder {
  readonly #source: string;
  readonly #spec: LanguageSpec;
  readonly #found: Collected;
  readonly #symbols: readonly SymbolDraft[];
  readonly #locals: readonly SymbolDraft[];
  readonly #lines: LineTable;
  /** What is known in which symbol: name and scope as one number → what was said last of its type, -1 for nothing. */
  readonly #known = new Map<number, number>();

  constructor(source: string, spec: LanguageSpec, found: Collected, { symbols, locals }: Arranged, lines: LineTable) {
    this.#source = source;
    this.#spec = spec;
    this.#found = found;
    this.#symbols = symbols;
    this.#locals = locals;
    this.#lines = lines;
  }

  symbols(): Int32Array {
    const { names } = this.#found;
    const table = new Int32Array(this.#symbols.length * SYMBOL_WIDTH);
    const docstrings = this.#docstrings();
    for (const [row, symbol] of this.#symbols.entries()) {
      const at = row * SYMBOL_WIDTH;
      const endLine = this.#lines.lineOf(Math.max(symbol.start, symbol.end - 1));
      const doc = docstrings.get(row);
      const [docStart, docEnd] = doc ?? [symbol.docStart, symbol.docEnd];
      table[at + SymbolColumn.NAME] = names.id(symbol.name);
      table[at + SymbolColumn.KIND] = SYMBOL_KINDS.indexOf(symbol.kind);
      table[at + SymbolColumn.CONTAINER] = symbol.container;
      table[at + SymbolColumn.FLAGS] = symbol.flags;
      table[at + SymbolColumn.START_LINE] = this.#lines.lineOf(symbol.outerStart);
      table[at + SymbolColumn.END_LINE] = endLine;
      table[at + SymbolColumn.NAME_LINE] = symbol.nameLine;
      table[at + SymbolColumn.NAME_COLUMN] = symbol.nameColumn;
      table[at + SymbolColumn.DOC_START] = docStart < 0 ? 0 : this.#lines.lineOf(docStart);
      table[at + SymbolColumn.DOC_END] = docStart < 0 ? 0 : this.#lines.lineOf(Math.max(docStart, docEnd - 1));
      table[at + SymbolColumn.SIGNATURE_END] = symbol.bodyStart < 0 ? endLine : this.#signatureEnd(symbol.bodyStart);
      table[at + SymbolColumn.TYPE] = symbol.type === undefined ? -1 : names.id(symbol.type);
      table[at + SymbolColumn.ARITY] = this.#arity(symbol);
      table[at + SymbolColumn.OWNER] = symbol.memberOf === '' ? -1 : names.id(symbol.memberOf);
    }
    return table;
  }

  imports(): Int32Array {
    const { imports } = this.#found;
    const { data } = imports;
    const rows = new IntRows(IMPORT_WIDTH, Math.max(1, imports.count));
    const cursor = new ContainerCursor(this.#symbols);
    const best = new Map<number, number>();
    const named = new Set<number>();
    for (let raw = 0; raw < imports.count * imports.width; raw += imports.width) {
      const place = data[raw + RawImport.PLACE] ?? 0;
      const other = best.get(place);
      if (other === undefined || patternOf(data, raw) < patternOf(data, other)) best.set(place, raw);
      if (!isBare(data, raw)) named.add(data[raw + RawImport.ORIGIN] ?? 0);
    }
    for (const [place, raw] of [...best].sort(([a], [b]) => a - b)) {
      // A statement that brings in names is also found as one that brings in none.
      if (isBare(data, raw) && named.has(data[raw + RawImport.ORIGIN] ?? 0)) continue;
      const at = rows.add();
      rows.data[at + ImportColumn.SPECIFIER] = data[raw + RawImport.SPECIFIER] ?? -1;
      rows.data[at + ImportColumn.IMPORTED] = data[raw + RawImport.IMPORTED] ?? -1;
      rows.data[at + ImportColumn.LOCAL] = data[raw + RawImport.LOCAL] ?? -1;
      rows.data[at + ImportColumn.LINE] = data[raw + RawImport.LINE] ?? 0;
      rows.data[at + ImportColumn.FLAGS] = data[raw + RawImport.FLAGS] ?? 0;
      const isExport = ((data[raw + RawImport.FLAGS] ?? 0) & ImportFlag.LOCAL_EXPORT) !== 0;
      rows.data[at + ImportColumn.CONTAINER] = isExport ? -1 : cursor.at(place);
    }
    return rows.take();
  }

  bindings(): Int32Array {
    const { names, bindings } = this.#found;
    const { data, width } = bindings;
    const rows = new IntRows(BINDING_WIDTH, bindings.count + this.#locals.length + this.#symbols.length + 1);
    const add = (name: number, scope: number, line: number, type: number) => {
      const key = this.#key(scope, name);
      const before = this.#known.get(key);
      if (before !== undefined && (type < 0 || type === before)) return;
      this.#known.set(key, type);
      const at = rows.add();
      rows.data[at + BindingColumn.NAME] = name;
      rows.data[at + BindingColumn.SCOPE] = scope;
      rows.data[at + BindingColumn.LINE] = line;
      rows.data[at + BindingColumn.TYPE] = type;
    };
    for (const symbol of this.#symbols) {
      const type = HOLDS_VALUES.has(symbol.kind) ? (symbol.type ?? symbol.valueType) : undefined;
      if (type === undefined) continue;
      const isField = TYPES.has(this.#symbols[symbol.container]?.kind ?? 'variable');
      const name = isField ? `this.${symbol.name}` : symbol.name;
      add(names.id(name), symbol.container, symbol.nameLine, names.id(type));
    }
    const cursor = new ContainerCursor(this.#symbols);
    // The parameters of a constructor that are fields as well are known by both names.
    const declared = new Set(this.#symbols.flatMap(({ owner, nameStart }) => (owner === '' ? [nameStart] : [])));
    const order = this.#ordered(bindings, RawBinding.START);
    for (const [index, raw] of order.entries()) {
      const at = raw * width;
      const start = data[at + RawBinding.START] ?? 0;
      const isField = data[at + RawBinding.IS_FIELD] === 1;
      if (!isField && declared.has(start)) continue;
      // One name may be found twice, as a parameter and in a pattern: what says more of it counts.
      const isLast = data[(order[index + 1] ?? -1) * width + RawBinding.START] !== start;
      if (!isLast && (data[at + RawBinding.TYPE] ?? -1) < 0) continue;
      const scope = cursor.at(start);
      add(
        data[at + RawBinding.NAME] ?? 0,
        isField ? this.#classAround(scope) : scope,
        data[at + RawBinding.LINE] ?? 0,
        data[at + RawBinding.TYPE] ?? -1,
      );
    }
    const localCursor = new ContainerCursor(this.#symbols);
    for (const local of this.#locals) {
      const type = local.type ?? local.valueType;
      const scope = localCursor.at(local.start);
      add(names.id(local.name), scope, local.nameLine, type === undefined ? -1 : names.id(type));
    }
    return rows.take();
  }

  /** To be asked for after `bindings`, which say what is local. */
  references(): Int32Array {
    const { references } = this.#found;
    const { data, width } = references;
    const rows = new IntRows(REFERENCE_WIDTH, references.count + 1);
    const cursor = new ContainerCursor(this.#symbols);
    const order = this.#ordered(references, RawReference.START);
    const fileWide = this.#fileWideNames();
    const declared = new Set(this.#symbols.map(({ nameStart }) => nameStart));
    for (let index = 0; index < order.length; ) {
      let best = (order[index] ?? 0) * width;
      const start = data[best + RawReference.START] ?? 0;
      for (index += 1; index < order.length; index += 1) {
        const other = (order[index] ?? 0) * width;
        if (data[other + RawReference.START] !== start) break;
        if ((data[other + RawReference.PATTERN] ?? 0) < (data[best + RawReference.PATTERN] ?? 0)) best = other;
      }
      const kind = data[best + RawReference.KIND] ?? -1;
      if (kind < 0 || declared.has(start)) continue;
      const container = cursor.at(start);
      const name = data[best + RawReference.NAME] ?? 0;
      const receiver = data[best + RawReference.RECEIVER] ?? -1;
      if (kind === READ || kind === WRITE) {
        if (!this.#isWorthKeeping(name, receiver, container, fileWide)) continue;
      } else if (kind === TYPE && receiver < 0 && this.#localType(name, container) !== undefined) continue;
      const at = rows.add();
      const target = rows.data;
      target[at + ReferenceColumn.NAME] = name;
      target[at + ReferenceColumn.KIND] = kind;
      target[at + ReferenceColumn.CONTAINER] = container;
      target[at + ReferenceColumn.LINE] = data[best + RawReference.LINE] ?? 0;
      target[at + ReferenceColumn.COLUMN] = data[best + RawReference.COLUMN] ?? 0;
      target[at + ReferenceColumn.RECEIVER] = receiver;
      const arity = data[best + RawReference.ARITY] ?? -1;
      target[at + ReferenceColumn.ARITY] =
        arity < 0 ? -1 : arity + this.#correction(data[best + RawReference.LIST] ?? -1);
    }
    return rows.take();
  }

  #docstrings(): Map<number, [start: number, end: number]> {
    const { data, count, width } = this.#found.docstrings;
    const found = new Map<number, [number, number]>();
    const cursor = new ContainerCursor(this.#symbols);
    for (let at = 0; at < count * width; at += width) {
      const start = data[at + RawSpan.START] ?? 0;
      const row = cursor.at(start);
      if (row >= 0 && !found.has(row)) found.set(row, [start, data[at + RawSpan.END] ?? 0]);
    }
    return found;
  }

  /** A body in braces begins on the line of the first; one by indentation, after the line that announces it. */
  #signatureEnd(bodyStart: number): number {
    let at = bodyStart;
    if (this.#source.charCodeAt(bodyStart) !== BRACE) {
      do at -= 1;
      while (at > 0 && this.#source.charCodeAt(at) <= 32);
    }
    return this.#lines.lineOf(at);
  }

  #arity(symbol: SymbolDraft): number {
    if (symbol.parameters < 0) return -1;
    const isMethod = symbol.kind === 'method' || symbol.kind === 'constructor' || symbol.kind === 'property';
    const self = this.#spec.selfParameter && isMethod && this.#namesSelf(symbol) ? 1 : 0;
    return symbol.parameters + this.#correction(symbol.listStart) - self;
  }

  #namesSelf({ listStart }: SymbolDraft): boolean {
    const first = /^[([]?\s*&?\s*(?:mut\s+)?(\w+)/.exec(this.#source.slice(listStart, listStart + 80))?.[1];
    return first !== undefined && this.#spec.selves.has(first);
  }

  #correction(list: number): number {
    return this.#found.corrections.get(list) ?? 0;
  }

  #classAround(scope: number): number {
    let row = scope;
    while (row >= 0 && !TYPES.has(this.#symbols[row]?.kind ?? 'variable')) row = this.#symbols[row]?.container ?? -1;
    return row;
  }

  #key(scope: number, name: number): number {
    return (scope + 1) * ROWS + name;
  }

  /** Names that a file declares for itself as a whole or imports: numbers. */
  #fileWideNames(): Set<number> {
    const { names, imports } = this.#found;
    const known = new Set<number>();
    for (let at = 0; at < imports.count * imports.width; at += imports.width) {
      if ((imports.data[at + RawImport.FLAGS] ?? 0) & ImportFlag.LOCAL_EXPORT) continue;
      known.add(imports.data[at + RawImport.LOCAL] ?? -1);
    }
    for (const { name, container } of this.#symbols) {
      if (!TYPES.has(this.#symbols[container]?.kind ?? 'variable')) known.add(names.id(name));
    }
    return known;
  }

  /** Whether a name that is only read can be anything but a variable of the function around it. */
  #isWorthKeeping(name: number, receiver: number, container: number, fileWide: ReadonlySet<number>): boolean {
    if (receiver >= 0) return this.#isKnownRoot(receiver, container, fileWide);
    if (this.#localType(name, container) !== undefined) return false;
    return this.#spec.reads === 'all' || fileWide.has(name);
  }

  readonly #roots = new Map<number, string>();

  /** Whether the first name of a chain is one of which something is known. */
  #isKnownRoot(receiver: number, container: number, fileWide: ReadonlySet<number>): boolean {
    let root = this.#roots.get(receiver);
    if (root === undefined) {
      root = /^[^.([]*/.exec(this.#found.names.names[receiver] ?? '')?.[0] ?? '';
      this.#roots.set(receiver, root);
    }
    if (root === 'this' || root === 'super' || this.#spec.reads === 'all') return root !== '';
    const id = this.#found.names.find(root);
    if (id === undefined) return false;
    const local = this.#localType(id, container);
    return local === undefined ? fileWide.has(id) : local >= 0;
  }

  /** What is said of the type of a local name, -1 for nothing; undefined: the name is not local. */
  #localType(name: number, container: number): number | undefined {
    for (let row = container; row >= 0; row = this.#symbols[row]?.parent ?? -1) {
      const known = this.#known.get(this.#key(row, name));
      if (known !== undefined) return known;
    }
    return undefined;
  }

  /** Rows in the order of their offsets. */
  #ordered({ data, count, width }: IntRows, column: number): Int32Array {
    const keys = new Float64Array(count);
    for (let row = 0; row < count; row += 1) keys[row] = (data[row * width + column] ?? 0) * ROWS + row;
    keys.sort();
    const rows = new Int32Array(count);
    for (let at = 0; at < count; at += 1) rows[at] = (keys[at] ?? 0) % ROWS;
    return rows;
  }
}

function patternOf(data: Int32Array, raw: number): number {
  return data[raw + RawImport.PATTERN] ?? 0;
}

/** Brings in no name. */
function isBare(data: Int32Array, raw: number): boolean {
  return data[raw + RawImport.IMPORTED] === -1 && data[raw + RawImport.LOCAL] === -1;
}
