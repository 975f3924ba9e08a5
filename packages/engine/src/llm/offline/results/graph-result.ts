/** A line of a list in a `code_graph` result. */
export interface GraphRow {
  /** Undefined for what lies outside the workspace. */
  path: string;
  line?: number;
  /** What is there, e.g. `in Store.save`. */
  text: string;
  /** How sure it is, and the like. */
  notes: string[];
  /** The line of code, or what a comment says. */
  code?: string;
}

export interface GraphSection {
  title: string;
  rows: GraphRow[];
  /** How many there are beyond the rows. */
  more: number;
}

/** What a `code_graph` result says. */
export interface GraphResult {
  /** Nothing has that name, or several things have. */
  status: 'ok' | 'unknown' | 'ambiguous';
  signature?: string;
  /** Where the symbol is defined, or the file. */
  path?: string;
  line?: number;
  endLine?: number;
  /** What it is, e.g. `exported function saveNote`. */
  about?: string;
  doc?: string;
  sections: GraphSection[];
  /** Sentences between them. */
  notes: string[];
}

const TITLE =
  /^(?:Called by|Calls|Used in|Extended or implemented by|May break:|Tests that reach it:|Seems to be used by nothing:|Candidates|Names like it|Defines|Imports|Imported by) ?|\breaches\b.+\bover \d+ calls?/;
const PLACE = /^(\S.*?)(?::(\d+)(?:-(\d+))?)? {2}(.*)$/;

/** Reads the text of a `code_graph` result; what is no part of it is passed over. */
export function parseGraph(text: string): GraphResult {
  const result: GraphResult = { status: 'ok', sections: [], notes: [] };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const plain: string[] = [];
  for (const [at, line] of lines.entries()) {
    const section = result.sections.at(-1);
    if (/^ {2}\S/.test(line) && section) addRow(section, line.slice(2));
    else if (TITLE.test(line) || /^ {2}\S/.test(lines[at + 1] ?? ''))
      result.sections.push({ title: line.replace(/:$/, ''), rows: [], more: 0 });
    else if (result.sections.length === 0) plain.push(line);
    else result.notes.push(line);
  }
  readHead(result, plain);
  if (result.notes.some((note) => note.startsWith('Nothing here is called '))) result.status = 'unknown';
  if (result.sections.some(({ title }) => title === 'Candidates')) result.status = 'ambiguous';
  return result;
}

/** The signature stands above the place, what the comment says below it. */
function readHead(result: GraphResult, plain: readonly string[]): void {
  const at = plain.slice(0, 2).findIndex((line) => PLACE.test(line) && !/^\[/.test(line));
  const place = at < 0 ? undefined : PLACE.exec(plain[at]!);
  if (!place) {
    result.notes.unshift(...plain);
    return;
  }
  const [, path = '', line, endLine, about = ''] = place;
  Object.assign(result, { path, about });
  if (at === 1) result.signature = plain[0]!;
  if (line !== undefined) result.line = Number(line);
  if (line !== undefined) result.endLine = Number(endLine ?? line);
  const [doc, ...rest] = plain.slice(at + 1);
  const isDoc = doc !== undefined && !/^\[|^(?:\d+ uses? in all|No chain of calls leads)\b/.test(doc);
  if (isDoc) result.doc = doc;
  result.notes.unshift(...(isDoc ? rest : plain.slice(at + 1)));
}

function addRow(section: GraphSection, row: string): void {
  const more = /^… and (\d+) more$/.exec(row);
  if (more) {
    section.more = Number(more[1]);
    return;
  }
  const [before = '', code] = row.split(/ {2}\| (.*)$/s);
  const found = /^(\S.*?)?(?::(\d+))?(?: {2}(.*?))?(?: {2}\(([^()]*(?:\([^()]*\)[^()]*)*)\))?$/.exec(before);
  const [, path = '', line, text = '', notes] = found ?? [];
  section.rows.push({
    path,
    ...(line === undefined ? {} : { line: Number(line) }),
    text,
    notes: notes?.split(', ') ?? [],
    ...(code === undefined ? {} : { code }),
  });
}
