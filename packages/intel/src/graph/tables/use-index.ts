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
  /** References by target, of those that were resolved since the settling; also such as are no more. */
  readonly #added = new Map<SymbolId, number[]>();
  /** Files whose references are resolved and not in `#added` yet: a whole workspace is settled before anybody asks. */
  readonly #waiting = new Set<FileId>();
  /** Whether there may be references that are no more. */
  #isChanged = false;

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
  }

  /** Rows of a file are new, or gone. */
  touch(): void {
    this.#isChanged = true;
  }

  /** The references of a file are resolved. */
  add(file: FileId): void {
    this.#isChanged = true;
    this.#waiting.add(file);
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

  /** References to a symbol. */
  uses(symbol: SymbolId): number[] {
    this.#addWaiting();
    const found: number[] = [];
    const added = new Set<number>();
    for (let each: SymbolId | undefined = symbol; each !== undefined; each = this.#movedFrom.get(each)) {
      for (const reference of this.#added.get(each) ?? []) added.add(reference);
      if (each >= this.#settled.starts.length - 1) continue;
      const end = this.#settled.starts[each + 1]!;
      for (let at = this.#settled.starts[each]!; at < end; at++) found.push(this.#settled.values[at]!);
    }
    if (!this.#isChanged) return found;
    const live = found.filter((reference) => this.#isLive(reference));
    // Rows that were added are resolved again where they are.
    for (const reference of added) {
      if (this.#isLive(reference) && this.targets(reference).includes(symbol)) live.push(reference);
    }
    return live;
  }

  /** How many references a symbol has. */
  count(symbol: SymbolId): number {
    return !this.#isChanged && symbol < this.#settled.starts.length - 1
      ? this.#settled.starts[symbol + 1]! - this.#settled.starts[symbol]!
      : this.uses(symbol).length;
  }

  #addWaiting(): void {
    for (const file of this.#waiting) {
      if (!this.#tables.has(file)) continue;
      const first = this.#tables.file(file, FileCol.FIRST_REFERENCE);
      for (let reference = first; reference < first + this.#tables.file(file, FileCol.REFERENCES); reference++) {
        for (const target of this.targets(reference)) {
          const known = this.#added.get(target);
          if (known === undefined) this.#added.set(target, [reference]);
          else known.push(reference);
        }
      }
    }
    this.#waiting.clear();
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
}
