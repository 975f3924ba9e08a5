import { type GrepQuery, grepAll, readAll } from '../ask.ts';
import { blockEnd, commentStart } from '../code/blocks.ts';
import { definitionOn, isComment } from '../code/definitions.ts';
import type { FileKind } from '../code/file-kind.ts';
import { bestPlaces, type Place, rankPlaces, strengthIn, type Term, throwsOn } from '../code/rank.ts';
import { narrowerSearches, searchesFor, termsOf, widerSearches } from '../code/search-pattern.ts';
import type { Subject } from '../grammar/subject.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { bullets, code, count, excerpt, listed, paragraphs, place } from '../render.ts';
import { byFile, type GrepResult, type Hit, mergeHits } from '../results/grep-result.ts';
import { findInCode } from './find-in-code.ts';
import { findFile } from './locate.ts';

const MOST_PLACES = 7;
const MOST_LISTED = 100;
const EXCERPT_LINES = 16;

/**
 * Where is X: the graph and the index are asked first. Where they do not settle it, the text is searched: lines are ranked by
 * how many of the words meet there, the best is read and shown.
 */
export function* find(subject: Subject, tools: ToolSet, { how = false, all = false, lead = '' } = {}): Plan {
  if (subject.file) return yield* findFile(subject.file, tools);
  const known = all ? undefined : yield* findInCode(subject, tools, { how, lead });
  if (known !== undefined) return known;
  const terms = termsOf(subject);
  let search = yield* searchAll(searchesFor(terms, subject.place));
  if (search.failure !== undefined && subject.place) {
    return `I could not search in ${code(subject.place)}: ${search.failure}`;
  }
  if (search.failure !== undefined) return `The search did not work: ${search.failure}`;
  const narrower = search.cut ? narrowerSearches(terms, subject.place) : [];
  if (narrower.length > 0) {
    const more = yield* searchAll(narrower);
    search = { ...search, hits: mergeHits([search, more]) };
  }
  const options = {
    wants: subject.wants,
    asked: kindsAsked(subject),
    ...(/^tests?$/.test(subject.words[0] ?? '') ? { only: 'test' as const } : {}),
  };
  let used: readonly Term[] = terms;
  let places = rankPlaces(search.hits, terms, options);
  const whole = places.filter((each) => terms.every((term) => strengthIn(each.text, term) >= 0.5));
  // `list all classes` means what is one, not what speaks of one.
  const ofKind = whole.filter((each) => terms.length === 1 && each.definition?.kind === terms[0]!.stem);
  if (all && whole.length > 0) {
    return paragraphs(lead, ...everyPlace(ofKind.length > 0 ? ofKind : whole, search.cut));
  }
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
  if (best.length === 0) return nothing(subject, terms, search.hits);
  const shown = yield* showBest(best);
  return paragraphs(
    lead,
    how ? 'I cannot explain how it works, only show where.' : undefined,
    ...shown,
    sureness(best, used, { widened, cut, places, asked: subject }),
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
  const top = best.filter((each, at) => best.findIndex((other) => other.path === each.path) === at).slice(0, 3);
  const reads = yield* readAll(top.map(({ path, line }) => ({ path, offset: Math.max(1, line - 40), limit: 80 })));
  const first = reads.findIndex((result, at) => result.failure === undefined && result.lines.has(top[at]!.line));
  const chosen = top[first];
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

/** Every line that was found, by file: sources first, and in each the order of its lines. */
function everyPlace(places: readonly Place[], cut: boolean): string[] {
  const files = [...byFile([...places].sort((a, b) => a.line - b.line))].sort(
    ([one, a], [other, b]) => Number((a[0] as Place).aside) - Number((b[0] as Place).aside) || (one < other ? -1 : 1),
  );
  const hits = files.flatMap(([, inFile]) => inFile);
  return [
    `${count(hits.length, 'line')}${cut ? ' or more' : ''} in ${count(files.length, 'file')}:`,
    bullets(hits.map(oneLine), MOST_LISTED),
    `Found by text search.${cut ? ' There were more hits than one search shows; name a folder to narrow it (`… in src/`).' : ''}`,
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
  /** All that was found. */
  places: readonly Place[];
  asked: Subject;
}

/** How the places were found and how much that is worth, in plain words. */
function sureness(best: readonly Place[], terms: readonly Term[], circumstances: Circumstances): string {
  const first = best[0]!;
  const { widened, cut } = circumstances;
  const narrow = cut && (widened || first.met.size < terms.length || terms.length === 1);
  return `Found by text search. ${verdictOn(best, terms, circumstances)}${narrow ? ' There were more hits than one search shows; name a folder to narrow it (`… in src/`).' : ''}`;
}

function verdictOn(best: readonly Place[], terms: readonly Term[], { widened, places, asked }: Circumstances): string {
  const [first, second] = [best[0]!, best[1]];
  const quoted = terms.flatMap((term, at) => (term.kind === 'phrase' ? [at] : []));
  const ahead = !second || first.score > second.score * 1.4;
  if (widened)
    return `${listed([...asked.phrases, ...asked.names].map(code))} was not found as written; these lines have the same words. Not sure.`;
  // A text in quotes says by itself what is looked for; the words around it only say why.
  if (quoted.length > 0 && quoted.every((at) => first.onLine.has(at))) {
    const lines = places.filter((each) => quoted.every((at) => each.onLine.has(at))).length;
    return lines > 1 ? `Fairly sure: the text is there, on ${count(lines, 'line')}.` : 'Sure: the text is there once.';
  }
  const missing = terms.filter((_, at) => !first.met.has(at)).map((term) => code(term.text));
  if (missing.length > 0)
    return `Not sure: ${listed(missing)} ${missing.length === 1 ? 'does' : 'do'} not occur near it.`;
  if (
    asked.wants === 'throw' &&
    throwsOn(first.text) &&
    terms.some((term, at) => term.kind === 'name' && first.onLine.has(at))
  )
    return ahead ? 'Sure: this line throws it.' : 'Fairly sure: this line throws it, and others do too.';
  const defines =
    terms.length === 1 && first.definition && joined(first.definition.name) === joined(lastPart(terms[0]!.text));
  if (defines && terms[0]!.kind !== 'word')
    return ahead ? 'Sure: this line defines it.' : 'Fairly sure: this line defines it, but it is not the only one.';
  if (defines) return `Fairly sure: this line defines it${ahead ? '' : ', but it is not the only one'}.`;
  if (terms.length === 1 && terms[0]!.kind !== 'word') {
    const text = terms[0]!.text;
    const lines = places.filter((each) => strengthIn(each.text, terms[0]!) === 1).length;
    if (strengthIn(first.text, terms[0]!) < 1)
      return `Not sure: ${code(text)} is ${lines > 0 ? 'here' : 'there only'} in another spelling, or as a part of a longer name.`;
    return lines > 1 ? `Fairly sure: the text is there, on ${count(lines, 'line')}.` : 'Sure: the text is there once.';
  }
  const alike = terms.filter((_, at) => !first.exact.has(at)).map((term) => code(term.text));
  if (alike.length > 0)
    return `Not sure: ${listed(alike)} ${alike.length === 1 ? 'is' : 'are'} there only in words like it.`;
  if (terms.length === 1) return 'Not sure: one word is little to go by.';
  if (first.onLine.size * 2 < terms.length) return 'Not sure: the words only stand near one another there.';
  if (asked.dropped) return `Not sure: I went by ${listed(terms.map((term) => code(term.text)))} only.`;
  return ahead ? 'Fairly sure: all the words meet there.' : 'Fairly sure, but other places have the same words.';
}

/** `save` of `store.save`. */
function lastPart(name: string): string {
  return name.split(/\.|::|#|->/).at(-1) ?? name;
}

/** A name without what joins its parts. */
function joined(name: string): string {
  return name.replace(/[_$-]/g, '').toLowerCase();
}

function nothing(subject: Subject, terms: readonly Term[], hits: readonly Hit[]): string {
  const asked = listed(terms.map((term) => code(term.text)));
  const where = subject.place ? ` in ${code(subject.place)}` : ' in this folder';
  if (hits.length > 0)
    return paragraphs(
      `Nothing found that fits: a text search for ${asked}${where} finds it only inside longer words:`,
      bullets(hits.map(oneLine), MOST_PLACES),
    );
  return `Nothing found: a text search for ${asked}${where} has no hits. Ignored files were not searched. Try another word, or a name as it is written in the code.`;
}
