import { clip, code, count, listed, place, visible } from '../render.ts';
import type { GraphResult, GraphRow, GraphSection } from '../results/graph-result.ts';

/** How answers of the code graph are written for a person. */

/** Lists are shown up to here. */
const MOST_ROWS = 12;

/** How the graph came to what it says. */
const FOUND_IN_GRAPH = 'Found in the code graph, which follows names through imports, scopes and containers.';
const UNSURE = 'Where it says `ambiguous`, several things have that name.';

/** `saveNote` is an exported function, defined at `src/a.ts:1`. */
export function definedLine(name: string, { path = '', line, about = '' }: GraphResult): string {
  const [what = '', ...more] = about.split(', ');
  const kind = what.replace(/\s+\S+$/, '');
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
  const where = line === undefined ? code(path) : place(path, line);
  return `${code(name)} is ${article} ${kind}, defined at ${where}${more.map((each) => ` (${each})`).join('')}.`;
}

/** A list with its title; undefined where there is nothing in it. */
export function sectionText(
  title: string,
  section: Pick<GraphSection, 'rows' | 'more'> | undefined,
): string | undefined {
  if (!section || section.rows.length === 0) return undefined;
  const rows = section.rows.slice(0, MOST_ROWS).map((row) => `- ${rowText(row)}`);
  const more = section.rows.length - rows.length + section.more;
  return [`${title}:`, ...rows, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n');
}

function rowText({ path, line, text, notes, code: shown }: GraphRow): string {
  const where = line === undefined ? code(path) : place(path, line);
  const what = text.startsWith('in ') ? ` in ${code(text.slice(3))}` : text ? ` ${code(text)}` : '';
  const said = notes.filter((note) => !/^(?:import|scope|unique name|test|call|read)$/.test(note));
  const note = said.length > 0 ? ` (${visible(said.join(', '))})` : '';
  return `${where}${what}${note}${shown ? ` ${code(clip(shown, 120))}` : ''}`;
}

export function sectionOf({ sections }: GraphResult, title: RegExp): GraphSection | undefined {
  return sections.find((section) => title.test(section.title));
}

/** A list parted into source and tests. */
export function apart({ rows, more }: GraphSection): { source: GraphSection; tests: GraphSection } {
  const isTest = (row: GraphRow) => row.notes.includes('test');
  return {
    source: { title: '', rows: rows.filter((row) => !isTest(row)), more },
    tests: { title: '', rows: rows.filter(isTest), more: 0 },
  };
}

/** How it was found, and what of it is not sure. */
export function sources({ sections }: GraphResult): string {
  const rows = sections.flatMap((section) => section.rows);
  return rows.some(({ notes }) => notes.includes('ambiguous')) ? `${FOUND_IN_GRAPH} ${UNSURE}` : FOUND_IN_GRAPH;
}

/** Several things have the name: a person chooses. */
export function whichSymbol(name: string, result: GraphResult, how: (example: string) => string): string {
  const candidates = sectionOf(result, /^Candidates/);
  const first = candidates?.rows[0];
  const example = first ? `${first.path}:${first.line ?? 1}` : 'FILE:LINE';
  return [
    `${code(name)} is the name of ${count((candidates?.rows.length ?? 0) + (candidates?.more ?? 0), 'symbol')}. Name one by its place or its container, e.g. ${code(how(example))}.`,
    sectionText('They are', candidates) ?? '',
    FOUND_IN_GRAPH,
  ].join('\n\n');
}

/** Names that may have been meant. */
export function nearestNames(result: GraphResult): string {
  const names = [...new Set(sectionOf(result, /^Names like it/)?.rows.map(({ text }) => nameIn(text)) ?? [])];
  return names.length > 0 ? `The code graph knows ${listed(names.slice(0, 5).map(code))}.` : '';
}

/** The name in a signature: what stands before its parameters, or the last word. */
function nameIn(signature: string): string {
  return /([\w$.]+)\s*[(<:=]/.exec(signature)?.[1] ?? signature.split(/\s+/).at(-1) ?? signature;
}
