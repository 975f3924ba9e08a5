import { isModuleConfig, type ModuleAlias, moduleAliasesOf } from '../graph/modules/module-aliases.ts';
import type { FileTable } from './file-table.ts';

export interface ModuleNamesOptions {
  files: FileTable;
  /** Its module names are set; it sees for itself whether they are others than before. */
  graph: { moduleAliases: readonly ModuleAlias[] };
  /** The text of a file; undefined where it cannot be read any more. */
  readText(path: string): string | undefined;
}

/** Keeps the module names that the graph resolves imports with as the workspace's own files (package.json …) declare them. */
export class ModuleNames {
  readonly #options: ModuleNamesOptions;
  #isDue = false;

  constructor(options: ModuleNamesOptions) {
    this.#options = options;
  }

  /** A file was read, or is gone. */
  fileChanged(path: string): void {
    this.#isDue ||= isModuleConfig(path);
  }

  /** Reads all declarations again if one may have changed. @returns whether the graph was given other names. */
  update(): boolean {
    if (!this.#isDue) return false;
    this.#isDue = false;
    const { files, graph, readText } = this.#options;
    const before = graph.moduleAliases;
    graph.moduleAliases = [...files.ids()]
      .map((id) => files.path(id))
      .filter(isModuleConfig)
      .sort()
      .flatMap((path) => moduleAliasesOf(path, readText(path) ?? ''));
    return graph.moduleAliases !== before;
  }
}
