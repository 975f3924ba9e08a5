import { type GrepQuery, grepAll, readAll } from '../ask.ts';
import { blockEnd, commentStart } from '../code/blocks.ts';
import { definitionOn, isComment } from '../code/definitions.ts';
import type { FileKind } from '../code/file-kind.ts';
import { bestPlaces, type Place, rankPlaces, type Term } from '../code/rank.ts';
import { searchesFor, termsOf, widerSearches } from '../code/search-pattern.ts';
import type { Subject } from '../grammar/subject.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, code, count, excerpt, listed, paragraphs, place } from '../render.ts';
import { type GrepResult, type Hit, mergeHits } from '../results/grep-result.ts';
import { findFile } from './locate.ts';

const MOST_PLACES = 7;
const EXCERPT_LINES = 16;

/** Where is X: searches, ranks the lines by how many of the words meet there, reads the best and shows it. */
export function* find(subject: Subject, tools: ToolSet, { how = false, lead = '' } = {}): Plan {
  if (subject.file) return yield* findFile(subject.file, tools);
  const terms = termsOf(subject);
  const search = yield* searchAll(searchesFor(terms, subject.place));
  if (search.failure !== undefined && subject.place) {
    return `I could not search in ${code(subject.place)}: ${search.failure}`;
  }
  if (search.failure !== undefined) return `The search did not work: ${search.failure}`;
  const options = { wants: subject.wants, asked: kindsAsked(subject) };
  let used: readonly Term[] = terms;
  let places = rankPlaces(search.hits, terms, options);
  let cut = search.cut;
  let widened = false;
  if (!places.some((each) => each.met.size === terms.length)) {
    const wider = widerSearches(terms, subject.place);
    if (wider.queries.length > 0) {
      const more = yield* searchAll(wider.queries);
      const all = rankPlaces(mergeHits([search, more]), wider.terms, options);
      widened = places.length === 0;
      if (widened || wider.terms.length === terms.length) {
        used = wider.terms;
        places = all;
      }
      cut ||= more.cut;
    }
  }
  const best = bestPlaces(places, used, MOST_PLACES, 2);
  if (best.length === 0) return nothing(subject, terms);
  const shown = yield* showBest(best);
  return paragraphs(
    lead,
    how ? 'I cannot explain how it works, only show where.' : undefined,
    ...shown,
    sureness(best, used, { widened, cut, lines: places.length, asked: subject }),
  );
}

interface Search extends GrepResult {
  failure?: string;
}

/** Runs searches side by side; they have failed only where all of them have. */
function* searchAll(queries: readonly GrepQuery[]): Plan<Search> {
  const results = yield* grepAll(queries);
  const found = results.filter((result) => result.failure === undefined);
  const hits = mergeHits(found);
  const search: Search = { hits, cut: found.some((result) => result.cut), total: hits.length };
  return found.length > 0 ? search : { ...search, failure: results[0]?.failure ?? 'nothing to search for' };
}

/** Reads the best places and shows the first that can be read, then the others in one line each. */
function* showBest(best: readonly Place[]): Plan<string[]> {
  const reads = yield* readAll(
    best.slice(0, 3).map(({ path, line }) => ({ path, offset: Math.max(1, line - 40), limit: 80 })),
  );
  const first = reads.findIndex((result, at) => result.failure === undefined && result.lines.has(best[at]!.line));
  const chosen = best[first];
  if (!chosen)
    return [
      bullets(best.map(oneLine), MOST_PLACES),
      'I could not read these files, so these are only the lines that the search found.',
    ];
  const result = reads[first]!;
  const lines = result.failure === undefined ? result.lines : new Map<number, string>();
  const { from, to, inside } = around(lines, chosen);
  const others = best.filter((each) => each !== chosen);
  const where = inside ? `, in ${inside}` : '';
  return [
    `${place(chosen.path, chosen.line)}${where}`,
    excerpt(lines, from, to, chosen.path),
    others.length > 0 ? `Also:\n${bullets(others.map(oneLine), MOST_PLACES)}` : '',
  ];
}

interface Around {
  from: number;
  to: number;
  /** What the line stands in, or what it is the comment of. */
  inside?: string;
}

