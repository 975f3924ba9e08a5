import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CodeGraph, CodeReference, CodeSymbol, FileTable } from '../../packages/intel/src/index.ts';
import { CERTAINTIES, type Certainty } from '../../packages/intel/src/index.ts';
import { type CallOracle, type JudgedSite, placeKey, readCallOracle } from './lib/call-oracle.ts';

/** How many claimed edges were right. */
export interface Claims {
  claimed: number;
  right: number;
}

export interface CallEdgeResult {
  /** Distinct edges that the oracle knows. */
  truth: number;
  /** Distinct edges that the graph claims at calls on which the oracle has a verdict. */
  overall: Claims;
  /** The same by the surest certainty with which an edge is claimed. */
  byCertainty: Record<Certainty, Claims>;
  /** Claims at calls of which the oracle knows nothing, as of `any` or an untyped parameter: neither right nor wrong. */
  unknown: number;
  /** Of the claims those that stand where the syntax has no call; they are in `overall` as wrong. */
  offSite: number;
  missed: Example[];
  wrong: Example[];
}

export interface Example {
  site: string;
  name: string;
  /** What the oracle says. */
  truth: string;
  /** What the graph says. */
  claimed: string[];
}

/**
 * Compares the calls that a graph claims with those that a type checker knows.
 *
 * An edge is a pair (caller, callee), counted once however often the caller calls. The callee is a function, method or class
 * that is defined in the tree; a constructor counts as its class. The caller is the innermost named function, method or
 * class around the call, or the file: both sides' callers are taken from one syntax, so that only the callee is judged. Calls
 * are call and construction expressions and JSX elements whose last part is a name.
 *
 * Each target of a claim is one claimed edge: an `ambiguous` claim of five targets of which one is right has one right and
 * four wrong edges. A claim is right when it is so at that very call: one that names the wrong callee stays wrong where the
 * same caller calls that one elsewhere. A claim on a call of something outside the tree is wrong. A claim that names the very variable, parameter
 * or property whose value is called is left out, as it is no call edge; one that names anything else there is wrong. Claims
 * at calls on which the oracle is silent are counted apart (`unknown`): they can't be judged. `strict` figures count each
 * of them as wrong.
 */
export function measureCallEdges(oracle: CallOracle, graph: CodeGraph, files: FileTable): CallEdgeResult {
  const truth = new Map<string, JudgedSite>();
  for (const site of oracle.sites.values()) {
    if (site.verdict === 'edge') truth.set(edgeKey(site.caller, site.target!), site);
  }
  const claimed = new Map<string, Omit<Example, 'claimed'> & { right: boolean; certainty: Certainty }>();
  const unknown = new Set<string>();
  const offSite = new Set<string>();
  const claimsAt = new Map<string, string[]>();
  for (const { reference, symbol } of claimedCalls(oracle, graph, files)) {
    const place = placeKey(reference.path, reference.line - 1, reference.column);
    const site = oracle.sites.get(place);
    const at = placeKey(symbol.path, symbol.nameLine - 1, symbol.nameColumn);
    const target = oracle.definitions.get(at) ?? at;
    note(claimsAt, place, `${at} ${nameOf(symbol)} (${reference.certainty})`);
    if (site?.verdict === 'value' && site.target === target) continue;
    const edge = edgeKey(site?.caller ?? reference.path, target);
    if (site?.verdict === 'unknown') {
      if (!truth.has(edge)) unknown.add(edge);
      continue;
    }
    const right = site?.verdict === 'edge' && site.target === target;
    const key = right ? edge : `${edge}, wrongly`;
    if (site === undefined) offSite.add(key);
    const before = claimed.get(key);
    if (before !== undefined && surer(before.certainty, reference.certainty)) continue;
    const { certainty } = reference;
    claimed.set(key, { right, certainty, site: place, name: symbol.name, truth: verdictOf(site) });
  }
  const result: CallEdgeResult = {
    truth: truth.size,
    overall: { claimed: 0, right: 0 },
    byCertainty: { import: none(), scope: none(), 'unique-name': none(), ambiguous: none() },
    unknown: unknown.size,
    offSite: offSite.size,
    missed: [],
    wrong: [],
  };
  for (const { right, certainty, site, name, truth: said } of claimed.values()) {
    for (const claims of [result.overall, result.byCertainty[certainty]]) {
      claims.claimed += 1;
      if (right) claims.right += 1;
    }
    if (!right) result.wrong.push({ site, name, truth: said, claimed: claimsAt.get(site) ?? [] });
  }
  for (const [key, site] of truth) {
    if (claimed.has(key)) continue;
    const place = placeKey(site.path, site.line, site.column);
    result.missed.push({ site: place, name: site.name, truth: site.target!, claimed: claimsAt.get(place) ?? [] });
  }
  return result;
}

/** Every call from a file that the oracle knows, once for each symbol that it is claimed to go to. */
function* claimedCalls(
  oracle: CallOracle,
  graph: CodeGraph,
  files: FileTable,
): Generator<{ reference: CodeReference; symbol: CodeSymbol }> {
  for (const file of files.ids()) {
    for (const id of graph.symbolsOf(file)) {
      const symbol = graph.symbol(id);
      for (const reference of graph.callers(id)) {
        if (oracle.files.has(reference.path)) yield { reference, symbol };
      }
    }
  }
}

