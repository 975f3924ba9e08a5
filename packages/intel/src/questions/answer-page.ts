import type { Certainty } from '../graph/code-graph-api.ts';
import type {
  CalleeFacts,
  FileAnswer,
  GraphAnswer,
  ImportFacts,
  Listed,
  ReachedFacts,
  SymbolFacts,
  UseFacts,
} from './graph-answer.ts';

/** One line of an answer, in its parts. */
export interface PageRow {
  /** `path:line`. */
  place: string;
  /** What is there, e.g. `in Store.save`. */
  text: string;
  /** What else there is to know, e.g. how sure it is. */
  notes: string[];
  /** Code of that line, or what a comment says. */
  code?: string;
}

export interface PageSection {
  /** With how much there is, e.g. `Called by 3 (2 files)`. */
  title: string;
  rows: PageRow[];
  /** How many there are beyond the rows. */
  more: number;
}

/** An answer laid out in lines for a reader, without colours and widths. */
export interface AnswerPage {
  /** What it is about: for a symbol its signature, its place, what it is. */
  head: { signature?: string; place: string; about: string; doc?: string } | undefined;
  sections: PageSection[];
  /** Sentences: what was not found, and what to do. */
  notes: string[];
}

const CERTAIN: Readonly<Record<Certainty, string>> = {
  import: 'import',
  scope: 'scope',
  'unique-name': 'unique name',
  ambiguous: 'ambiguous',
};

/** Lays an answer out. */
export function answerPage(answer: GraphAnswer): AnswerPage {
  const page: AnswerPage = { head: headOf(answer), sections: [], notes: [] };
  const { sections, notes } = page;
  if (answer.status !== 'ok') undecided(answer, page);
  const { callers, callees, references, implementations, impact, tests, dead, file } = answer;
  if (file) sections.push(...fileSections(file, answer.action));
  if (callers) sections.push(section(`Called by ${counted(callers, 'nothing here')}`, callers, useRow));
  if (callees) sections.push(section(`Calls ${counted(callees)}`, callees, calleeRow));
  if (references && answer.action !== 'explain')
    sections.push(section(`Used in ${amount(references, 'place')}`, references, codeRow));
  else if (references && answer.symbol) notes.push(`${amount(references, 'use')} in all.`);
  if (implementations && implementations.total > 0)
    sections.push(section(`Extended or implemented by ${counted(implementations)}`, implementations, symbolRow));
  if (impact) {
    const { files, tests: inTests, depth } = impact;
    const where =
      impact.total > 0
        ? ` in ${plural(files, 'file')}, ${inTests === 0 ? 'no test' : plural(inTests, 'test')} among them`
        : '';
    const title = `May break: ${amount(impact, 'symbol')}${where}, over at most ${plural(depth, 'call')}`;
    sections.push(section(title, impact, reachedRow));
  }
  if (tests) sections.push(section(`Tests that reach it: ${counted(tests, 'none')}`, tests, reachedRow));
  if (answer.to) way(answer, page);
  if (dead) sections.push(section(`Seems to be used by nothing: ${counted(dead, 'none')}`, dead, signatureRow));
  page.sections = sections.filter(({ rows, title }) => rows.length > 0 || !/^Calls 0/.test(title));
  if (!answer.complete) notes.push('Not everything is indexed yet: there may be more.');
  return page;
}

function headOf({ symbol, file }: GraphAnswer): AnswerPage['head'] {
  if (file) return { place: file.path, about: file.language ?? 'file' };
  if (!symbol) return undefined;
  const { path, line, endLine, kind, isTest, exported, signature, doc } = symbol;
  const about = [`${exported ? 'exported ' : ''}${kind} ${symbol.symbol}`, ...(isTest ? ['in tests'] : [])].join(', ');
  return {
    ...(signature ? { signature } : {}),
    place: endLine > line ? `${path}:${line}-${endLine}` : `${path}:${line}`,
    about,
    ...(doc ? { doc } : {}),
  };
}

