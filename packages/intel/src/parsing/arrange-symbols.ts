import { OuterFlag } from './capture-roles.ts';
import { type Collected, RawImport, RawSpan, type SymbolDraft } from './collected.ts';
import { ImportFlag, SymbolFlag, type SymbolKind } from './file-facts.ts';
import type { IntRows } from './int-rows.ts';
import type { LanguageSpec, SymbolView } from './language-spec.ts';

/** The symbols of a file, and the variables of functions, which are none. */
export interface Arranged {
  symbols: SymbolDraft[];
  locals: SymbolDraft[];
}

/** What has members. */
export const TYPES: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'trait',
  'type',
  'extension',
]);
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor']);
const VARIABLES: ReadonlySet<SymbolKind> = new Set(['variable', 'constant']);
const MEMBERS: ReadonlySet<SymbolKind> = new Set(['method', 'constructor', 'field', 'property', 'enum-member']);
const WORD = /[A-Za-z_]+/g;
/** So much of what stands before a name is looked through for words like `static`. */
const MAX_HEAD = 300;

/** Puts declarations into their containers, and decides what kind they are. */
export function arrangeSymbols(source: string, spec: LanguageSpec, found: Collected, isTest: boolean): Arranged {
  const drafts = inOrder(found.symbols);
  const leading = spans(found.leading);
  const comments = spans(found.comments);
  const exported = exportedNames(found);
  const symbols: SymbolDraft[] = [];
  const locals: SymbolDraft[] = [];
  const members = new Set<string>();
  const cursor = new ContainerCursor(symbols);
  const around = new OpenSpans(spans(found.outers));
  for (const draft of drafts) {
    if (found.imported.has(draft.nameStart)) continue;
    const parent = cursor.at(draft.start);
    const kind = kindOf(draft, symbols[parent]?.kind, source, spec);
    if (kind === undefined) {
      locals.push(draft);
      continue;
    }
    const symbol = draft;
    symbol.kind = kind;
    symbol.parent = parent;
    const memberOf = ownerType(symbol.owner, kind);
    symbol.container = containerOf(symbol, symbols, memberOf);
    if (symbol.container === parent) symbol.memberOf = memberOf;
    const from = symbols[parent]?.start ?? -1;
    const lastStart = symbols.at(-1)?.start ?? -1;
    let isFirst = true;
    let innermost: Span | undefined;
    for (const outer of around.at(symbol.start)) {
      if (outer.start <= from) continue;
      innermost = outer;
      if (outer.flags & OuterFlag.EXPORTED) symbol.flags |= SymbolFlag.EXPORTED;
      if (outer.flags & OuterFlag.DEFAULT) symbol.flags |= SymbolFlag.DEFAULT;
      if (isFirst && outer.start > lastStart) symbol.outerStart = outer.start;
      isFirst = false;
    }
    symbol.outerStart = extendedBy(leading, source, symbol.outerStart);
    const doc = docBefore(comments, source, symbol.outerStart);
    if (doc) [symbol.docStart, symbol.docEnd] = [doc.start, doc.end];
    const container = symbols[symbol.container];
    const shared = sharedHead(source, symbol, innermost, symbols.at(-1));
    const head = `${shared}${headOf(source, symbol, leading)}`;
    symbol.flags |= flagsOf(head, spec.flags);
    if (isTest) symbol.flags |= SymbolFlag.TEST;
    if (!container && exported?.has(symbol.name)) symbol.flags |= SymbolFlag.EXPORTED;
    refine(symbol, head, source, container, spec, exported);
    if (container && MEMBERS.has(symbol.kind) && !(symbol.flags & SymbolFlag.PRIVATE)) {
      symbol.flags |= container.flags & SymbolFlag.EXPORTED;
    }
    // A second assignment is no second declaration.
    const key = `${symbol.container} ${symbol.name}`;
    const isAgain = members.has(key) && (symbol.kind === 'field' || VARIABLES.has(symbol.kind));
    members.add(key);
    if (isAgain) continue;
    const merged = mergeable(symbols, symbol, spec);
    if (merged < 0) symbols.push(symbol);
    else {
      symbols[merged] = merge(symbols[merged] ?? symbol, symbol);
      cursor.reopen(merged);
    }
  }
  return { symbols, locals };
}

/**
 * Finds the innermost symbol around an offset. Asked with offsets that never fall, it walks through the symbols once.
 */
export class ContainerCursor {
  readonly #symbols: readonly { start: number; end: number; parent: number }[];
  #next = 0;
  #current = -1;

  constructor(symbols: readonly { start: number; end: number; parent: number }[]) {
    this.#symbols = symbols;
  }

