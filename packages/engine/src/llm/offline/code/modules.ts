import type { Hit } from '../results/grep-result.ts';
import { isImport } from './definitions.ts';
import { extension, stemOf } from './file-kind.ts';
import { mentions } from './occurrences.ts';

/** What a file is called by those that import it: `index.ts` and `__init__.py` go by their folder's name. */
export function moduleName(path: string): string {
  const stem = stemOf(path);
  return /^(?:index|mod|__init__)$/.test(stem) ? (path.split('/').at(-2) ?? stem) : stem;
}

/** True for a line that imports this file, judged by the path that it names; of two of one name only the right one. */
export function importsModule(hit: Hit, file: string): boolean {
  const target = withoutEnding(file);
  if (withoutEnding(hit.path) === target && hit.path.endsWith(file)) return false;
  if (/^pyi?$/.test(extension(hit.path))) return pythonModules(hit).some((each) => sameModule(each, target));
  if (/^(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(extension(hit.path)))
    return scriptModules(hit).some((each) => sameModule(each, target));
  return isImport(hit.text) && mentions(hit.text, moduleName(file));
}

function withoutEnding(path: string): string {
  return path
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?:\.d)?\.[A-Za-z0-9]+$/, '')
    .replace(/\/(?:index|__init__|mod)$/, '');
}

/** One may be told from further up than the other: `requests/compat` and `src/requests/compat`. */
function sameModule(module: string, target: string): boolean {
  return module === target || target.endsWith(`/${module}`) || module.endsWith(`/${target}`);
}

/** The paths that a line of JavaScript imports, from the workspace's root where they are relative. */
function scriptModules({ path, text }: Hit): string[] {
  const quoted =
    /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*|\bexport\b.*\bfrom\s*)(["'`])([^"'`]+)\1/g;
  return Array.from(text.matchAll(quoted), ([, , specifier]) =>
    withoutEnding(specifier!.startsWith('.') ? joined(path, specifier!) : specifier!.replace(/^[@~#]\//, '')),
  );
}

/** The modules that a line of Python imports, as paths. */
function pythonModules({ path, text }: Hit): string[] {
  const from = /^\s*from\s+(\.*)([\w.]*)\s+import\s+(.*)$/.exec(text);
  if (from) {
    const [, dots, name, rest] = from;
    const below = name!.replaceAll('.', '/');
    const base = dots ? joined(path, `${dots.length > 1 ? '../'.repeat(dots.length - 1) : './'}${below}`) : below;
    const names = rest!
      .replace(/#.*/, '')
      .split(/[,()\s]+/)
      .filter((each) => /^\w+$/.test(each) && each !== 'as');
    // `from . import compat` names the module itself, `from .compat import x` does in front.
    return [...(name ? [base] : []), ...names.map((each) => `${base.replace(/\/$/, '')}/${each}`)];
  }
  const plain = /^\s*import\s+(.+)$/.exec(text);
  return plain
    ? plain[1]!
        .replace(/#.*/, '')
        .split(',')
        .map((each) => each.trim().split(/\s+/)[0]!.replaceAll('.', '/'))
    : [];
}

/** A relative path, from the folder of a file. */
function joined(file: string, relative: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
