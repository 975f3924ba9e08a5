import { isRecord } from '@black-ide/protocol';
import type { Range } from './positions.ts';
import { readLocations, readRange } from './read-range.ts';

/** A symbol as a server lists it. */
export interface SymbolItem {
  name: string;
  /** In words, e.g. `method`. */
  kind: string;
  /** Absolute. */
  path: string;
  /** The whole symbol. */
  range: Range;
  /** Its name in it. */
  nameRange: Range;
  /** Of the symbol around it, where the server tells. */
  container?: string;
  /** How many symbols it lies in. */
  depth: number;
}

/** The kinds of symbols, numbered from 1. */
const KINDS = (
  'file module namespace package class method property field constructor enum interface function variable constant ' +
  'string number boolean array object key null enum-member struct event operator type-parameter'
).split(' ');
const MAX_DEPTH = 30;

/** The answer to `textDocument/documentSymbol`, `workspace/symbol`, or the items of a call hierarchy. */
export function readSymbols(list: unknown, path: string, depth = 0): SymbolItem[] {
  if (!Array.isArray(list) || depth > MAX_DEPTH) return [];
  return list.flatMap((each) => {
    const symbol = readSymbol(each, path, depth);
    if (!symbol) return [];
    const inner = readSymbols((each as { children?: unknown }).children, symbol.path, depth + 1);
    for (const one of inner) one.container ??= symbol.name;
    return [symbol, ...inner];
  });
}

function readSymbol(value: unknown, ownPath: string, depth: number): SymbolItem | undefined {
  if (!isRecord(value) || typeof value.name !== 'string') return undefined;
  const { name, kind, containerName } = value;
  const place = whereOf(value, ownPath);
  if (!place) return undefined;
  return {
    name,
    kind: KINDS[Number(kind) - 1] ?? 'symbol',
    ...place,
    ...(typeof containerName === 'string' && containerName !== '' ? { container: containerName } : {}),
    depth,
  };
}

/** By `location`, or by `uri` and ranges, or by the ranges alone. */
function whereOf(
  value: Record<string, unknown>,
  ownPath: string,
): Pick<SymbolItem, 'path' | 'range' | 'nameRange'> | undefined {
  const [location] = value.location === undefined ? [] : readLocations(value.location);
  if (location) return { ...location, nameRange: location.range };
  const range = readRange(value.range);
  if (!range) return undefined;
  const path = value.uri === undefined ? ownPath : readLocations({ uri: value.uri, range })[0]?.path;
  return path === undefined ? undefined : { path, range, nameRange: readRange(value.selectionRange) ?? range };
}
