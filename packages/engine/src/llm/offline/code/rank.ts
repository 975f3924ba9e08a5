import type { Hit } from '../results/grep-result.ts';
import { byFile } from '../results/grep-result.ts';
import { type Definition, definitionOn, isComment, isImport } from './definitions.ts';
import { type FileKind, fileKind, stemOf } from './file-kind.ts';
import { mentions } from './occurrences.ts';
import { partMatches, splitWords } from './words.ts';

/** One thing that a question asks for. */
export interface Term {
  /** As it was asked. */
  text: string;
  kind: 'phrase' | 'name' | 'word';
  /** Of a word: what its relatives share. */
  stem: string;
  /** Stems that count for less. */
  relatives: readonly string[];
}

/** A line worth looking at. */
export interface Place extends Hit {
  score: number;
  /** Terms that meet on the line, near it, or in its path: by index. */
  met: ReadonlySet<number>;
  /** Terms on the line itself. */
  onLine: ReadonlySet<number>;
  /** Terms that are on the line or near it as themselves, not only in a word that begins alike or means nearly the same. */
  exact: ReadonlySet<number>;
  definition?: Definition;
  /** In a test, a document or the like, which the question does not ask about. */
  aside: boolean;
}

export interface RankOptions {
  wants: 'definition' | 'throw' | 'any';
  /** The kinds of file that the question itself speaks of; they lose nothing. */
  asked: ReadonlySet<FileKind>;
  /** The one kind of file that is itself looked for, as in `which tests …`. */
  only?: FileKind;
}

/** So many lines around a line count as near. */
const NEAR = 8;
/** A line that holds everything tells nothing. */
const LONG_LINE = 240;

const FILE_WEIGHT: Record<FileKind, number> = { source: 1, test: 0.35, docs: 0.4, data: 0.5, generated: 0.15 };

/**
 * Ranks lines by how many of the terms meet on them or near them; definitions come before uses, sources before tests,
 * and names and paths weigh more than text. Rare terms weigh more than common ones.
 */
