import type { FileId } from '../../files/file-table.ts';
import type { ModuleFinder } from './module-finder.ts';
import { folderOf, joinPath } from './path-index.ts';

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts', '.vue', '.svelte', '.json'];
const SCRIPT = /\.(?:[cm]?[jt]sx?)$/;

/** Node's and the bundlers' ways to find a module, for what lies in the workspace. */
export function findJavaScriptModule(finder: ModuleFinder, path: string, specifier: string): FileId | undefined {
  const folder = folderOf(path);
  const clean = specifier.replace(/[?#].*$/, '').replace(/^node:/, '\0');
  if (/^\.\.?(\/|$)/.test(clean)) {
    const joined = joinPath(folder, clean);
    return joined === undefined ? undefined : fileAt(finder, joined);
  }
  for (const target of finder.aliased(specifier, folder)) {
    const file = fileAt(finder, target);
    if (file !== undefined) return file;
  }
  // Without a mapping that says so: roots that are called so by custom.
  const custom = /^(?:[@~]\/|\/)(.+)/.exec(clean)?.[1] ?? (/^(?:src|app|lib)\//.test(clean) ? clean : undefined);
  if (custom === undefined) return undefined;
  return finder.ending(custom, SCRIPT.test(custom) ? [] : ENDINGS, folder);
}

function fileAt(finder: ModuleFinder, path: string): FileId | undefined {
  const exact = /\.[^./]+$/.test(path) ? finder.file(path) : undefined;
  if (exact !== undefined) return exact;
  // `./store.js` names what store.ts is compiled to.
  const compiled = SCRIPT.test(path) ? finder.base(path.replace(SCRIPT, ''), ENDINGS) : undefined;
  return compiled ?? finder.module(path, ENDINGS, 'index');
}
