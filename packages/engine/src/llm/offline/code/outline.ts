import { docComment, firstSentence } from './blocks.ts';
import { type Definition, definitionOn, isComment } from './definitions.ts';
import { extension } from './file-kind.ts';

export interface OutlineItem extends Definition {
  line: number;
  /** First sentence of its comment, or empty. */
  doc: string;
  /** Parameters as written, for a function on one line, or empty. */
  signature: string;
  /** True for members of another definition. */
  nested: boolean;
}

export interface Outline {
  /** First sentence of the comment at the top of the file, or empty. */
  about: string;
  items: OutlineItem[];
  /** What it imports, as written, each once. */
  imports: string[];
}

/** What a file holds, read from its lines alone: no parser, no guesses beyond what each line says. */
export function outlineOf(lines: ReadonlyMap<number, string>, path: string): Outline {
  const items: OutlineItem[] = [];
  const imports = new Set<string>();
  let fenced = false;
  for (const [line, text] of lines) {
    const markdown = /^mdx?$/.test(extension(path));
    if (markdown && /^\s*(?:```|~~~)/.test(text)) fenced = !fenced;
    if (fenced) continue;
    for (const name of importsOn(text, path)) imports.add(name);
    const definition = definitionOn(text, path);
    if (!definition || (isComment(text, path) && !markdown)) continue;
    const nested = /^\s/.test(text);
    if (nested && /^(?:const|let|var|key)$/.test(definition.kind)) continue;
    items.push({
      ...definition,
      line,
      nested,
      doc: firstSentence(docComment(lines, line, path)),
      signature: signatureOn(text, definition),
    });
  }
  return { about: aboutFile(lines, path, items[0]), items: dropLocal(items, path), imports: [...imports] };
}

/** Functions inside functions are details; members of classes and the like are not. */
function dropLocal(items: OutlineItem[], path: string): OutlineItem[] {
  const script = /^(?:[mc]?[jt]sx?|vue|svelte)$/.test(extension(path));
  return items.filter((item) => !item.nested || !script || item.kind === 'method');
}

function signatureOn(text: string, { name }: Definition): string {
  const at = text.indexOf(name) + name.length;
  const found = /^[^(=]{0,40}(?:=\s*(?:async\s*)?)?(\([^()]*(?:\([^()]*\)[^()]*)*\))/.exec(text.slice(at));
  return found && found[1]!.length <= 80 ? found[1]! : '';
}

/** The comment that opens a file, where it belongs to the file and not to the first definition. */
function aboutFile(lines: ReadonlyMap<number, string>, path: string, first: OutlineItem | undefined): string {
  let at = 1;
  while (/^(?:#!|\s*$|['"]use \w+['"]|<\?php)/.test(lines.get(at) ?? 'x')) at += 1;
  let end = at;
  while (isComment(lines.get(end) ?? '', path)) end += 1;
  if (end > at && first?.line !== end) return firstSentence(docComment(lines, end, path));
  const doc = /^pyi?$/.test(extension(path)) ? /^\s*(?:"""|''')(.+?)(?:"""|'''|$)/.exec(lines.get(at) ?? '') : null;
  return doc ? doc[1]!.trim() : '';
}

const IMPORTS: readonly RegExp[] = [
  /^\s*(?:import|export)\b[^'"]*?(?:from\s*)?['"]([^'"]+)['"]/,
  /^\s*\}\s*from\s+['"]([^'"]+)['"]/,
  /\b(?:require|import)\(\s*['"]([^'"]+)['"]\s*\)/,
];
const OTHER_IMPORTS: Record<string, RegExp> = {
  py: /^\s*(?:from\s+(\S+)\s+import|import\s+([\w.]+))/,
  go: /^(?:import\s+(?:\w+\s+)?|\s+(?:[\w.]+\s+)?)"([^"]+)"$/,
  rs: /^\s*(?:pub\s+)?(?:use|extern crate)\s+([\w:]+)/,
  java: /^import\s+(?:static\s+)?([\w.]+)/,
  kt: /^import\s+([\w.]+)/,
  cs: /^using\s+([\w.]+);/,
  rb: /^\s*require(?:_relative)?\s+['"]([^'"]+)['"]/,
  c: /^\s*#\s*include\s*[<"]([^>"]+)[>"]/,
  cpp: /^\s*#\s*include\s*[<"]([^>"]+)[>"]/,
  h: /^\s*#\s*include\s*[<"]([^>"]+)[>"]/,
  swift: /^import\s+(\w+)/,
  ex: /^\s*(?:alias|import|use|require)\s+([\w.]+)/,
};

function importsOn(text: string, path: string): string[] {
  const ending = extension(path);
  const patterns = /^(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(ending)
    ? IMPORTS
    : Object.hasOwn(OTHER_IMPORTS, ending)
      ? [OTHER_IMPORTS[ending]!]
      : [];
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return [found[1] ?? found[2] ?? ''];
  }
  return [];
}