  /** Its row; -1 at the top of the file. */
  at(offset: number): number {
    const symbols = this.#symbols;
    while (this.#next < symbols.length && (symbols[this.#next]?.start ?? 0) <= offset) {
      this.#current = this.#next;
      this.#next += 1;
    }
    while (this.#current >= 0 && (symbols[this.#current]?.end ?? 0) <= offset) {
      this.#current = symbols[this.#current]?.parent ?? -1;
    }
    return this.#current;
  }

  /** The symbol of a row, which was left behind, ends later than it did. */
  reopen(row: number): void {
    this.#current = row;
  }
}

/** Spans that contain an offset; asked with offsets that never fall. */
class OpenSpans {
  readonly #spans: readonly Span[];
  #next = 0;
  #open: Span[] = [];

  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** Outermost first. */
  at(offset: number): readonly Span[] {
    for (; (this.#spans[this.#next]?.start ?? Number.POSITIVE_INFINITY) <= offset; this.#next += 1) {
      const span = this.#spans[this.#next];
      if (span) this.#open.push(span);
    }
    if (this.#open.some(({ end }) => end <= offset)) this.#open = this.#open.filter(({ end }) => end > offset);
    return this.#open;
  }
}

/** By their starts, what contains before what is contained; of several at one name the pattern that comes first. */
function inOrder(drafts: readonly SymbolDraft[]): SymbolDraft[] {
  const byName = new Map<number, SymbolDraft>();
  for (const draft of drafts) {
    const other = byName.get(draft.nameStart);
    if (!other || isBetter(draft, other)) byName.set(draft.nameStart, draft);
  }
  return [...byName.values()].sort((a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart);
}

function isBetter(draft: SymbolDraft, other: SymbolDraft): boolean {
  if (draft.pattern !== other.pattern) return draft.pattern < other.pattern;
  return partsOf(draft) > partsOf(other);
}

function partsOf({ bodyStart, listStart, type, valueType }: SymbolDraft): number {
  return Number(bodyStart >= 0) + Number(listStart >= 0) + Number(type !== undefined) + Number(valueType !== undefined);
}

/** Undefined: a variable of a function, which is no symbol. */
function kindOf(
  draft: SymbolDraft,
  parent: SymbolKind | undefined,
  source: string,
  spec: LanguageSpec,
): SymbolKind | undefined {
  const { kind } = draft;
  if (kind === 'function' && parent && TYPES.has(parent)) {
    return spec.constructors.has(draft.name) ? 'constructor' : 'method';
  }
  if (kind === 'method' && spec.constructors.has(draft.name)) return 'constructor';
  if (VARIABLES.has(kind)) {
    if (parent && TYPES.has(parent)) return 'field';
    if (parent ? parent !== 'module' : !beginsLine(source, draft.statementStart)) return undefined;
  }
  return kind;
}

/** Whether nothing but a few words stands before an offset in its line; true where there is no offset. */
function beginsLine(source: string, start: number): boolean {
  if (start <= 0) return true;
  const line = source.lastIndexOf('\n', start - 1) + 1;
  return line === start || /^(?:[a-z]+ )+$/.test(source.slice(line, start));
}

function containerOf({ owner, parent }: SymbolDraft, symbols: readonly SymbolDraft[], memberOf: string): number {
  if (memberOf !== '') {
    const row = symbols.findIndex(({ name, kind }) => name === memberOf && TYPES.has(kind));
    return row < 0 ? parent : row;
  }
  if (owner !== 'this') return parent;
  for (let row = parent; row >= 0; row = symbols[row]?.parent ?? -1) {
    if (TYPES.has(symbols[row]?.kind ?? 'variable')) return row;
  }
  return parent;
}

/** The type that a declaration names as its own; empty where it names none. */
function ownerType(owner: string, kind: SymbolKind): string {
  if (!FUNCTIONS.has(kind) || owner === 'this' || owner === 'exports' || owner === 'module.exports') return '';
  if (owner.startsWith('[]')) return '';
  return owner.replace(/\.prototype$/, '');
}

interface Span {
  start: number;
  end: number;
  flags: number;
}

function spans(rows: IntRows): Span[] {
  const all: Span[] = [];
  for (let at = 0; at < rows.count * rows.width; at += rows.width) {
    const { data } = rows;
    all.push({
      start: data[at + RawSpan.START] ?? 0,
      end: data[at + RawSpan.END] ?? 0,
      flags: data[at + RawSpan.FLAGS] ?? 0,
    });
  }
  return all.sort((a, b) => a.start - b.start);
}

/** The start with decorators that stand directly before it. */
function extendedBy(leading: readonly Span[], source: string, start: number): number {
  let from = start;
  for (let at = lastBefore(leading, start); at >= 0; at -= 1) {
    const span = leading[at];
    if (!span || span.end > from || source.slice(span.end, from).trim() !== '') break;
    from = span.start;
  }
  return from;
}

/** The comments directly above a declaration, with no blank line between. */
function docBefore(comments: readonly Span[], source: string, start: number): Span | undefined {
  let doc: Span | undefined;
  let from = start;
  for (let at = lastBefore(comments, start); at >= 0; at -= 1) {
    const comment = comments[at];
    if (!comment || comment.end > from) break;
    const between = source.slice(comment.end, from);
    if (between.trim() !== '' || between.indexOf('\n') !== between.lastIndexOf('\n')) break;
    if (!isAloneBefore(source, comment.start)) break;
    doc = { start: comment.start, end: doc?.end ?? comment.end, flags: 0 };
    from = comment.start;
  }
  return doc;
}

function isAloneBefore(source: string, start: number): boolean {
  for (let at = start - 1; at >= 0; at -= 1) {
    const code = source.charCodeAt(at);
    if (code === 10) return true;
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}

/** Index of the last span that begins before an offset; -1 where there is none. */
function lastBefore(spans: readonly Span[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What stands before the first of several declarations in one statement: `static int ` of `static int a, b`. */
function sharedHead(
  source: string,
  { start }: SymbolDraft,
  outer: Span | undefined,
  previous: SymbolDraft | undefined,
): string {
  if (outer?.flags !== 0 || outer.start >= start) return '';
  const end = previous && previous.start >= outer.start ? Math.min(previous.start, start) : start;
  return source.slice(outer.start, Math.min(end, outer.start + MAX_HEAD));
}

/** What stands before the name, and before the parameters of a function that is bound to it; no decorators. */
function headOf(source: string, symbol: SymbolDraft, leading: readonly Span[]): string {
  const { start, statementStart, functionStart, listStart, nameStart } = symbol;
  if (statementStart >= 0) return /^\w*/.exec(source.slice(statementStart, statementStart + 16))?.[0] ?? '';
  const inner = leading[lastBefore(leading, nameStart)];
  const from = Math.max(start, inner?.end ?? 0, nameStart - MAX_HEAD);
  const head = from < nameStart ? source.slice(from, nameStart) : '';
  if (functionStart < 0) return head;
  return `${head} ${source.slice(functionStart, listStart >= 0 ? listStart : functionStart + 'async '.length)}`;
}

function flagsOf(head: string, words: ReadonlyMap<string, number>): number {
  if (head === '') return 0;
  let flags = 0;
  for (const word of head.match(WORD) ?? []) flags |= words.get(word) ?? 0;
  return flags;
}

function refine(
  symbol: SymbolDraft,
  head: string,
  source: string,
  container: SymbolDraft | undefined,
  spec: LanguageSpec,
  listed: ReadonlySet<string> | undefined,
): void {
  if (!spec.refine) return;
  const view: SymbolView = {
    name: symbol.name,
    kind: symbol.kind,
    flags: symbol.flags,
    containerKind: container?.kind,
    head,
    decorators: symbol.outerStart < symbol.start ? source.slice(symbol.outerStart, symbol.start) : '',
    owner: symbol.owner,
    listed,
  };
  spec.refine(view);
  symbol.kind = view.kind;
  symbol.flags = view.flags;
}

/** Row of the symbol that this one continues, as overloads do; -1 for none. */
function mergeable(symbols: readonly SymbolDraft[], symbol: SymbolDraft, spec: LanguageSpec): number {
  if (!spec.overloads || !(FUNCTIONS.has(symbol.kind) || symbol.kind === 'property')) return -1;
  let row = symbols.length - 1;
  while (row >= 0 && symbols[row]?.parent !== symbol.parent) row = symbols[row]?.parent ?? -1;
  const last = symbols[row];
  if (!last || last.name !== symbol.name || last.kind !== symbol.kind || last.container !== symbol.container) return -1;
  return spec.overloads === 'without-body' && last.bodyStart >= 0 ? -1 : row;
}

function merge(first: SymbolDraft, last: SymbolDraft): SymbolDraft {
  return {
    ...(first.kind === 'property' ? first : last),
    start: first.start,
    end: last.end,
    outerStart: first.outerStart,
    flags: first.flags | last.flags,
    type: first.type ?? last.type,
    parameters: Math.max(first.parameters, last.parameters),
    docStart: first.docStart >= 0 ? first.docStart : last.docStart,
    docEnd: first.docStart >= 0 ? first.docEnd : last.docEnd,
  };
}

/** The names that the file exports by a list or by assignment; undefined where it has no such thing. */
function exportedNames({ imports, names }: Collected): ReadonlySet<string> | undefined {
  const exported = new Set<string>();
  for (let at = 0; at < imports.count * imports.width; at += imports.width) {
    const flags = imports.data[at + RawImport.FLAGS] ?? 0;
    if (flags & ImportFlag.LOCAL_EXPORT) exported.add(names.names[imports.data[at + RawImport.IMPORTED] ?? -1] ?? '');
  }
  return exported.size > 0 ? exported : undefined;
}