function undecided({ asked, status, candidates, nearest = [] }: GraphAnswer, { sections, notes }: AnswerPage): void {
  if (status === 'ambiguous' && candidates) {
    notes.push(
      `${asked} is the name of ${candidates.total} symbols. Choose one by its place, e.g. ${example(candidates)}.`,
    );
    sections.push(section('Candidates', candidates, signatureRow));
    return;
  }
  notes.push(`Nothing here is called ${asked}.`);
  if (nearest.length > 0)
    sections.push(section('Names like it', { total: nearest.length, items: nearest }, signatureRow));
}

function example({ items: [first] }: Listed<SymbolFacts>): string {
  return first ? `${first.path}:${first.line}` : 'path:line';
}

function way({ symbol, to, way: steps }: GraphAnswer, { sections, notes }: AnswerPage): void {
  if (!steps) {
    notes.push(`No chain of calls leads from ${symbol?.symbol} to ${to?.symbol}.`);
    return;
  }
  const title = `${symbol?.symbol} reaches ${to?.symbol} over ${plural(steps.length - 1, 'call')}`;
  sections.push(section(title, { total: steps.length, items: steps }, symbolRow));
}

function fileSections({ symbols, imports, importers }: FileAnswer, action: GraphAnswer['action']): PageSection[] {
  const importRow = ({ path }: ImportFacts): PageRow => ({ place: path, text: '', notes: [] });
  const importerRow = ({ path, line }: ImportFacts): PageRow => ({ place: `${path}:${line}`, text: '', notes: [] });
  const all = [
    section(`Defines ${counted(symbols)}`, symbols, (each) => ({ ...signatureRow(each), place: `:${each.line}` })),
    section(`Imports ${counted(imports)}`, imports, importRow),
    section(`Imported by ${counted(importers)}`, importers, importerRow),
  ];
  return action === 'explain' ? all : all.slice(2);
}

function useRow({ path, line, in: user, certainty, kind, times, isTest }: UseFacts): PageRow {
  const notes = [CERTAIN[certainty]];
  if (kind === 'new') notes.push('constructs it');
  if (times > 1) notes.push(`${times} times`);
  if (isTest) notes.push('test');
  return { place: `${path}:${line}`, text: user ? `in ${user}` : 'at the top of the file', notes };
}

function codeRow(use: UseFacts): PageRow {
  const notes = [use.kind, CERTAIN[use.certainty], ...(use.isTest ? ['test'] : [])];
  return { ...useRow(use), notes, ...(use.code ? { code: use.code } : {}) };
}

function calleeRow({ line, to, certainty }: CalleeFacts): PageRow {
  const [first, ...others] = to;
  const at = `called at :${line}`;
  const notes = [CERTAIN[certainty], ...(others.length > 0 ? [`or ${others.length} of the same name`] : []), at];
  return { place: first ? `${first.path}:${first.line}` : '', text: first?.symbol ?? '?', notes };
}

function symbolRow({ path, line, symbol, kind, isTest }: SymbolFacts): PageRow {
  return { place: `${path}:${line}`, text: symbol, notes: [kind, ...(isTest ? ['test'] : [])] };
}

/** With its container before it, which a signature does not tell. */
function signatureRow(facts: SymbolFacts): PageRow {
  const { signature, symbol, kind } = facts;
  const container = symbol.split('.').slice(0, -1).join('.');
  const text = signature ? `${container ? `${container} › ` : ''}${signature}` : `${kind} ${symbol}`;
  return { ...symbolRow(facts), text, notes: [] };
}

function reachedRow(facts: ReachedFacts): PageRow {
  const { depth, certainty, isTest, path, line, symbol } = facts;
  const far = depth === 1 ? 'directly' : `over ${depth} calls`;
  return { place: `${path}:${line}`, text: symbol, notes: [far, CERTAIN[certainty], ...(isTest ? ['test'] : [])] };
}

function section<T>(title: string, list: Listed<T>, row: (each: T) => PageRow): PageSection {
  return { title, rows: list.items.map(row), more: list.total - list.items.length };
}

function counted({ total, atLeast }: Listed<unknown>, none = '0'): string {
  return total === 0 ? none : `${total}${atLeast ? ' or more' : ''}`;
}

function amount(list: Listed<unknown>, one: string): string {
  return `${counted(list)} ${list.total === 1 && !list.atLeast ? one : `${one}s`}`;
}

function plural(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
