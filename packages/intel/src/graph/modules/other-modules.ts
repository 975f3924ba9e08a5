import type { FileId } from '../../files/file-table.ts';
import type { ModuleFinder } from './module-finder.ts';
import { baseOf, folderOf, foldersUp, joinPath, nameOf } from './path-index.ts';

/** The first file of the folder that a Go import names: a package is a folder. */
export function findGoPackage(finder: ModuleFinder, path: string, specifier: string): FileId | undefined {
  const fileIn = (folder: string): FileId | undefined => {
    const files = finder.filesIn(folder, '.go');
    return files.find((file) => !finder.paths.path(file).endsWith('_test.go')) ?? files[0];
  };
  for (const folder of finder.aliased(specifier, folderOf(path))) {
    const file = fileIn(folder);
    if (file !== undefined) return file;
  }
  // Without go.mod: the end of the specifier is a path. A standard package (`net/http`) begins with no host.
  if (!specifier.split('/')[0]!.includes('.')) return undefined;
  const parts = specifier.split('/');
  for (let at = 1; at < parts.length; at++) {
    const folder = finder.folderEnding(parts.slice(at).join('/'), folderOf(path));
    if (folder !== undefined) return fileIn(folder);
  }
  return undefined;
}

/** `#include`: beside the file, or by the end of the path. */
export function findInclude(finder: ModuleFinder, path: string, specifier: string): FileId | undefined {
  const clean = specifier.replace(/^[<"]|[>"]$/g, '');
  const beside = joinPath(folderOf(path), clean);
  const found = beside === undefined ? undefined : finder.file(beside);
  if (found !== undefined || clean.startsWith('..')) return found;
  // A system's header has a name of its own, such as `stdio.h`; a path of two names hardly ends alike by chance.
  return finder.ending(clean, [], folderOf(path));
}

/** `package:name/path`, or a path from the file. */
export function findDartLibrary(finder: ModuleFinder, path: string, specifier: string): FileId | undefined {
  if (specifier.startsWith('dart:')) return undefined;
  for (const target of finder.aliased(specifier, folderOf(path))) {
    const file = finder.file(target);
    if (file !== undefined) return file;
  }
  const packaged = /^package:([^/]+)\/(.+)$/.exec(specifier);
  if (packaged) return finder.ending(`${packaged[1]}/lib/${packaged[2]}`, [], folderOf(path));
  const joined = joinPath(folderOf(path), specifier);
  return joined === undefined ? undefined : finder.file(joined);
}

/** `require` of Ruby and Lua, `require` of PHP, `source` of shells: from the file, or by the end of the path. */
export function findRequired(
  finder: ModuleFinder,
  path: string,
  specifier: string,
  endings: readonly string[],
): FileId | undefined {
  const folder = folderOf(path);
  const clean = specifier.replace(/^\.?\//, '');
  for (const base of [joinPath(folder, specifier), clean]) {
    if (base === undefined || base === '') continue;
    const file = finder.file(base) ?? finder.module(base, endings, 'init');
    if (file !== undefined) return file;
  }
  const tail = clean.replace(/^(\.\.\/)+/, '').replace(/^(?:\$\w+|\$\{\w+\}|\$\(.*\))\//, '');
  if (/["'$`]/.test(tail) || tail === '') return undefined;
  return baseOf(tail) === tail ? finder.ending(tail, endings, folder) : finder.ending(tail, [], folder);
}

const RUST_ROOTS = ['lib', 'main', 'mod'];

/**
 * The file of a Rust path (`crate::a::b`, `super::c`, `a::b` of a module of the file or of another crate): of the longest
 * beginning that is one.
 */
export function findRustModule(finder: ModuleFinder, path: string, specifier: string): FileId | undefined {
  const parts = specifier.split(/::|\./).filter((part) => part !== '');
  const own = modulesOf(path);
  let folder: string | undefined;
  let rest = parts;
  if (parts[0] === 'crate') {
    folder = crateOf(finder, path);
    rest = parts.slice(1);
  } else if (parts[0] === 'self' || parts[0] === 'super') {
    folder = own;
    while (rest[0] === 'self' || rest[0] === 'super') {
      if (rest[0] === 'super') folder = folder === '' ? undefined : folderOf(folder ?? '');
      rest = rest.slice(1);
    }
  } else {
    for (const target of finder.aliased(parts[0] ?? '', folderOf(path))) {
      if (finder.file(target) !== undefined) folder ??= folderOf(target);
    }
    if (folder === undefined) folder = own;
    else rest = parts.slice(1);
  }
  if (folder === undefined) return undefined;
  return deepest(finder, folder, rest, parts[0] !== rest[0]);
}

/** The file of the longest beginning of a path of modules below a folder; the folder's own one when none is. */
function deepest(finder: ModuleFinder, folder: string, parts: readonly string[], orSelf: boolean): FileId | undefined {
  for (let count = parts.length; count > 0; count--) {
    const base = [folder, ...parts.slice(0, count)].filter((part) => part !== '').join('/');
    const file = finder.module(base, ['.rs'], 'mod');
    if (file !== undefined) return file;
  }
  if (!orSelf) return undefined;
  for (const root of RUST_ROOTS) {
    const file = finder.base(folder === '' ? root : `${folder}/${root}`, ['.rs']);
    if (file !== undefined) return file;
  }
  return folder === '' ? undefined : finder.base(folder, ['.rs']);
}

/** The folder in which the modules of a file lie. */
function modulesOf(path: string): string {
  const stem = nameOf(baseOf(path));
  return RUST_ROOTS.includes(stem) ? folderOf(path) : baseOf(path);
}

/** The folder of the crate's root above a file. */
function crateOf(finder: ModuleFinder, path: string): string | undefined {
  for (const folder of foldersUp(folderOf(path))) {
    if (finder.hasFile(folder, 'lib') || finder.hasFile(folder, 'main')) return folder;
  }
  return undefined;
}
