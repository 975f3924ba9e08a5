import { askGraph, type GraphQuery } from '../ask.ts';
import type { Request } from '../grammar/request.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { code, paragraphs } from '../render.ts';
import type { GraphResult } from '../results/graph-result.ts';
import { definedLine, nearestNames, sectionOf, sectionText, sources, whichSymbol } from './graph-text.ts';
import { uses } from './uses.ts';

type Asked<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;

/** What only the graph can tell: a text search is no answer to it, but its mentions are better than nothing. */
const NO_GRAPH = 'This takes the code graph (the tool `code_graph`), which this mode does not have or could not open.';

/** What may break when X changes, what X calls, which tests reach it. */
export function* follow(request: Asked<'impact' | 'callees' | 'tested'>, tools: ToolSet): Plan {
  const { kind, symbol } = request;
  const action = kind === 'tested' ? 'tests' : kind;
  const result = yield* askGraph({ action, symbol }, tools);
  const other = yield* instead(symbol, result, tools, (example) => ASKS[kind](example));
  if (other !== undefined) return other;
  return kind === 'impact'
    ? impactText(symbol, result!)
    : kind === 'callees'
      ? callsText(symbol, result!)
      : testsText(symbol, result!);
}

const ASKS: Record<'impact' | 'callees' | 'tested' | 'way', (name: string) => string> = {
  impact: (name) => `impact of ${name}`,
  callees: (name) => `callees of ${name}`,
  tested: (name) => `which tests cover ${name}`,
  way: (name) => `path from ${name} to …`,
};

/** The answer where the graph has none of its own: a choice, or what a text search finds. */
function* instead(
  symbol: string,
  result: GraphResult | undefined,
  tools: ToolSet,
  how: (example: string) => string,
): Plan<string | undefined> {
  if (result?.status === 'ok') return undefined;
  if (result?.status === 'ambiguous') return whichSymbol(symbol, result, how);
  const lead = result
    ? `The code graph knows nothing called ${code(symbol)}. ${nearestNames(result)}`.trim()
    : NO_GRAPH;
  return paragraphs(lead, yield* uses({ kind: 'uses', symbol }, tools, { onlyText: true }));
}

function impactText(name: string, result: GraphResult): string {
  const impact = sectionOf(result, /^May break/);
  const near = impact?.rows.filter(({ notes }) => !notes.includes('test')) ?? [];
  const tests = impact?.rows.filter(({ notes }) => notes.includes('test')) ?? [];
  return paragraphs(
    introduction(name, result),
    impact && impact.rows.length > 0
      ? `${impact.title}.`
      : `Nothing here calls it, as far as the graph sees: a change of ${code(name)} breaks no caller.`,
    sectionText('Callers and their callers, the surest and nearest first', impact && { rows: near, more: impact.more }),
    sectionText('Tests among them', { rows: tests, more: 0 }),
    sectionText('Imported by', sectionOf(result, /^Imported by/)),
    sources(result),
  );
}

function callsText(name: string, result: GraphResult): string {
  const calls = sectionOf(result, /^Calls/);
  return paragraphs(
    introduction(name, result),
    sectionText(`It calls, in this order`, calls) ?? 'It calls nothing that is defined here.',
    sources(result),
  );
}

function testsText(name: string, result: GraphResult): string {
  const tests = sectionOf(result, /^Tests that reach it/);
  return paragraphs(
    introduction(name, result),
    sectionText('Tests that reach it, the nearest first', tests) ??
      'No test reaches it, as far as the graph sees: what tests start by other means (a command, a page) it cannot see.',
    sources(result),
  );
}

function introduction(name: string, result: GraphResult): string {
  return result.line === undefined ? `${code(result.path ?? name)}:` : definedLine(name, result);
}

/** How A comes to call B; where it does not, how B comes to call A. */
export function* connect({ from, to }: Asked<'way'>, tools: ToolSet): Plan {
  const there = yield* askGraph({ action: 'path', symbol: from, to }, tools);
  const other = yield* instead(from, there, tools, ASKS.way);
  if (other !== undefined) return there ? other : NO_GRAPH;
  const way = wayText(there!);
  if (way) return way;
  const back = yield* askGraph({ action: 'path', symbol: to, to: from }, tools);
  const reverse = back && wayText(back);
  const none = `No chain of calls leads from ${code(from)} to ${code(to)}`;
  return reverse
    ? paragraphs(`${none}; the other way round there is one.`, reverse)
    : paragraphs(`${none}, nor back, as far as the graph sees.`, sources(there!));
}

function wayText(result: GraphResult): string | undefined {
  const way = sectionOf(result, /\breaches\b/);
  return (
    way &&
    paragraphs(`${way.title}:`, way.rows.map((row, at) => `${at + 1}. ${rowOf(row)}`).join('\n'), sources(result))
  );
}

function rowOf({ path, line, text }: GraphResult['sections'][number]['rows'][number]): string {
  return `${code(`${path}:${line}`)} ${code(text)}`;
}

/** What nothing uses. */
export function* unused({ place }: Asked<'unused'>, tools: ToolSet): Plan {
  const query: GraphQuery = { action: 'dead', ...(place ? { symbol: place } : {}) };
  const result = yield* askGraph(query, tools);
  if (!result) return NO_GRAPH;
  const where = place ? ` in ${code(place)}` : '';
  const dead = sectionOf(result, /^Seems to be used by nothing/);
  const list = sectionText(`Nothing here seems to use these${where}`, dead);
  return paragraphs(
    list ?? `Everything${where} is used by something, as far as the graph sees.`,
    list && 'Candidates only: what a framework calls by its name, or another program uses, looks unused from here.',
    sources(result),
  );
}
