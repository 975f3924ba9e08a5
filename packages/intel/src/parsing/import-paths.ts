import type { NamedImport } from './language-spec.ts';

/** How a language writes paths that are imported. */
export interface PathSyntax {
  /** Between two names: `.`, `::`, `\`. */
  link: string;
  /** What stands for all names. */
  wildcards: ReadonlySet<string>;
  /** Between a name and the one that it gets here, anchored on both sides. */
  alias: RegExp;
}

/**
 * What the paths of an import statement name: `a.b.C`, `a.b.*`, `a.b.{C, D as E, f.{G}}`, several of them between commas.
 *
 * @param paths the statement without the word that begins it and without `;`
 */
export function readImportPaths(paths: string, syntax: PathSyntax): NamedImport[] {
  return splitList(paths).flatMap((path) => readPath(path, '', syntax));
}

function readPath(written: string, prefix: string, syntax: PathSyntax): NamedImport[] {
  const { link, wildcards, alias } = syntax;
  const open = written.indexOf('{');
  if (open >= 0) {
    const close = written.lastIndexOf('}');
    const before = written.slice(0, open).trim();
    const path = before.endsWith(link) ? before.slice(0, -link.length) : before;
    const inner = written.slice(open + 1, close < 0 ? undefined : close);
    return splitList(inner).flatMap((each) => readPath(each, join(prefix, path, link), syntax));
  }
  const renamed = alias.exec(written);
  const path = join(prefix, (renamed ? written.slice(0, renamed.index) : written).trim(), link);
  const local = renamed?.[1];
  const at = path.lastIndexOf(link);
  const last = at < 0 ? path : path.slice(at + link.length);
  const specifier = at < 0 ? '' : path.slice(0, at);
  if (last === '' || !/[\p{L}_*]/u.test(last)) return [];
  if (wildcards.has(last)) return specifier === '' ? [] : [{ specifier, imported: '*', local: undefined }];
  // Rust's `a::{self}` is `a` itself.
  if (last === 'self' && specifier !== '') return readPath(local ? `${specifier} as ${local}` : specifier, '', syntax);
  if (specifier === '') return [{ specifier: last, imported: '*', local: local ?? last }];
  return [{ specifier, imported: last, local: local ?? last }];
}

function join(prefix: string, path: string, link: string): string {
  return prefix === '' || path === '' ? prefix + path : prefix + link + path;
}

/** The parts between commas that lie in no braces. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (at === text.length || (character === ',' && depth === 0)) {
      const part = text.slice(start, at).trim();
      if (part !== '') parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}
