import { askGraph, grep } from '../ask.ts';
import { isComment, isDocText, isImport } from '../code/definitions.ts';
import { fileKind, looksLikePath } from '../code/file-kind.ts';
import { importsModule, moduleName } from '../code/modules.ts';
import { mentions } from '../code/occurrences.ts';
import { escapePattern } from '../code/search-pattern.ts';
import type { Request } from '../grammar/request.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { code, count, paragraphs, place, visible } from '../render.ts';
import { byFile, type Hit } from '../results/grep-result.ts';
import { definitionsOf, wholeWord } from './explain-symbol.ts';
import { apart, definedLine, sectionOf, sectionText, sources, whichSymbol } from './graph-text.ts';

const MOST_FILES = 12;
const MOST_LINES = 4;

type UsesRequest = Extract<Request, { kind: 'uses' }>;

/** Who uses X: as the code graph has it; where that knows nothing of it, by the name as a whole word. */
export function* uses(request: UsesRequest, tools: ToolSet, { onlyText = false } = {}): Plan {
  const known = onlyText || request.place || request.imports ? undefined : yield* usesInGraph(request, tools);
  return known?.answer ?? paragraphs(known?.lead, yield* usesByText(request));
}

/** The graph's answer; a lead where it knows the name and no use of it: then the text may still mention it. */
function* usesInGraph({ symbol, calls }: UsesRequest, tools: ToolSet): Plan<{ answer?: string; lead?: string }> {
  const result = yield* askGraph({ action: calls ? 'callers' : 'references', symbol }, tools);
  if (!result || result.status === 'unknown' || result.line === undefined) {
    if (result?.status !== 'ambiguous') return {};
    const ask = calls ? 'who calls' : 'who uses';
    return { answer: whichSymbol(symbol, result, (example) => `${ask} ${example}`) };
  }
  const section = sectionOf(result, /^(?:Called by|Used in)/);
  const verb = calls ? 'calls' : 'uses';
  if (!section || section.rows.length === 0) {
    return { lead: `${definedLine(symbol, result)} The code graph knows nothing that ${verb} it.` };
  }
  const { source, tests } = apart(section);
  return {
    answer: paragraphs(
      definedLine(symbol, result),
      result.doc ? `> ${visible(result.doc)}` : undefined,
      sectionText(section.title, source) ?? `${section.title}, all of it in tests.`,
      sectionText('In tests', tests),
      sources(result),
    ),
  };
}

