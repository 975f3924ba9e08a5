import type { FileId } from '../../files/file-table.ts';
import type { ModuleFinder } from './module-finder.ts';
import { baseOf, folderOf, foldersUp } from './path-index.ts';

const ENDINGS = ['.py', '.pyi'];
const INIT = '__init__';

/** `a.b`, `.a`, `..`; found from the folder of the package, or from a folder that is none and may be on Python's path. */
export function findPythonModule(finder: ModuleFinder, path: string, specifier: string): FileId | undefined {
  const [, dots, name] = /^(\.*)(.*)$/.exec(specifier)!;
  const parts = name === '' ? [] : name!.split('.');
  let folder = folderOf(path);
  if (dots !== '') {
    for (let up = 1; up < dots!.length; up++) {
      if (folder === '') return undefined;
      folder = folderOf(folder);
    }
    return moduleAt(finder, [folder, ...parts].filter((part) => part !== '').join('/'));
  }
  for (const root of foldersUp(folder)) {
    const file = moduleAt(finder, [root, ...parts].filter((part) => part !== '').join('/'));
    if (file !== undefined && !finder.hasFile(root, INIT)) return file;
  }
  return elsewhere(finder, parts, folder);
}

/** A module of a package, where its `__init__` does not say. */
export function findPythonSubmodule(finder: ModuleFinder, path: string, name: string): FileId | undefined {
  return /(^|\/)__init__\.pyi?$/.test(path)
    ? moduleAt(finder, [folderOf(path), name].join('/').replace(/^\//, ''))
    : undefined;
}

function moduleAt(finder: ModuleFinder, path: string): FileId | undefined {
  return finder.module(path, ENDINGS, INIT);
}

/** Below another root than one of the folders above, such as `src` or the folder of another distribution. */
function elsewhere(finder: ModuleFinder, parts: readonly string[], folder: string): FileId | undefined {
  const path = parts.join('/');
  const module = finder.ending(path, ENDINGS, folder);
  if (module !== undefined && !finder.hasFile(rootOf(baseOf(finder.paths.path(module)), path), INIT)) return module;
  const found = finder.folderEnding(path, folder);
  if (found === undefined || finder.hasFile(rootOf(found, path), INIT)) return undefined;
  return finder.base(`${found}/${INIT}`, ENDINGS);
}

function rootOf(path: string, end: string): string {
  return path.slice(0, Math.max(0, path.length - end.length - 1));
}
