import { type Answered, grep, read } from '../ask.ts';
import { isImport } from '../code/definitions.ts';
import { fileKind, languageOf, stemOf } from '../code/file-kind.ts';
import { type Outline, type OutlineItem, outlineOf } from '../code/outline.ts';
import { escapePattern } from '../code/search-pattern.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, clip, code, count, excerpt, paragraphs, place, visible } from '../render.ts';
import { byFile, type GrepResult } from '../results/grep-result.ts';
import { openFile } from './read-file.ts';
import { showTree } from './show-tree.ts';

/** A longer file is outlined up to here. */
const MOST_LINES = 3_000;
const MOST_PAGES = 4;
const MOST_ITEMS = 30;

/** What does FILE do: its outline, what it imports, who imports it and which tests mention it. */
export function* explainFile(path: string, tools: ToolSet): Plan {
  const file = yield* openFile(path, tools);
  if ('answer' in file) return file.answer;
  if ('folder' in file) return yield* showTree(file.folder, tools);
  const { lines, ...result } = file.result;
  for (let page = 1, next = result.next; next !== undefined && page < MOST_PAGES && next <= MOST_LINES; page++) {
    const more = yield* read({ path: file.path, offset: next });
    if (more.failure !== undefined || more.lines.size === 0) break;
    for (const [line, text] of more.lines) lines.set(line, text);
    next = more.next;
  }
  const outline = outlineOf(lines, file.path);
  const mentions = yield* grep({ pattern: importers(file.path) });
  const seen = Math.max(0, ...lines.keys());
  const total = Math.max(seen, result.total);
  const kind = languageOf(file.path);
  return paragraphs(
    file.note,
    `${code(file.path)}: ${count(total, 'line')}${kind ? ` of ${kind}` : ''}.`,
    outline.about ? `> ${visible(clip(outline.about, 300))}` : undefined,
    seen < total ? `Only its first ${seen} lines were read.` : undefined,
    ...sections(outline, file.path),
    outline.items.length === 0 && fileKind(file.path) === 'docs' ? excerpt(lines, 1, 12, file.path) : undefined,
    outline.imports.length > 0 ? `Imports ${bulletless(outline.imports, 12)}.` : undefined,
    ...users(mentions, file.path),
    'Read from the text of the file: names and comments, no understanding of what the code does.',
  );
}

function sections({ items }: Outline, path: string): string[] {
  if (items.length === 0) return ['No definitions that I can tell apart.'];
  const headings = items.every((item) => item.kind === 'heading' || item.kind === 'key' || item.kind === 'section');
  if (headings)
    return [
      bullets(
        items.map((item) => `${code(item.name)} :${item.line}`),
        MOST_ITEMS,
      ),
    ];
  const marked = items.some((item) => item.exported) && !/\.(?:java|c|cc|cpp|h|hpp|cs)$/.test(path);
  if (!marked) return [`Defines:\n${bullets(items.map(oneItem), MOST_ITEMS)}`];
  const exported = withMembers(items, true);
  const others = withMembers(items, false);
  return [
    exported.length > 0 ? `Exports:\n${bullets(exported.map(oneItem), MOST_ITEMS)}` : '',
    others.length > 0
      ? `Inside: ${others
          .slice(0, 20)
          .map((item) => `${code(item.name)} :${item.line}`)
          .join(', ')}${others.length > 20 ? ' …' : ''}`
      : '',
  ];
}

/** A member belongs to the definition above it. */
function withMembers(items: readonly OutlineItem[], exported: boolean): OutlineItem[] {
  let owner: OutlineItem | undefined;
  return items.filter((item) => {
    if (!item.nested) owner = item;
    return (item.nested ? (owner?.exported ?? false) : item.exported) === exported;
  });
}

function oneItem(item: OutlineItem): string {
  const doc = item.doc ? ` — ${visible(clip(item.doc, 140))}` : '';
  return `${item.nested ? '· ' : ''}${code(item.name + item.signature)} ${item.kind} :${item.line}${doc}`;
}

/** A pattern for the lines that import a file by its name, in the common languages. */
function importers(path: string): string {
  const name = /^(?:index|mod|__init__|main)$/.test(stemOf(path))
    ? (path.split('/').at(-2) ?? stemOf(path))
    : stemOf(path);
  const escaped = escapePattern(name);
  return `(?:from|import|require|include|use|mod|load|source)\\b.*(?:[/'"<. :]|^)${escaped}(?:\\.\\w+)?(?:['">;. ,]|$)`;
}

function users(mentions: Answered<GrepResult>, path: string): string[] {
  if (mentions.failure !== undefined) return [];
  const files = byFile(
    mentions.hits.filter((hit) => hit.path !== path && (isImport(hit.text) || fileKind(hit.path) === 'source')),
  );
  const sources: string[] = [];
  const tests: string[] = [];
  for (const [file, hits] of files) {
    const kind = fileKind(file);
    if (kind === 'test') tests.push(place(file, hits[0]!.line));
    else if (kind === 'source') sources.push(place(file, hits[0]!.line));
  }
  const more = mentions.cut ? ' and more' : '';
  return [
    sources.length > 0 ? `Imported by ${bulletless(sources, 8, true)}${more}.` : '',
    tests.length > 0 ? `Tests that import it: ${bulletless(tests, 8, true)}.` : '',
  ];
}

function bulletless(items: readonly string[], most: number, coded = false): string {
  const shown = items.slice(0, most).map((item) => (coded ? item : code(item)));
  return shown.join(', ') + (items.length > most ? ` and ${items.length - most} more` : '');
}