/** The name as a whole word, its definition apart from its uses, by file. */
function* usesByText(request: UsesRequest): Plan {
  const { symbol } = request;
  const asFile = looksLikePath(symbol) && /[/.]/.test(symbol);
  const name = asFile ? moduleName(symbol) : (symbol.split(/\.|::|#|->/).at(-1) ?? symbol);
  const path = request.place?.replace(/(?<=.)\/+$/, '');
  const scope = path ? { path } : {};
  const where = path ? ` in ${code(path)}` : '';
  const search = yield* grep({ ...(asFile ? importing(name) : wholeWord(name)), ...scope });
  if (search.failure !== undefined)
    return path
      ? `I could not search in ${code(path)}: ${search.failure}`
      : `The search did not work: ${search.failure}`;
  const all = search.hits.filter((hit) => mentions(hit.text, name));
  const hits = asFile
    ? all.filter((hit) => importsModule(hit, symbol))
    : all.filter((hit) => !request.imports || isImport(hit.text) || isListed(hit.text));
  if (hits.length === 0 && (asFile || request.imports)) return noImports(symbol, where, all);
  if (hits.length === 0) return yield* noUses(symbol, name, path);
  const defined = asFile ? [] : definitionsOf(hits, name).filter((each) => each.certain);
  const isDefinition = (hit: Hit) => defined.some((each) => each.path === hit.path && each.line === hit.line);
  const used = hits.filter((hit) => !isDefinition(hit));
  const isCode = ({ path: file, text }: Hit) => isCodeFile(file) && !isComment(text, file) && !isDocText(text, file);
  const inCode = used.filter(isCode);
  const tests = used.filter((hit) => fileKind(hit.path) === 'test');
  const words = used.filter((hit) => !inCode.includes(hit) && !tests.includes(hit));
  const owner =
    name !== symbol && !asFile
      ? ` I searched for ${code(name)}; whose ${code(name)} it is, a text search cannot tell.`
      : '';
  return paragraphs(
    `${code(symbol)} is ${asFile || request.imports ? 'imported' : 'used'} in ${count(inCode.length, 'place')} of code${tests.length > 0 ? ` and ${count(tests.length, 'place')} of tests` : ''}${where}${search.cut ? ', or more: not all hits are shown' : ''}.`,
    defined.length > 0
      ? `Defined:\n${defined
          .slice(0, 5)
          .map((each) => `- ${line(each)}`)
          .join('\n')}`
      : undefined,
    group(asFile || request.imports ? 'Imported in' : 'Used', inCode),
    group('In tests', tests),
    group('In comments, documents and data', words),
    asFile
      ? 'Found by text search, from the lines that import it by a path.'
      : `Found by text search for the whole word: another thing of the same name would be listed too.${owner}`,
  );
}

/** A line of an import over several lines. */
function isListed(line: string): boolean {
  return /^\s*(?:type\s+)?\w+(?:\s+as\s+\w+)?,?\s*$/.test(line);
}

/** Narrow enough that a search is seldom cut, wide enough for every language; the lines are looked at afterwards. */
function importing(name: string): { pattern: string } {
  return {
    pattern: `\\b(?:import|from|require|include|use|mod|load|source|export|alias)\\b.*\\b${escapePattern(name)}\\b`,
  };
}

/** Code that was written, or built from what was; lists of packages are data. */
function isCodeFile(path: string): boolean {
  const kind = fileKind(path);
  return (
    kind === 'source' || (kind === 'generated' && /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|swift)$/.test(path))
  );
}

function noImports(symbol: string, where: string, mentioned: readonly Hit[]): string {
  return paragraphs(
    `No line${where} that I can tell imports ${code(symbol)}. Ignored files were not searched.`,
    group('Lines that have its name', mentioned.slice(0, 12)),
  );
}

function* noUses(symbol: string, name: string, path: string | undefined): Plan {
  const loose = yield* grep({ pattern: name, literal: true, ignore_case: true, ...(path ? { path } : {}) });
  const hits = loose.failure === undefined ? loose.hits : [];
  const where = path ? `in ${code(path)}` : 'here';
  const nothing = `Nothing ${where} mentions ${code(symbol)} as a whole word. Ignored files were not searched.`;
  return hits.length === 0 ? nothing : paragraphs(nothing, group('Other spellings, or parts of longer words', hits));
}

function group(title: string, hits: readonly Hit[]): string | undefined {
  if (hits.length === 0) return undefined;
  const files = [...byFile(hits)].sort(
    ([one, a], [other, b]) =>
      Number(isImport(a[0]!.text)) - Number(isImport(b[0]!.text)) ||
      Number(fileKind(one) === 'generated') - Number(fileKind(other) === 'generated') ||
      b.length - a.length,
  );
  const rows: string[] = [];
  for (const [, inFile] of files.slice(0, MOST_FILES)) {
    const telling = [...inFile].sort((a, b) => Number(isImport(a.text)) - Number(isImport(b.text)) || a.line - b.line);
    for (const hit of telling.slice(0, MOST_LINES)) rows.push(`- ${line(hit)}`);
    if (inFile.length > MOST_LINES) rows.push(`- … and ${inFile.length - MOST_LINES} more in ${code(inFile[0]!.path)}`);
  }
  if (files.length > MOST_FILES) rows.push(`- … and ${count(files.length - MOST_FILES, 'more file')}`);
  return `${title}:\n${rows.join('\n')}`;
}

function line(hit: Hit): string {
  return `${place(hit.path, hit.line)} ${code(hit.text.trim())}`;
}
