import { REFERENCE_KINDS, SymbolFlag } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { CLASSES, FUNCTIONS } from '../resolve/want.ts';
import { FileCol, flagsOfSymbol, kindOfReference, lineOf, MEMBER_OF, Ref, Sym } from '../tables/columns.ts';
import { isBelow } from './find-symbols.ts';
import type { GraphView } from './graph-view.ts';
import { directBases, overriddenBy } from './overrides.ts';

const DEFAULT_LIMIT = 100;
const DECORATOR = REFERENCE_KINDS.indexOf('decorator');
/** What others than the code here may use, or a framework calls by its name. */
const KEPT = SymbolFlag.EXPORTED | SymbolFlag.TEST | SymbolFlag.OVERRIDE | SymbolFlag.ABSTRACT;
/** Called by the language, its tools or a framework. */
const CALLED_BY_NAME =
  /^(?:main|_?init|setup|teardown|constructor|default|new|drop|finalize|dispose|toString|equals|hashCode|__.*__|_)$|^(?:test|Test|Benchmark|Example|Fuzz|on[A-Z_]|handle[A-Z_]|set[uU]p|tear[dD]own|before|after|visit_?|do_|render$)/;

/**
 * Functions, methods and classes that nothing uses and nothing outside can. Rather too few than too many: whatever has the
 * name of a reference that leads nowhere may be what is meant by it.
 */
export function deadCode(
  view: GraphView,
  { path, limit = DEFAULT_LIMIT }: { path?: string; limit?: number } = {},
): SymbolId[] {
  const { tables } = view;
  const mentioned = namesThatLeadNowhere(view);
  const found: SymbolId[] = [];
  for (const file of view.filesByPath()) {
    if (path !== undefined && !isBelow(view.files.path(file), path)) continue;
    const first = tables.file(file, FileCol.FIRST_SYMBOL);
    for (let symbol = first; symbol < first + tables.file(file, FileCol.SYMBOLS); symbol++) {
      if (mentioned.has(tables.symbols.get(symbol, Sym.NAME)) || !isDead(view, symbol)) continue;
      found.push(symbol);
      if (found.length === limit) return found;
    }
  }
  return found;
}

function isDead(view: GraphView, symbol: SymbolId): boolean {
  const { symbols } = view.tables;
  const kind = view.kind(symbol);
  if ((!FUNCTIONS.has(kind) && !CLASSES.has(kind)) || view.isExtension(symbol)) return false;
  if ((flagsOfSymbol(symbols.get(symbol, Sym.SHAPE)) & KEPT) !== 0 || CALLED_BY_NAME.test(view.name(symbol)))
    return false;
  if (isUsed(view, symbol) || isDecorated(view, symbol)) return false;
  const container = view.isOwned(symbol) || FUNCTIONS.has(kind) ? view.memberOf(symbol) : view.container(symbol);
  // Of a type that is not in the workspace a member may be called from anywhere.
  if (container < 0) return !view.isOwned(symbol);
  if (view.isExtension(container)) return false;
  // What is in a dead one is not told of again, and a method of a class with unknown bases may be called from there.
  if (FUNCTIONS.has(view.kind(container)) || !FUNCTIONS.has(kind)) return !isDead(view, container);
  return isKnownWhole(view, container) && overriddenBy(view, symbol).length === 0;
}

/** By other code than its own. */
function isUsed(view: GraphView, symbol: SymbolId): boolean {
  const end = view.endOfMembers(symbol);
  return view.usesOf(symbol).some((use) => {
    if (kindOfReference(view.tables.references.get(use, Ref.SHAPE)) >= MEMBER_OF) return false;
    const owner = view.owner(use);
    return owner < symbol || owner >= end;
  });
}

function isDecorated(view: GraphView, symbol: SymbolId): boolean {
  const { references, symbols } = view.tables;
  const file = view.file(symbol);
  const last = lineOf(symbols.get(symbol, Sym.NAME_PLACE));
  let row = view.firstReferenceFrom(file, symbols.get(symbol, Sym.START_LINE));
  for (; row < view.endOfReferences(file) && lineOf(references.get(row, Ref.PLACE)) <= last; row++) {
    if (kindOfReference(references.get(row, Ref.SHAPE)) === DECORATOR) return true;
  }
  return (
    symbols.get(symbol, Sym.START_LINE) < last &&
    row > view.firstReferenceFrom(file, symbols.get(symbol, Sym.START_LINE))
  );
}

/** Whether all that a class inherits is known. */
function isKnownWhole(view: GraphView, symbol: SymbolId): boolean {
  const seen = new Set([symbol]);
  for (const each of seen) {
    const { bases, unknown } = directBases(view, each);
    if (unknown) return false;
    for (const base of bases) seen.add(base);
  }
  return true;
}

function namesThatLeadNowhere(view: GraphView): Set<number> {
  const { references } = view.tables;
  const names = new Set<number>();
  for (const file of view.files.ids()) {
    if (!view.tables.has(file)) continue;
    for (let row = view.tables.file(file, FileCol.FIRST_REFERENCE); row < view.endOfReferences(file); row++) {
      if (references.get(row, Ref.TARGET) < 0 && kindOfReference(references.get(row, Ref.SHAPE)) < MEMBER_OF)
        names.add(references.get(row, Ref.NAME));
    }
  }
  return names;
}
