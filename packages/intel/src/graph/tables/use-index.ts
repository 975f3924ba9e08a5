import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { FileCol, Ref } from './columns.ts';
import { type Csr, EMPTY_CSR } from './csr.ts';
import type { GraphTables } from './graph-tables.ts';

/**
 * Edges in both directions. Settled edges are kept while the file of their target is parsed again: `move` says which symbol
 * became which.
 */
export class UseIndex {
  readonly #tables: GraphTables;
  /** References by settled target. */
  readonly #settled: Csr;
  readonly #movedTo = new Map<SymbolId, SymbolId>();
  readonly #movedFrom = new Map<SymbolId, SymbolId>();
  /** References by target, of those that were resolved since the settling; undefined when it must be gathered again. */
  #added: Map<SymbolId, number[]> | undefined;
  /** Files whose references were resolved since the settling. */
  readonly #resolved = new Set<FileId>();

  constructor(tables: GraphTables, settled: Csr = EMPTY_CSR) {
    this.#tables = tables;
    this.#settled = settled;
  }

  /** Symbols of a file that was put again, old number to new. */
  move(symbols: ReadonlyMap<SymbolId, SymbolId>): void {
    for (const [old, now] of symbols) {
      this.#movedTo.set(old, now);
      this.#movedFrom.set(now, old);
    }
    this.#added = undefined;
  }

  /** The references of a file were resolved again, or are gone. */
  touch(file: FileId): void {
    this.#resolved.add(file);
    this.#added = undefined;
  }

  /** What a reference resolves to. */
  targets(reference: number): SymbolId[] {
    const target = this.#tables.references.get(reference, Ref.TARGET);
    if (target >= 0) return this.#present(target) < 0 ? [] : [this.#present(target)];
    if (target === -1) return [];
    const first = -2 - target;
    const found: SymbolId[] = [];
    for (let at = first + 1; at <= first + this.#tables.lists.get(first, 0); at++) {
      const symbol = this.#present(this.#tables.lists.get(at, 0));
      if (symbol >= 0) found.push(symbol);
    }
    return found;
  }

  /** References to a symbol, in the order of files and places as far as they are settled. */
  uses(symbol: SymbolId): number[] {
    const found: number[] = [];
    let old: SymbolId | undefined = symbol;
    while (old !== undefined && old >= this.#tables.symbols.settledCount) old = this.#movedFrom.get(old);
    if (old !== undefined && old < this.#settled.starts.length - 1) {
      const end = this.#settled.starts[old + 1]!;
      for (let at = this.#settled.starts[old]!; at < end; at++) {
        const reference = this.#settled.values[at]!;
        if (this.#resolved.size === 0 || this.#isLive(reference)) found.push(reference);
      }
    }
    if (this.#resolved.size > 0) {
      this.#added ??= this.#gather();
      for (const reference of this.#added.get(symbol) ?? []) found.push(reference);
    }
    return found;
  }

  /** How many references a symbol has. */
  count(symbol: SymbolId): number {
    return this.#resolved.size === 0 && symbol < this.#settled.starts.length - 1
      ? this.#settled.starts[symbol + 1]! - this.#settled.starts[symbol]!
      : this.uses(symbol).length;
  }

  /** The present number of a symbol that an edge names; -1 when it is gone. */
  #present(symbol: SymbolId): SymbolId {
    let now: SymbolId | undefined = symbol;
    while (now !== undefined && !this.#tables.isLiveSymbol(now)) now = this.#movedTo.get(now);
    return now ?? -1;
  }

  #isLive(reference: number): boolean {
    return this.#tables.isLiveReference(reference, this.#tables.referenceOwners.fileOf(reference));
  }

  #gather(): Map<SymbolId, number[]> {
    const byTarget = new Map<SymbolId, number[]>();
    for (const file of this.#resolved) {
      if (!this.#tables.has(file)) continue;
      const first = this.#tables.file(file, FileCol.FIRST_REFERENCE);
      const end = first + this.#tables.file(file, FileCol.REFERENCES);
      if (first < this.#tables.references.settledCount) continue;
      for (let reference = first; reference < end; reference++) {
        for (const target of this.targets(reference)) {
          const known = byTarget.get(target);
          if (known === undefined) byTarget.set(target, [reference]);
          else known.push(reference);
        }
      }
    }
    return byTarget;
  }
}
