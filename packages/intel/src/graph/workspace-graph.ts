import { BlackError } from '@black-ide/protocol';
import type { FileId, FileTable } from '../files/file-table.ts';
import type { Layer, ParsedFile } from '../files/layer.ts';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import type {
  Certainty,
  CodeGraph,
  CodeReference,
  CodeSymbol,
  FindOptions,
  Impact,
  ImpactedSymbol,
  ImportEdge,
  SymbolId,
} from './code-graph-api.ts';
import type { ModuleAlias } from './modules/module-aliases.ts';
import { callPath } from './queries/call-path.ts';
import { deadCode } from './queries/dead-code.ts';
import { fileEdges, usesOf } from './queries/file-edges.ts';
import { findDefinition, symbolAt } from './queries/find-definition.ts';
import { findSymbols } from './queries/find-symbols.ts';
import { GraphView } from './queries/graph-view.ts';
import { impactOf, testsOf } from './queries/impact.ts';
import { importersOf, importsOf } from './queries/imports.ts';
import { implementationsOf } from './queries/overrides.ts';
import { calleesOf, callersOf, referencesTo } from './queries/references.ts';
import { Resolution } from './resolution.ts';
import { loadGraph, saveGraph } from './snapshot.ts';
import { FileCol } from './tables/columns.ts';

/** The code graph of a workspace: kept up to date file by file, asked at any time. */
export class WorkspaceGraph implements Layer, CodeGraph {
  readonly #files: FileTable;
  #resolution: Resolution;

  constructor(files: FileTable) {
    this.#files = files;
    this.#resolution = new Resolution(files);
  }

  put(id: FileId, { facts }: ParsedFile): void {
    this.#resolution.put(id, facts);
  }

  remove(id: FileId): void {
    this.#resolution.remove(id);
  }

  /**
   * The ways in which imports name modules, as the projects of the workspace declare them (see `moduleAliasesOf`). They are
   * stored with the graph.
   */
  get moduleAliases(): readonly ModuleAlias[] {
    return this.#resolution.aliases;
  }

  set moduleAliases(aliases: readonly ModuleAlias[]) {
    if (JSON.stringify(aliases) !== JSON.stringify(this.#resolution.aliases)) this.#resolution.aliases = aliases;
  }

  settle(): Generator<void, void, void> {
    return this.#resolution.settle();
  }

  staleCount() {
    return this.#resolution.staleCount;
  }
  get unsettled(): number {
    return this.#resolution.unsettled;
  }

  /** @throws BlackError `not_settled` */
  save(writer: SectionWriter): void {
    const graph = this.#resolution.settled;
    if (graph === undefined) {
      throw new BlackError(
        'not_settled',
        'The graph has changes that are not merged.',
        'Run settle() to its end first.',
      );
    }
    saveGraph(writer, graph);
    writer.value('moduleAliases', this.moduleAliases);
  }

  load(reader: SectionReader): void {
    const resolution = new Resolution(this.#files);
    resolution.adopt(loadGraph(reader), reader.value('moduleAliases') as ModuleAlias[]);
    this.#resolution = resolution;
  }

  get symbolCount(): number {
    return this.#resolution.tables.symbolCount;
  }

  get referenceCount(): number {
    return this.#resolution.tables.referenceCount;
  }

  symbol(id: SymbolId): CodeSymbol {
    return this.#view().symbol(this.#checked(id));
  }

  find(query: string, options?: FindOptions): SymbolId[] {
    return findSymbols(this.#fresh(), query, options);
  }

  symbolsOf(file: FileId): SymbolId[] {
    const { tables } = this.#resolution;
    if (!tables.has(file)) return [];
    const first = tables.file(file, FileCol.FIRST_SYMBOL);
    return Array.from({ length: tables.file(file, FileCol.SYMBOLS) }, (_, row) => first + row);
  }

  symbolAt(file: FileId, line: number): SymbolId | undefined {
    return this.#resolution.tables.has(file) ? symbolAt(this.#view(), file, line) : undefined;
  }

  references(id: SymbolId): CodeReference[] {
    return referencesTo(this.#fresh(), this.#checked(id));
  }

  callers(id: SymbolId): CodeReference[] {
    return callersOf(this.#fresh(), this.#checked(id));
  }

  callees(id: SymbolId): CodeReference[] {
    return calleesOf(this.#fresh(), this.#checked(id));
  }

  definition(file: FileId, line: number, column: number): { to: SymbolId[]; certainty: Certainty } | undefined {
    return this.#resolution.tables.has(file) ? findDefinition(this.#fresh(), file, line, column) : undefined;
  }

  implementations(id: SymbolId): SymbolId[] {
    return implementationsOf(this.#fresh(), this.#checked(id));
  }

  imports(file: FileId): ImportEdge[] {
    return this.#resolution.tables.has(file) ? importsOf(this.#fresh(), file) : [];
  }

  importers(file: FileId): ImportEdge[] {
    return this.#resolution.tables.has(file) ? importersOf(this.#fresh(), file) : [];
  }

  impact(id: SymbolId, options?: { depth?: number; limit?: number; signal?: AbortSignal }): Impact {
    return impactOf(this.#fresh(), this.#checked(id), options);
  }

  path(from: SymbolId, to: SymbolId): SymbolId[] | undefined {
    return callPath(this.#fresh(), this.#checked(from), this.#checked(to));
  }

  testsOf(id: SymbolId, options?: { depth?: number; limit?: number }): ImpactedSymbol[] {
    return testsOf(this.#fresh(), this.#checked(id), options);
  }

  deadCode(options?: { path?: string; limit?: number }): SymbolId[] {
    return deadCode(this.#fresh(), options);
  }

  fileEdges(): { from: Int32Array; to: Int32Array; weight: Float32Array } {
    return fileEdges(this.#fresh());
  }

  usesOf(file: FileId): Int32Array {
    return this.#resolution.tables.has(file) ? usesOf(this.#fresh(), file) : new Int32Array();
  }

  /** With everything resolved. */
  #fresh(): GraphView {
    this.#resolution.freshenNow();
    return this.#view();
  }

  #view(): GraphView {
    return new GraphView(this.#resolution.tables, this.#resolution.uses, this.#files);
  }

  #checked(id: SymbolId): SymbolId {
    const { tables } = this.#resolution;
    if (Number.isInteger(id) && id >= 0 && id < tables.symbols.count && tables.isLiveSymbol(id)) return id;
    throw new BlackError('unknown_symbol', `There is no symbol ${id} any more.`, 'Find it again by its name.');
  }
}