export function rankPlaces(hits: readonly Hit[], terms: readonly Term[], options: RankOptions): Place[] {
  const files = byFile(hits);
  const strengths = new Map<Hit, number[]>();
  const seenIn = terms.map(() => 0);
  for (const all of files.values()) {
    const best = terms.map(() => 0);
    for (const hit of all) {
      const strength = terms.map((term) => strengthIn(hit.text, term));
      strengths.set(hit, strength);
      for (const [at, value] of strength.entries()) best[at] = Math.max(best[at]!, value);
    }
    for (const [at, value] of best.entries()) if (value > 0) seenIn[at]! += 1;
  }
  const weights = terms.map((term, at) => weightOf(term, seenIn[at]!, files.size));
  const places: Place[] = [];
  // In a folder of built code, what is built is all the source there is.
  const built = ![...files.keys()].some((path) => fileKind(path) === 'source');
  for (const [path, all] of files) {
    const inPath = terms.map((term) => strengthInPath(path, term));
    const kind = fileKind(path);
    const fileWeight =
      options.asked.has(kind) || (built && kind === 'generated')
        ? 1
        : FILE_WEIGHT[kind] * (options.only && kind !== options.only ? 0.5 : 1);
    const inFile = terms.map((_, at) => Math.max(...all.map((hit) => strengths.get(hit)![at]!)));
    for (const [index, hit] of all.entries()) {
      const near = terms.map(() => 0);
      for (let at = index; at >= 0 && hit.line - all[at]!.line <= NEAR; at--) take(near, strengths.get(all[at]!)!);
      for (let at = index + 1; at < all.length && all[at]!.line - hit.line <= NEAR; at++)
        take(near, strengths.get(all[at]!)!);
      places.push(
        placeOf(hit, { own: strengths.get(hit)!, near, inPath, inFile, weights, fileWeight, terms, options }),
      );
    }
  }
  return places
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

interface Evidence {
  own: readonly number[];
  near: readonly number[];
  inPath: readonly number[];
  inFile: readonly number[];
  weights: readonly number[];
  fileWeight: number;
  terms: readonly Term[];
  options: RankOptions;
}

function placeOf(hit: Hit, { own, near, inPath, inFile, weights, fileWeight, terms, options }: Evidence): Place {
  const met = new Set<number>();
  const onLine = new Set<number>();
  const exact = new Set<number>();
  let sum = 0;
  let most = 0;
  let reached = 0;
  for (const [at, weight] of weights.entries()) {
    most += weight;
    if (own[at]! > 0) onLine.add(at);
    const itself = terms[at]!.kind === 'word' ? 1 : 0.5;
    if (Math.max(own[at]!, near[at]!, inPath[at]!) >= itself) exact.add(at);
    const best = Math.max(own[at]!, near[at]! * 0.5, inPath[at]! * 0.5, inFile[at]! * 0.2);
    if (Math.max(own[at]!, near[at]!, inPath[at]!) > 0) {
      met.add(at);
      reached += weight;
    }
    sum += weight * best;
  }
  const share = weights.reduce((total, weight, at) => total + weight * own[at]!, 0) / most;
  const definition = definitionOn(hit.text, hit.path);
  const named = definition !== undefined && terms.some((term) => strengthIn(definition.name, term) > 0);
  const score =
    onLine.size === 0
      ? 0
      : sum * (0.25 + 0.75 * (reached / most) ** 1.5) * lineWeight(hit, definition, share, named, options) * fileWeight;
  return { ...hit, score, met, onLine, exact, ...(definition ? { definition } : {}), aside: fileWeight < 1 };
}

/** A line of plain words, as in a docstring or a text: it speaks of code and is none. */
function isProse(text: string): boolean {
  return !/[=(){}[\]<>;|&]/.test(text) && (text.match(/\p{L}+/gu)?.length ?? 0) >= 5;
}

/**
 * @param share how much of what is asked for stands on the line itself, 0 to 1.
 * @param named true where what the line defines is called by a word that was asked for.
 */
function lineWeight(
  hit: Hit,
  definition: Definition | undefined,
  share: number,
  named: boolean,
  { wants }: RankOptions,
): number {
  let weight = 1;
  if (definition && definition.kind !== 'heading') {
    // `const title = …` inside a function says little; a function, a class or an exported constant says what it is for.
    const value = /^(?:const|let|var|key)$/.test(definition.kind);
    const local = value && /^\s/.test(hit.text);
    const strong = !value || definition.exported;
    weight = strong ? 1 + (named ? 0.9 : 0.3) * share : local ? 0.9 : 1.15;
    if (wants === 'definition' && named) weight *= strong ? 1.6 : 1.2;
  } else if (isImport(hit.text)) weight = 0.4;
  // A documentation comment says in words what the code below it does.
  else if (isComment(hit.text, hit.path)) weight = /^\s*(?:\/\*\*|\*\s|\/\/[/!])/.test(hit.text) ? 0.9 : 0.7;
  else if (isProse(hit.text)) weight = 0.6;
  if (hit.text.length > LONG_LINE) weight *= 0.5;
  if (wants === 'throw' && throwsOn(hit.text) && !isComment(hit.text, hit.path)) return weight * 3;
  if (
    wants === 'throw' &&
    /\b(?:throw|raise|panic|reject|fail|abort|die|errors?|new \w*Error|Err)\b|problems?\.push|Error\(/.test(hit.text)
  ) {
    weight *= 1.4;
  }
  return weight;
}

/** True for a line that throws, in the words of the common languages. */
export function throwsOn(line: string): boolean {
  return /(?:^|[\s({;:>])(?:throw|raise|panic!?|reject|die|abort)\b/.test(line);
}

/** Rare terms tell more. Phrases and names were asked for as they stand, so they weigh most. */
function weightOf(term: Term, files: number, all: number): number {
  const rarity = files === 0 ? 1 : 1 + Math.log((all + 1) / files) / 1.7;
  if (term.kind !== 'word') return rarity * (term.kind === 'phrase' ? 3 : 2.5);
  // What is done to a thing is said in many words, what the thing is called in one.
  return rarity * (/..(?:ed|en|ing|ise|ize)$/.test(term.text) ? 0.95 : 1);
}

/** How strongly a text holds a term, 0 to 1. */
export function strengthIn(text: string, term: Term): number {
  switch (term.kind) {
    case 'phrase':
      return text.includes(term.text) ? 1 : text.toLowerCase().includes(term.text.toLowerCase()) ? 0.8 : 0;
    case 'name': {
      if (mentions(text, term.text)) return 1;
      const joined = text.replace(/[_\-\s]/g, '').toLowerCase();
      return joined.includes(term.text.replace(/[_-]/g, '').toLowerCase()) ? 0.5 : 0;
    }
    case 'word': {
      let best = 0;
      for (const part of splitWords(text)) {
        best = Math.max(best, partMatches(part, term.stem));
        for (const relative of term.relatives) best = Math.max(best, partMatches(part, relative) * 0.55);
        if (best === 1) break;
      }
      if (best < 1) best = Math.max(best, strengthInNames(text, term));
      return best > 0 || /[\p{L}\p{N}]/u.test(term.text) ? best : text.includes(term.text) ? 1 : 0;
    }
  }
}

/** A word written together may be several parts of a name: `parsetags` is `parseTags` and `parse_tags`. */
function strengthInNames(text: string, { text: wanted, stem: root }: Term): number {
  if (wanted.length < 4) return 0;
  let best = 0;
  for (const [name] of text.matchAll(/[\p{L}\p{M}\p{N}_$-]+/gu)) {
    const joined = name.replace(/[_$-]/g, '').toLowerCase();
    if (joined === wanted || joined === root) return 1;
    if (joined.includes(wanted) || joined.includes(root)) best = 0.3;
  }
  return best;
}

function strengthInPath(path: string, term: Term): number {
  if (term.kind === 'phrase') return 0;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return Math.max(strengthIn(stemOf(path), term), strengthIn(folder, term) * 0.6);
}

function take(into: number[], from: readonly number[]): void {
  for (const [at, value] of from.entries()) if (value > into[at]!) into[at] = value;
}

/**
 * The best places, few from one file, none far behind the first, and none that merely stands near the words: it has at
 * least two of several terms on its line, or is a definition named by one of them.
 */
export function bestPlaces(places: readonly Place[], terms: readonly Term[], most: number, perFile: number): Place[] {
  const top = places[0];
  if (!top) return [];
  const first = top.aside ? (places.find((each) => insteadOf(each, top)) ?? top) : top;
  const chosen = [first];
  for (const place of places) {
    if (chosen.length >= most || place.score < first.score * 0.3) break;
    if (place === first) continue;
    if (terms.length > 1 && chosen.some((each) => each.text.trim() === place.text.trim())) continue;
    const same = chosen.filter((each) => each.path === place.path);
    if (same.length >= perFile || same.some((each) => Math.abs(each.line - place.line) <= 2)) continue;
    if (place.met.size < first.met.size - 1) continue;
    const named = place.definition && terms.some((term) => strengthIn(place.definition!.name, term) > 0.5);
    if (place.onLine.size >= Math.min(2, terms.length) || (named && place.score > first.score * 0.45))
      chosen.push(place);
  }
  return chosen;
}

/** A test may have all the words in its title; the code that has nearly as many is what was asked for. */
function insteadOf(place: Place, top: Place): boolean {
  return !place.aside && place.met.size >= top.met.size - 1 && place.score >= top.score * 0.35;
}
