import { askGraph, read, searchIndex } from '../ask.ts';
import { definitionOn } from '../code/definitions.ts';
import { stem } from '../code/words.ts';
import type { Subject } from '../grammar/subject.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, code, excerpt, listed, paragraphs, place } from '../render.ts';
import type { GraphResult } from '../results/graph-result.ts';
import type { FoundPlace } from '../results/search-result.ts';
import { sectionText, sources, whichSymbol } from './graph-text.ts';

const EXCERPT_LINES = 16;
const MOST_PLACES = 7;

/**
 * Where is X, by the graph and the index: a name is looked up, words are searched for. Undefined where they do not settle
 * it, e.g. since not all of the words meet anywhere: then the text is searched.
 */
export function* findInCode(
  subject: Subject,
  tools: ToolSet,
  { how = false, lead = '' } = {},
): Plan<string | undefined> {
  const { phrases, names, words, wants, place: below } = subject;
  if (phrases.length > 0 || wants === 'throw') return undefined;
  const [name] = names;
  if (name !== undefined && names.length === 1 && words.length === 0 && below === undefined) {
    const result = yield* askGraph({ symbol: name }, tools);
    if (result?.status === 'ambiguous') return whichSymbol(name, result, (example) => `explain ${example}`);
    return result && (yield* showDefinition(name, result, lead));
  }
  if (names.length > 0 || words.length < 2 || /^tests?$/.test(words[0]!) || subject.dropped) return undefined;
  const { places } = yield* searchIndex(words.join(' '), below, tools);
  const [first, ...others] = places;
  if (!first || !hasAll(first, words)) return undefined;
  return paragraphs(
    lead,
    how ? 'I cannot explain how it works, only show where.' : undefined,
    yield* showPlace(first),
    others.length > 0 ? `Also:\n${bullets(others.map(oneLine), MOST_PLACES)}` : undefined,
    `Found in the search index. ${verdict(first, others, words)}`,
  );
}

function* showDefinition(name: string, result: GraphResult, lead: string): Plan<string | undefined> {
  const { path, line, endLine, about = '' } = result;
  if (path === undefined || line === undefined) return undefined;
  const last = Math.min(endLine ?? line, line + EXCERPT_LINES - 1);
  const text = yield* read({ path, offset: line, limit: last - line + 1 });
  const callers = result.sections.find(({ title }) => /^Called by/.test(title));
  return paragraphs(
    lead,
    `${place(path, line)}, ${code(about)}`,
    text.failure === undefined ? excerpt(text.lines, line, last, path) : undefined,
    sectionText('Called', callers),
    `Sure: ${code(name)} is defined there. ${sources(result)}`,
  );
}

/** The place with the line that says most, and the code around it; a symbol from its first line on. */
function* showPlace({ path, startLine, endLine, symbol, line = startLine }: FoundPlace): Plan<string> {
  const text = yield* read({ path, offset: startLine, limit: Math.min(endLine - startLine + 1, 200) });
  const lines = text.failure === undefined ? text.lines : new Map<number, string>();
  const name = symbol?.split('.').at(-1);
  const defined = [...lines].find(([, each]) => name !== undefined && definitionOn(each, path)?.name === name)?.[0];
  const top = defined ?? (symbol ? startLine : line);
  const fits = line - startLine < EXCERPT_LINES;
  const from = fits ? startLine : line - 4;
  return paragraphs(
    `${place(path, fits ? top : line)}${symbol ? `, in ${code(symbol)}` : ''}`,
    lines.size > 0 ? excerpt(lines, from, Math.min(endLine, from + EXCERPT_LINES - 1), path) : undefined,
  );
}

function oneLine({ path, startLine, line = startLine, symbol, code: shown }: FoundPlace): string {
  return [place(path, line), symbol ? `in ${code(symbol)}` : '', shown ? code(shown) : ''].filter(Boolean).join(' ');
}

function hasAll({ words: found }: FoundPlace, asked: readonly string[]): boolean {
  const stems = new Set(found.map(stem));
  return asked.every((word) => stems.has(stem(word)));
}

function verdict(first: FoundPlace, others: readonly FoundPlace[], words: readonly string[]): string {
  const met = listed(words.map((word) => code(word)));
  const rivals = others.filter((each) => hasAll(each, words)).length;
  const where = first.symbol ? code(first.symbol) : 'it';
  return rivals === 0
    ? `Fairly sure: only ${where} has ${met}.`
    : `Fairly sure: ${where} has ${met}, but ${rivals} other ${rivals === 1 ? 'place has' : 'places have'} them, too.`;
}
