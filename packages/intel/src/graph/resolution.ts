import type { FileId, FileTable } from '../files/file-table.ts';
import { type FileFacts, ImportFlag } from '../parsing/file-facts.ts';
import type { ModuleAlias } from './modules/module-aliases.ts';
import { ModuleFinder } from './modules/module-finder.ts';
import { PathIndex } from './modules/path-index.ts';
import type { NameId } from './names/name-table.ts';
import { Basis } from './resolve/basis.ts';
import { MOST_OF_A_NAME } from './resolve/candidates.ts';
import { rulesOf } from './resolve/language-rules.ts';
import { type Resolvers, resolversOf } from './resolve/resolvers-of.ts';
import { Trace } from './resolve/trace.ts';
import { FILE_WIDTH, FileCol, Imp, Sym } from './tables/columns.ts';
import { type Csr, EMPTY_CSR } from './tables/csr.ts';
import { encodeFile } from './tables/encode-file.ts';
import { compareInterfaces, differences, type FileInterface, importsOf, interfaceOf } from './tables/file-interface.ts';
import { GraphTables, noTables, pathName, type SettledTables } from './tables/graph-tables.ts';
import { LookupIndex, type LookupTables, NO_LOOKUPS } from './tables/lookup-index.ts';
import { mergeTables } from './tables/merge-tables.ts';
import { UseIndex } from './tables/use-index.ts';

/** References that are resolved between two looks at the clock. */
const STEP = 200;
/** Milliseconds of work between two yields. */
const SLICE_MS = 4;

const NO_INTERFACE: FileInterface = { names: new Map(), everywhere: new Map(), symbols: new Map() };

/**
 * Keeps references resolved while files come and go. A change makes stale the file itself and every file that looked up a
 * name that the change gave another meaning; stale files are resolved when somebody asks. So after any changes each answer
 * is the one that a graph built anew would give.
 */
export class Resolution {
  #tables: GraphTables;
  #uses: UseIndex;
  #lookups = new LookupIndex();
  readonly #files: FileTable;
  readonly #trace = new Trace();
  #aliases: readonly ModuleAlias[] = [];
  #paths: PathIndex | undefined;
  #resolvers: Resolvers | undefined;
  readonly #stale = new Set<FileId>();
  readonly #staleImports = new Set<FileId>();
  /** Of files whose imports are stale: what they handed on when others looked last. */
  readonly #handedOn = new Map<FileId, Map<NameId, number>>();
  /** Of files whose references are stale: what their imports looked up. */
  readonly #importLooks = new Map<FileId, readonly number[]>();
  /** Files that are not in the settled form as they are. */
  readonly #unsettled = new Set<FileId>();
  /** Counts changes, and runs of `freshen`: whoever was interrupted by one begins again. */
  #epoch = 0;
  #settled: SettledGraph = { tables: noTables(), uses: EMPTY_CSR, lookups: NO_LOOKUPS };

  constructor(files: FileTable) {
    this.#files = files;
    this.#tables = new GraphTables(this.#settled.tables);
    this.#uses = new UseIndex(this.#tables);
  }

  get tables(): GraphTables {
    return this.#tables;
  }

  get uses(): UseIndex {
    return this.#uses;
  }

  get staleCount() {
    return this.#stale.size;
  }
  /** How many files are not settled as they are. */
  get unsettled(): number {
    return this.#stale.size === 0 ? this.#unsettled.size : new Set([...this.#unsettled, ...this.#stale]).size;
  }

  /** Everything; undefined while something is not settled. */
  get settled(): SettledGraph | undefined {
    return this.unsettled === 0 ? this.#settled : undefined;
  }

  get aliases(): readonly ModuleAlias[] {
    return this.#aliases;
  }

