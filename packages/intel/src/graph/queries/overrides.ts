import { REFERENCE_KINDS, SYMBOL_KINDS } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { kindOfReference, Ref, Sym } from '../tables/columns.ts';
import type { Bases, GraphView } from './graph-view.ts';

const EXTENDS = REFERENCE_KINDS.indexOf('extends');
const IMPLEMENTS = REFERENCE_KINDS.indexOf('implements');
const FUNCTION = SYMBOL_KINDS.indexOf('function');
const METHOD = SYMBOL_KINDS.indexOf('method');
/** No hierarchy is deeper or wider than this: a bound for what is not one. */
const MAX_CLASSES = 1000;

/** Classes that extend or implement a class; for a method those that override it, below its class. */
export function implementationsOf(view: GraphView, id: SymbolId): SymbolId[] {
  if (!isMethod(view, id))
    return directSubclasses(view, view.extended(id)).sort((one, other) => view.compare(one, other));
  const container = view.memberOf(id);
  if (container < 0) return [];
  const name = view.tables.symbols.get(id, Sym.NAME);
  const found: SymbolId[] = [];
  for (const each of closure(container, (symbol) => directSubclasses(view, symbol))) {
    found.push(...membersNamed(view, each, name).filter((member) => isMethod(view, member)));
  }
  return found.sort((one, other) => view.compare(one, other));
}

/** The methods of classes above that a method overrides. */
export function overriddenBy(view: GraphView, id: SymbolId): SymbolId[] {
  if (!isMethod(view, id)) return [];
  const container = view.memberOf(id);
  if (container < 0) return [];
  const name = view.tables.symbols.get(id, Sym.NAME);
  const found: SymbolId[] = [];
  for (const each of closure(container, (symbol) => directBases(view, symbol).bases)) {
    found.push(...membersNamed(view, each, name).filter((member) => isMethod(view, member)));
  }
  return found;
}

/** What the heads of a class and of its extensions name as what it extends or implements, and whether some of it is not in the workspace. */
export function directBases(view: GraphView, symbol: SymbolId): Bases {
  const known = view.bases.get(symbol);
  if (known !== undefined) return known;
  const found = readBases(view, symbol);
  view.bases.set(symbol, found);
  return found;
}

function readBases(view: GraphView, symbol: SymbolId): Bases {
  const bases: SymbolId[] = [];
  let unknown = false;
  for (const head of [symbol, ...view.outsideOf(symbol).filter((each) => view.isExtension(each))]) {
    for (const reference of view.referencesIn(head)) {
      if (!isInheritance(view, reference) || view.owner(reference) !== head) continue;
      const targets = view.uses.targets(reference);
      if (targets.length === 0) unknown = true;
      bases.push(...targets);
    }
  }
  return { bases, unknown };
}

function directSubclasses(view: GraphView, symbol: SymbolId): SymbolId[] {
  const found = new Set<SymbolId>();
  for (const use of view.uses.uses(symbol)) {
    const owner = isInheritance(view, use) ? view.owner(use) : -1;
    if (owner >= 0) found.add(view.extended(owner));
  }
  return [...found];
}

function isInheritance(view: GraphView, reference: number): boolean {
  const kind = kindOfReference(view.tables.references.get(reference, Ref.SHAPE));
  return kind === EXTENDS || kind === IMPLEMENTS;
}

function membersNamed(view: GraphView, symbol: SymbolId, name: number): SymbolId[] {
  const found = membersIn(view, symbol, name);
  for (const each of view.outsideOf(symbol)) {
    if (view.isExtension(each)) found.push(...membersIn(view, each, name));
    else if (view.tables.symbols.get(each, Sym.NAME) === name) found.push(each);
  }
  return found;
}

function membersIn(view: GraphView, symbol: SymbolId, name: number): SymbolId[] {
  const { tables } = view;
  const file = view.file(symbol);
  const first = tables.firstNamed(file, name);
  const found: SymbolId[] = [];
  for (let at = first; first >= 0; at++) {
    const member = tables.namedAt(file, at, name);
    if (member < 0) break;
    if (view.container(member) === symbol) found.push(member);
  }
  return found;
}

/** Outside of its type a method is declared as a function. */
function isMethod(view: GraphView, symbol: SymbolId): boolean {
  const kind = view.kind(symbol);
  return kind === METHOD || (kind === FUNCTION && view.isOwned(symbol));
}

/** Everything that can be reached, without the start itself, nearest first. */
function closure(start: SymbolId, next: (symbol: SymbolId) => readonly SymbolId[]): SymbolId[] {
  const seen = new Set([start]);
  for (const symbol of seen) {
    for (const each of next(symbol)) if (seen.size < MAX_CLASSES) seen.add(each);
  }
  seen.delete(start);
  return [...seen];
}
