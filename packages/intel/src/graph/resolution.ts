import type { FileId, FileTable } from '../files/file-table.ts';
import { ImportFlag, type FileFacts } from '../parsing/file-facts.ts';
import type { SymbolId } from './code-graph-api.ts';
import type { ModuleAlias } from './modules/module-aliases.ts';
import { ModuleFinder } from './modules/module-finder.ts';
import { PathIndex } from './modules/path-index.ts';
import type { NameId } from './names/name-table.ts';
import { Basis } from './resolve/basis.ts';
import { resolversOf } from './resolve/resolvers-of.ts';
import { Trace } from './resolve/trace.ts';
import { FileCol, Imp } from './tables/columns.ts';
import { encodeFile } from './tables/encode-file.ts';
import { compareInterfaces, type FileInterface, importsOf, interfaceOf } from './tables/file-interface.ts';
import type { GraphTables } from './tables/graph-tables.ts';
import type { LookupIndex } from './tables/lookup-index.ts';
import type { UseIndex } from './tables/use-index.ts';

/**
 * Keeps references resolved while files come and go. A change makes stale the file itself and every file that looked up a
 * name that the change gave another meaning; stale files are resolved when somebody asks. So after any changes each answer
 * is the one that a graph built anew would give.
 */
export class Resolution {
  readonly tables: GraphTables;
  readonly uses: UseIndex;
  readonly lookups: LookupIndex;
  readonly #files: FileTable;
  readonly #trace = new Trace();
  #aliases: readonly ModuleAlias[];
  #paths: PathIndex | undefined;
  #resolvers: ReturnType<typeof resolversOf> | undefined;
  readonly #stale = new Set<FileId>();
  readonly #staleImports = new Set<FileId>();
  /** What files handed on before their imports became stale. */
  readonly #handedOn = new Map<FileId, Map<NameId, number>>();
  /** Counts changes. */
  version = 0;

  constructor(
    files: FileTable,
    tables: GraphTables,
    uses: UseIndex,
    lookups: LookupIndex,
    aliases: readonly ModuleAlias[],
  ) {
    this.#files = files;
    this.tables = tables;
    this.uses = uses;
    this.lookups = lookups;
    this.#aliases = aliases;
  }

  get aliases(): readonly ModuleAlias[] {
    return this.#aliases;
  }

  set aliases(aliases: readonly ModuleAlias[]) {
    this.#aliases = aliases;
    this.#changed();
    for (const file of this.#files.ids()) if (this.tables.has(file)) this.#makeStale(file);
  }

  put(file: FileId, facts: FileFacts): void {
    const path = this.#files.path(file);
    const before = this.#before(file);
    const isNew = !this.tables.has(file);
    this.#changed();
    this.tables.put(file, path, encodeFile(file, facts, this.tables.names));
    this.#paths?.add(file, path);
    if (before !== undefined) this.#compare(file, before, isNew);
    this.uses.touch(file);
    this.#stale.add(file);
    this.#staleImports.add(file);
  }

  remove(file: FileId): void {
    if (!this.tables.has(file)) return;
    const before = this.#before(file);
    const handedOn = this.#handedOn.get(file);
    const whole = this.tables.wholeName(file);
    const [stem, folder] = [this.tables.file(file, FileCol.STEM), this.tables.file(file, FileCol.FOLDER)];
    this.#changed();
    if (before !== undefined) {
      this.#spread([...before.names.keys(), ...(handedOn?.keys() ?? []), stem, folder]);
      this.#spread(this.#wholesAbove(file, whole));
    }
    this.tables.remove(file);
    this.#paths?.remove(file);
    this.#stale.delete(file);
    this.#staleImports.delete(file);
    this.#handedOn.delete(file);
    this.uses.touch(file);
  }

  /** Resolves whatever is stale, in slices. */
  *freshen(): Generator<void, void, void> {
    if (this.#stale.size === 0) return;
    this.#resolvers ??= this.#makeResolvers();
    const { imports, references } = this.#resolvers;
    for (const file of this.#staleImports) {
      this.#staleImports.delete(file);
      const before = this.#handedOn.get(file);
      this.#handedOn.delete(file);
      this.tables.unsettle(file);
      ...
    }
  }
}