  set aliases(aliases: readonly ModuleAlias[]) {
    this.#aliases = aliases;
    this.#changed();
    for (let file = 0; file < this.#tables.fileCount; file++) this.#makeStale(file);
  }

  put(file: FileId, facts: FileFacts): void {
    const path = this.#files.path(file);
    const isNew = !this.#tables.has(file);
    const before = this.#noteInterface(file);
    this.#changed();
    this.#tables.put(file, path, encodeFile(file, facts, this.#tables.names));
    this.#paths?.add(file, path);
    if (before !== undefined) {
      const now = this.#interfaceOf(file);
      const { names, everywhere, moved } = compareInterfaces(before, now);
      this.#uses.move(moved);
      this.#spread(file, names);
      this.#spreadEverywhere(this.#meaningful(file, everywhere, before, now));
      if (isNew) this.#spreadEverywhere(this.#pathNames(file));
    }
    this.#uses.touch();
    this.#unsettled.add(file);
    this.#stale.add(file);
    this.#staleImports.add(file);
  }

  remove(file: FileId): void {
    if (!this.#tables.has(file)) return;
    const before = this.#noteInterface(file);
    this.#changed();
    if (before !== undefined) {
      this.#spread(file, before.names.keys());
      this.#spreadEverywhere(this.#meaningful(file, before.everywhere.keys(), before, NO_INTERFACE));
      this.#spread(file, this.#handedOn.get(file)?.keys() ?? []);
      this.#spreadEverywhere(this.#wholesAbove(file));
      this.#spreadEverywhere(this.#pathNames(file));
    }
    this.#tables.remove(file);
    this.#paths?.remove(file);
    this.#uses.touch();
    this.#unsettled.add(file);
    for (const known of [this.#stale, this.#staleImports, this.#handedOn, this.#importLooks]) known.delete(file);
  }

  /** Resolves what is stale, in slices. */
  *freshen(): Generator<void, void, void> {
    if (this.#stale.size > 0) yield* inSlices(this.#freshenInSteps());
  }

  /** Resolves what is stale at once. */
  freshenNow(): void {
    if (this.#stale.size === 0) return;
    for (const _ of this.#freshenInSteps());
  }

  /** Resolves what is stale, and copies everything into tables without gaps. */
  *settle(): Generator<void, void, void> {
    while (this.#unsettled.size > 0 || this.#stale.size > 0) {
      yield* this.freshen();
      // What they remember takes more memory than the tables.
      this.#resolvers = undefined;
      const epoch = this.#epoch;
      const merging = inSlices(this.#merge());
      for (;;) {
        const { done, value } = merging.next();
        if (this.#epoch !== epoch) break;
        if (done) {
          this.adopt(value);
          return;
        }
        yield;
      }
    }
  }

  /** Takes tables that are settled in place of what is known. */
  adopt(graph: SettledGraph, aliases = this.#aliases): void {
    const { tables, uses, lookups } = graph;
    this.#settled = graph;
    this.#aliases = aliases;
    this.#tables = new GraphTables(tables);
    this.#uses = new UseIndex(this.#tables, uses);
    this.#lookups = new LookupIndex(lookups);
    this.#unsettled.clear();
    this.#changed();
  }

  *#merge(): Generator<void, SettledGraph, void> {
    const { settled: tables, uses } = yield* mergeTables(this.#tables, this.#uses);
    const lookups = yield* this.#lookups.merge(tables.names.count, tables.files.length / FILE_WIDTH, (file) => {
      return this.#tables.has(file);
    });
    return { tables, uses, lookups };
  }

  *#freshenInSteps(): Generator<void, void, void> {
    this.#epoch++;
    while (this.#stale.size > 0) {
      for (const file of this.#staleImports) {
        this.#resolveImports(file);
        yield;
      }
      for (const file of this.#stale) {
        if (this.#staleImports.size > 0) break;
        yield* this.#resolveReferences(file);
      }
    }
  }

  #resolveImports(file: FileId): void {
    this.#staleImports.delete(file);
    this.#unsettle(file);
    this.#trace.start();
    this.#resolversNow().imports.resolve(file);
    this.#importLooks.set(file, this.#trace.looks);
    const before = this.#handedOn.get(file);
    if (before === undefined) return;
    this.#handedOn.delete(file);
    const changed = differences(before, this.#handsOn(file));
    if (changed.size === 0) return;
    this.#resolvers = undefined;
    this.#spread(file, changed);
    if (changed.has(this.#tables.wholeName(file))) this.#spreadEverywhere(this.#wholesAbove(file));
  }

  *#resolveReferences(file: FileId): Generator<void, void, void> {
    const epoch = this.#epoch;
    this.#unsettle(file);
    this.#trace.start(this.#importLooks.get(file));
    const { references } = this.#resolversNow();
    const first = this.#tables.file(file, FileCol.FIRST_REFERENCE);
    const end = first + this.#tables.file(file, FileCol.REFERENCES);
    for (let from = first; from < end; from += STEP) {
      references.resolve(file, from, Math.min(from + STEP, end));
      yield;
      // What was found is of a state that is no more; the file is still stale.
      if (this.#epoch !== epoch) return;
    }
    this.#stale.delete(file);
    this.#importLooks.delete(file);
    this.#lookups.set(file, this.#trace.end());
    this.#uses.add(file);
  }

  #unsettle(file: FileId): void {
    this.#unsettled.add(file);
    this.#tables.unsettle(file);
  }

  #makeStale(file: FileId): void {
    if (!this.#tables.has(file)) return;
    if (!this.#staleImports.has(file) && !this.#handedOn.has(file)) this.#handedOn.set(file, this.#handsOn(file));
    this.#stale.add(file);
    this.#staleImports.add(file);
  }

  /** Names mean something else in a file: those who looked them up there look again. */
  #spread(file: FileId, names: Iterable<NameId>): void {
    const lookers = new Set(this.#lookups.lookersAt(file));
    for (const name of names) {
      for (const each of this.#lookups.lookersFor(name)) if (lookers.has(each)) this.#makeStale(each);
    }
  }

  /** Without names that had too many meanings before and still have: nobody who looks for those finds anything. */
  *#meaningful(file: FileId, names: Iterable<NameId>, old: FileInterface, now: FileInterface): Generator<NameId> {
    const rules = rulesOf(this.#tables.file(file, FileCol.LANGUAGE));
    for (const name of names) {
      const others = this.#tables
        .symbolsNamed(name)
        .filter((symbol) => this.#tables.symbols.get(symbol, Sym.FILE) !== file);
      const least = others.length + Math.min(old.symbols.get(name)?.length ?? 0, now.symbols.get(name)?.length ?? 0);
      if (rules?.beyond !== 'imports' || rules.fullNames || least <= MOST_OF_A_NAME) yield name;
    }
  }

  #spreadEverywhere(names: Iterable<NameId>): void {
    for (const name of names) for (const each of this.#lookups.lookersEverywhere(name)) this.#makeStale(each);
  }

  /** What others may have seen of a file that is about to change; undefined where nobody has looked at anything yet. */
  #noteInterface(file: FileId): FileInterface | undefined {
    if (this.#lookups.isEmpty) return undefined;
    const isKnown = this.#tables.has(file);
    if (!this.#staleImports.has(file)) this.#handedOn.set(file, isKnown ? this.#handsOn(file) : new Map());
    return isKnown ? this.#interfaceOf(file) : NO_INTERFACE;
  }

  #interfaceOf(file: FileId): FileInterface {
    const rules = rulesOf(this.#tables.file(file, FileCol.LANGUAGE));
    return interfaceOf(file, this.#tables, rules?.fullNames ?? false);
  }

  #handsOn(file: FileId): Map<NameId, number> {
    return importsOf(file, this.#tables, this.#tables.wholeName(file));
  }

  #pathNames(file: FileId): NameId[] {
    return [this.#tables.file(file, FileCol.STEM), this.#tables.file(file, FileCol.FOLDER)];
  }

  /** The names for all that a file hands on, and for what those hand on that import it whole. */
  #wholesAbove(file: FileId): NameId[] {
    const above = new Map<FileId, FileId[]>();
    for (let each = 0; each < this.#tables.fileCount; each++) {
      if (!this.#tables.has(each)) continue;
      const first = this.#tables.file(each, FileCol.FIRST_IMPORT);
      for (let row = first; row < first + this.#tables.file(each, FileCol.IMPORTS); row++) {
        const target = this.#tables.imports.get(row, Imp.TARGET);
        if (target < 0 || (this.#tables.imports.get(row, Imp.FLAGS) & ImportFlag.WILDCARD) === 0) continue;
        const known = above.get(target);
        if (known === undefined) above.set(target, [each]);
        else known.push(each);
      }
    }
    const files = new Set([file]);
    for (const each of files) for (const importer of above.get(each) ?? []) files.add(importer);
    return Array.from(files, (each) => this.#tables.wholeName(each));
  }

  #changed(): void {
    this.#epoch++;
    this.#resolvers = undefined;
    // Of what their imports looked up nobody knows yet: whether this change concerns them can't be told.
    for (const file of this.#importLooks.keys()) this.#makeStale(file);
    this.#importLooks.clear();
  }

  #resolversNow(): Resolvers {
    if (this.#resolvers !== undefined) return this.#resolvers;
    if (this.#paths === undefined) {
      this.#paths = new PathIndex();
      for (const file of this.#files.ids()) if (this.#tables.has(file)) this.#paths.add(file, this.#files.path(file));
    }
    const finder = new ModuleFinder(this.#paths, this.#aliases, (name) => {
      this.#trace.noteEverywhere(this.#tables.names.intern(pathName(name)));
    });
    this.#resolvers = resolversOf(new Basis(this.#tables, finder, this.#trace));
    return this.#resolvers;
  }
}

/** What `settle` makes, and what is stored. */
export interface SettledGraph {
  tables: SettledTables;
  uses: Csr;
  lookups: LookupTables;
}

/** Hands on only those yields that come a few milliseconds after the last one. */
function* inSlices<T>(steps: Generator<void, T, void>): Generator<void, T, void> {
  let start = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - start < SLICE_MS) continue;
    yield;
    start = performance.now();
  }
}
