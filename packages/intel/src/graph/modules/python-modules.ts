import type { FileId } from '../../files/file-table.ts';
import type { ModuleFinder } from './module-finder.ts';
import { folderOf, foldersUp } from './path-index.ts';

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
    if (file !== undefined && (root === folder || !finder.hasFile(root, INIT))) return file;
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
  for (const end of [path, `${path}/${INIT}`]) {
    const file = finder.ending(end, ENDINGS, folder);
    if (file === undefined) continue;
    const own = finder.paths.path(file);
    const root = own.slice(0, own.length - end.length - (own.endsWith('.pyi') ? 5 : 4));
    if (!finder.hasFile(root, INIT)) return file;
  }
  return undefined;
}