/** Adds up the results of several trees; the examples are left out. */
export function sumOf(results: readonly CallEdgeResult[]): CallEdgeResult {
  const add = (pick: (result: CallEdgeResult) => Claims): Claims => ({
    claimed: results.reduce((sum, result) => sum + pick(result).claimed, 0),
    right: results.reduce((sum, result) => sum + pick(result).right, 0),
  });
  const total = (pick: (result: CallEdgeResult) => number) => results.reduce((sum, result) => sum + pick(result), 0);
  return {
    truth: total((result) => result.truth),
    overall: add((result) => result.overall),
    byCertainty: {
      import: add((result) => result.byCertainty.import),
      scope: add((result) => result.byCertainty.scope),
      'unique-name': add((result) => result.byCertainty['unique-name']),
      ambiguous: add((result) => result.byCertainty.ambiguous),
    },
    unknown: total((result) => result.unknown),
    offSite: total((result) => result.offSite),
    missed: [],
    wrong: [],
  };
}

export function precisionOf({ claimed, right }: Claims): number {
  return claimed === 0 ? Number.NaN : right / claimed;
}

export function recallOf({ truth, overall }: CallEdgeResult): number {
  return overall.right / truth;
}

/** @param strict Claims on which the oracle is silent count as wrong. */
export function f1Of(result: CallEdgeResult, { strict = false } = {}): number {
  const { overall, truth, unknown } = result;
  return (2 * overall.right) / (overall.claimed + (strict ? unknown : 0) + truth);
}

function edgeKey(caller: string, callee: string): string {
  return `${caller} > ${callee}`;
}

function surer(a: Certainty, b: Certainty): boolean {
  return CERTAINTIES.indexOf(a) <= CERTAINTIES.indexOf(b);
}

function none(): Claims {
  return { claimed: 0, right: 0 };
}

function note(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function verdictOf(site: JudgedSite | undefined): string {
  if (site === undefined) return 'no call in the syntax';
  return site.target === undefined ? site.verdict : `${site.verdict} ${site.target}`;
}

function nameOf(symbol: CodeSymbol): string {
  return `${symbol.kind} ${[...symbol.container, symbol.name].join('.')}`;
}

export function printCallEdges(name: string, result: CallEdgeResult): void {
  const { overall, byCertainty, truth, unknown, offSite } = result;
  const percent = (value: number) => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} %`);
  console.log(
    `${name}: F1 ${f1Of(result).toFixed(3)} (strict ${f1Of(result, { strict: true }).toFixed(3)}), ` +
      `precision ${percent(precisionOf(overall))}, recall ${percent(recallOf(result))} of ${truth} edges; ` +
      `${overall.claimed} claimed, ${unknown} more where the oracle is silent, ${offSite} where there is no call`,
  );
  for (const certainty of CERTAINTIES) {
    const claims = byCertainty[certainty];
    console.log(`  ${certainty.padEnd(12)} ${String(claims.claimed).padStart(6)} ${percent(precisionOf(claims))}`);
  }
}

/** Prints every n-th example, and which names are missed or wrong most often. */
export function printExamples(title: string, examples: readonly Example[], count: number): void {
  if (count === 0) return;
  const byName = Map.groupBy(examples, ({ name }) => name);
  const worst = [...byName].sort(([, a], [, b]) => b.length - a.length).slice(0, count);
  console.log(
    `${title} (${examples.length}), most often: ${worst.map(([name, { length }]) => `${name} ${length}`).join(', ')}`,
  );
  const step = Math.max(1, Math.floor(examples.length / count));
  for (let at = 0; at < examples.length && at < step * count; at += step) {
    const { site, name, truth, claimed } = examples[at]!;
    const [path, line, column] = site.split(':');
    console.log(`  ${path}:${Number(line) + 1}:${column} ${name}`);
    console.log(`    oracle: ${truth}`);
    for (const claim of claimed) console.log(`    graph:  ${claim}`);
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      tree: { type: 'string' },
      scip: { type: 'string' },
      missed: { type: 'string', default: '0' },
      wrong: { type: 'string', default: '0' },
    },
  });
  if (values.tree === undefined || values.scip === undefined) {
    console.error('usage: node bench/intel/call-edges.ts --tree DIR --scip FILE [--missed N] [--wrong N]');
    process.exit(2);
  }
  const { openCodeIntelligence } = await import('../../packages/intel/src/index.ts');
  const root = resolve(values.tree);
  const intel = await openCodeIntelligence({ root, folder: undefined });
  await intel.refresh();
  const result = measureCallEdges(await readCallOracle(root, values.scip), intel.graph, intel.files);
  printCallEdges(root, result);
  printExamples('missed', result.missed, Number(values.missed));
  printExamples('wrong', result.wrong, Number(values.wrong));
  await intel.dispose();
}
