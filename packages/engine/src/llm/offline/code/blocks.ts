import { isComment } from './definitions.ts';
import { extension } from './file-kind.ts';

/** Which lines of a file are known, by 1-based number. */
export type KnownLines = ReadonlyMap<number, string>;

/**
 * The last line of the block that begins on a line, by braces or, where the language has none, by indentation; never
 * more than `most` lines. Braces in strings are counted too: good enough to choose an excerpt.
 */
export function blockEnd(lines: KnownLines, start: number, path: string, most: number): number {
  const first = lines.get(start);
  if (first === undefined) return start;
  const byIndent = /^(?:py|pyi|rb|ex|exs|lua|yml|yaml|sh)$/.test(extension(path));
  const indent = indentOf(first);
  let depth = 0;
  let opened = false;
  let end = start;
  for (let at = start; at < start + most; at++) {
    const line = lines.get(at);
    if (line === undefined) break;
    if (byIndent) {
      // A signature over several lines closes its bracket at the indentation at which it began.
      if (at > start && depth <= 0 && line.trim() !== '' && indentOf(line) <= indent)
        return /^\s*end\b/.test(line) ? at : end;
      if (line.trim() !== '') end = at;
      depth += bracketsOn(line.replace(/(?:^|\s)#.*$/, '').replace(/(["'])(?:\\.|(?!\1).)*\1/g, ''));
      continue;
    }
    end = at;
    opened ||= /[{([]/.test(line);
    depth += bracketsOn(line);
    // The members of a union, and a brace on a line of its own, still belong to it.
    const goesOn = /[=,(|&]\s*$/.test(line) || /^\s*(?:[|&](?![|&])|\{\s*$)/.test(lines.get(at + 1) ?? '');
    if (depth <= 0 && (opened ? !goesOn : /;\s*$/.test(line))) return at;
  }
  return end;
}

/** The first line of the comment, attributes and decorators directly above a line; the line itself where there is none. */
export function commentStart(lines: KnownLines, at: number, path: string): number {
  let start = at;
  for (let above = at - 1; lines.has(above); above--) {
    const line = lines.get(above)!;
    if (!isComment(line, path) && !/^\s*(?:@\w|#\[|\*\/)/.test(line)) break;
    start = above;
  }
  return start;
}

/** The words of the comment above a definition, or of the docstring below it, as one line; empty where there is none. */
export function docComment(lines: KnownLines, at: number, path: string): string {
  const above: string[] = [];
  for (let line = commentStart(lines, at, path); line < at; line++) above.push(lines.get(line)!);
  const text = above
    .filter((line) => isComment(line, path))
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|<!--)\s?/, '')
        .replace(/\s*(?:\*\/|-->)\s*$/, '')
        .trim(),
    )
    .filter((line) => !/^(?:biome-|eslint-|@ts-|prettier-|noqa|pylint|[-=*#]{3,}$)/.test(line));
  const joined = text.join(' ').replace(/\s+/g, ' ').trim();
  return joined || docString(lines, at, path);
}

function docString(lines: KnownLines, at: number, path: string): string {
  if (!/^pyi?$/.test(extension(path)) || !/^\s*(?:async\s+)?(?:def|class)\b/.test(lines.get(at) ?? '')) return '';
  let line = at;
  while (lines.has(line) && line < at + 12 && !/:\s*(?:#.*)?$/.test(lines.get(line)!)) line += 1;
  const opening = /^\s*[rbu]*("""|''')(.*)$/i.exec(lines.get(line + 1) ?? '');
  if (!opening) return '';
  const words: string[] = [];
  for (let next = line + 1; next < line + 20 && lines.has(next); next++) {
    const text = next === line + 1 ? opening[2]! : lines.get(next)!;
    const end = text.indexOf(opening[1]!);
    words.push((end >= 0 ? text.slice(0, end) : text).trim());
    if (end >= 0 || text.trim() === '') break;
  }
  return words.join(' ').replace(/\s+/g, ' ').trim();
}

/** The first sentence of a comment; tags such as `@param` and code end it. */
export function firstSentence(comment: string): string {
  const untagged = comment.split(/\s@\w+|```/)[0]!.trim();
  return /^.*?(?<!\b(?:i\.e|e\.g|etc|vs|cf))[.!?।](?=\s|$)/i.exec(untagged)?.[0] ?? untagged;
}

/** How many more brackets a line opens than it closes. */
function bracketsOn(line: string): number {
  return (line.match(/[{([]/g)?.length ?? 0) - (line.match(/[})\]]/g)?.length ?? 0);
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)![0].replaceAll('\t', '    ').length;
}
