import type { FileId } from '../../files/file-table.ts';
import { ImportFlag } from '../../parsing/file-facts.ts';
import { LANGUAGES } from '../../parsing/language.ts';
import { findJavaScriptModule } from '../modules/javascript-modules.ts';
import { findDartLibrary, findGoPackage, findInclude, findRequired, findRustModule } from '../modules/other-modules.ts';
import { folderOf } from '../modules/path-index.ts';
import { findPythonModule } from '../modules/python-modules.ts';
import { FileCol, Imp } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import { IS_MODULE } from './module-exports.ts';
import type { Packages } from './packages.ts';
import type { Remembered } from './trace.ts';
import { idOf, Tag, tagOf } from './values.ts';
import { NO_ARITY, Want } from './want.ts';

/** Finds the files that the imports of a file name and writes them into their rows. */
export class ImportResolver {
  readonly #basis: Basis;
  readonly #packages: Packages;
  /** Files that specifiers name, by folder and specifier: files of a folder import the same. */
  readonly #found = new Map<string, Remembered<FileId | undefined>>();

  constructor(basis: Basis, packages: Packages) {
    this.#basis = basis;
    this.#packages = packages;
  }

  /** The rows of the file must be ones that may be written to. */
  resolve(file: FileId): void {
    const { tables } = this.#basis;
    const first = tables.file(file, FileCol.FIRST_IMPORT);
    for (let row = first; row < first + tables.file(file, FileCol.IMPORTS); row++) {
      const specifier = tables.imports.get(row, Imp.SPECIFIER);
      const flags = tables.imports.get(row, Imp.FLAGS) & ~IS_MODULE;
      tables.imports.set(row, Imp.FLAGS, flags);
      if (specifier < 0 || (flags & ImportFlag.PACKAGE) !== 0) continue;
      tables.imports.set(row, Imp.TARGET, this.#target(file, row, tables.names.text(specifier)) ?? -1);
    }
  }

  #target(file: FileId, row: number, specifier: string): FileId | undefined {
    const { finder, tables } = this.#basis;
    const path = finder.paths.path(file);
    switch (LANGUAGES[tables.file(file, FileCol.LANGUAGE)]) {
      case 'typescript':
      case 'tsx':
      case 'javascript':
        return this.#remembered(path, specifier, () => findJavaScriptModule(finder, path, specifier));
      case 'python':
        return this.#pythonTarget(path, row, specifier);
      case 'go':
        return findGoPackage(finder, path, specifier);
      case 'rust':
        return findRustModule(finder, path, specifier);
      case 'c':
      case 'cpp':
        return findInclude(finder, path, specifier);
      case 'dart':
        return findDartLibrary(finder, path, specifier);
      case 'ruby':
        return findRequired(finder, path, specifier, ['.rb']);
      case 'lua':
        return findRequired(finder, path, specifier.replaceAll('.', '/'), ['.lua']);
      case 'bash':
        return findRequired(finder, path, specifier, ['.sh', '.bash']);
      case 'php':
        return /\.(?:php|inc)$/.test(specifier)
          ? findRequired(finder, path, specifier, ['.php'])
          : this.#packageTarget(file, row);
      default:
        return this.#packageTarget(file, row);
    }
  }

  /** `from a.b import c`: where a.b has no file, c is one. */
  #pythonTarget(path: string, row: number, specifier: string): FileId | undefined {
    const { finder, tables } = this.#basis;
    const found = this.#remembered(path, specifier, () => findPythonModule(finder, path, specifier));
    const imported = tables.imports.get(row, Imp.IMPORTED);
    if (found !== undefined || imported < 0) return found;
    const name = tables.names.text(imported);
    if (name === '*') return undefined;
    const module = findPythonModule(finder, path, /^\.+$/.test(specifier) ? specifier + name : `${specifier}.${name}`);
    if (module !== undefined) {
      tables.imports.set(row, Imp.FLAGS, tables.imports.get(row, Imp.FLAGS) | IS_MODULE);
    }
    return module;
  }

  #remembered(path: string, specifier: string, find: () => FileId | undefined): FileId | undefined {
    const { trace } = this.#basis;
    const key = `${folderOf(path)}\n${specifier}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = trace.remember(find);
      this.#found.set(key, found);
    } else trace.noteAll(found.looks);
    return found.result;
  }

  /** The file of what is imported from a package. */
  #packageTarget(file: FileId, row: number): FileId | undefined {
    const { tables } = this.#basis;
    const imported = tables.imports.get(row, Imp.IMPORTED);
    const name = imported >= 0 && tables.names.text(imported) === '*' ? -1 : imported;
    const value = this.#packages.imported(file, tables.imports.get(row, Imp.SPECIFIER), name, Want.TYPE, NO_ARITY);
    return tagOf(value) === Tag.SYMBOL ? this.#basis.fileOf(idOf(value)) : undefined;
  }
}