/** The lines to show of a place: a definition with its comment, or a few lines of what it stands in. */
function around(lines: ReadonlyMap<number, string>, { path, line, definition }: Place): Around {
  if (definition) return wholeDefinition(lines, line, path);
  const below = documented(lines, line, path);
  if (below) return { ...wholeDefinition(lines, below.line, path), inside: `the comment of ${code(below.name)}` };
  const opening = enclosing(lines, line, path);
  if (!opening) return { from: line - 3, to: line + 6 };
  const from = line - opening.line <= 10 ? opening.line : line - 4;
  return { from, to: Math.min(line + 6, opening.end), inside: code(opening.name) };
}

function wholeDefinition(lines: ReadonlyMap<number, string>, line: number, path: string): Around {
  const from = Math.max(commentStart(lines, line, path), line - 8);
  return { from, to: blockEnd(lines, line, path, EXCERPT_LINES) };
}

/** What a comment line is about: the definition directly below the comment. */
function documented(
  lines: ReadonlyMap<number, string>,
  at: number,
  path: string,
): { name: string; line: number } | undefined {
  let line = at;
  while (line < at + 12 && isComment(lines.get(line) ?? '', path)) line += 1;
  const definition = line > at ? definitionOn(lines.get(line) ?? '', path) : undefined;
  return definition ? { name: definition.name, line } : undefined;
}

/** The definition that a line stands in: the nearest one above that is indented less and has not ended. */
function enclosing(
  lines: ReadonlyMap<number, string>,
  at: number,
  path: string,
): { name: string; line: number; end: number } | undefined {
  const indent = indentOf(lines.get(at) ?? '');
  for (let line = at - 1; lines.has(line); line--) {
    const text = lines.get(line)!;
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    const definition = definitionOn(text, path);
    if (!definition || /^(?:const|let|var|key|heading)$/.test(definition.kind)) continue;
    const end = blockEnd(lines, line, path, 200);
    if (end >= at) return { name: definition.name, line, end };
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function oneLine(hit: Hit): string {
  return `${place(hit.path, hit.line)} ${code(hit.text.trim())}`;
}

/** The kinds of file that the words themselves name. */
function kindsAsked(subject: Subject): Set<FileKind> {
  const words = subject.words.join(' ');
  const kinds = new Set<FileKind>();
  if (/\b(?:tests?|specs?|tested)\b/.test(words)) kinds.add('test');
  if (/\b(?:docs?|documented|documentation|readme)\b/.test(words)) kinds.add('docs');
  if (/\b(?:config|settings?|dependency|dependencies|scripts?)\b/.test(words)) kinds.add('data');
  return kinds;
}

interface Circumstances {
  widened: boolean;
  cut: boolean;
  /** Lines that have any of the terms. */
  lines: number;
  asked: Subject;
}

/** How the places were found and how much that is worth, in plain words. */
function sureness(
  best: readonly Place[],
  terms: readonly Term[],
  { widened, cut, lines, asked }: Circumstances,
): string {
  const [first, second] = best;
  const missing = terms.filter((_, at) => !first!.met.has(at)).map((term) => code(term.text));
  const exact = terms.length === 1 && terms[0]!.kind !== 'word';
  const ahead = !second || first!.score > second.score * 1.4;
  let verdict: string;
  if (widened)
    verdict = `${listed([...asked.phrases, ...asked.names].map(code))} was not found as written; these lines have the same words. Not sure.`;
  else if (missing.length > 0)
    verdict = `Not sure: ${listed(missing)} ${missing.length === 1 ? 'does' : 'do'} not occur near it.`;
  else if (exact && first!.definition)
    verdict = ahead ? 'Sure: this line defines it.' : 'Fairly sure: this line defines it, but it is not the only one.';
  else if (exact)
    verdict = second ? `Fairly sure: the text is there, on ${count(lines, 'line')}.` : 'Sure: the text is there once.';
  else if (terms.length === 1) verdict = 'Not sure: one word is little to go by.';
  else if (first!.onLine.size * 2 < terms.length) verdict = 'Not sure: the words only stand near one another there.';
  else
    verdict = ahead ? 'Fairly sure: all the words meet there.' : 'Fairly sure, but other places have the same words.';
  const narrow = cut && (widened || missing.length > 0 || terms.length === 1);
  return `Found by text search. ${verdict}${narrow ? ' There were more hits than one search shows; name a folder to narrow it (`… in src/`).' : ''}`;
}

function nothing(subject: Subject, terms: readonly Term[]): string {
  const asked = listed(terms.map((term) => code(term.text)));
  const where = subject.place ? ` in ${code(subject.place)}` : ' in this folder';
  return `Nothing found: a text search for ${asked}${where} has no hits. Ignored files were not searched. Try another word, or a name as it is written in the code.`;
}
