import { existsSync } from 'node:fs';
import { CERTAINTIES, openCodeIntelligence } from '../../packages/intel/src/index.ts';
import type { Bench, Row, Skipped } from '../lib/row.ts';
import { type CallEdgeResult, f1Of, measureCallEdges, precisionOf, recallOf, sumOf } from './call-edges.ts';
import { readCallOracle } from './lib/call-oracle.ts';
import { findTree, ORACLE_TREES, oracleFile } from './lib/trees.ts';
import { measureSearchQuality } from './search-quality.ts';

const LEAST_QUESTIONS = 500;

/** How right the answers are: of the search and of the graph. */
export const quality: Bench = async (options) => [...(await search(options)), ...(await callEdges(options))];

/** Documented functions that have to be found by what their comments say. */
const search: Bench = async ({ rounds }) => {
  const what = 'a function by its doc comment, MRR@10';
  const tree = findTree('python-stdlib', what);
  if (typeof tree !== 'string') return [tree];
  const found = await measureSearchQuality(tree, openCodeIntelligence, rounds < 3 ? LEAST_QUESTIONS : undefined);
  return [
    {
      what,
      ours: found.mrr.toFixed(3),
      reference: `${found.plainMrr.toFixed(3)} by plain words`,
      value: found.mrr,
      limit: 0.38,
      atLeast: true,
      unit: '',
      note: `python-stdlib, ${found.questions} questions in ${found.chunks} chunks; ${(100 * found.found).toFixed(0)} % among the first ten`,
    },
  ];
};

/** Call edges against what the type checkers behind SCIP indexes say. */
const callEdges: Bench = async ({ rounds }) => {
  const rows: (Row | Skipped)[] = [];
  const results: CallEdgeResult[] = [];
  for (const [indexer, trees] of Object.entries(ORACLE_TREES)) {
    const found: CallEdgeResult[] = [];
    for (const tree of rounds < 3 ? trees.slice(-1) : trees) {
      const result = await callEdgesOf(tree);
      if ('skipped' in result) rows.push(result);
      else found.push(result);
    }
    if (found.length > 0) rows.push(...rowsOf(indexer, sumOf(found)));
    results.push(...found);
  }
  return results.length === 0 ? rows : [...rows, ...rowsOf('all trees', sumOf(results))];
};

async function callEdgesOf(tree: string): Promise<CallEdgeResult | Skipped> {
  const what = `call edges of ${tree}`;
  const root = findTree(tree, what);
  if (typeof root !== 'string') return root;
  const scip = oracleFile(tree);
  if (!existsSync(scip)) return { what, skipped: `skipped: no ${scip}; see node bench/intel/get-trees.ts` };
  const intel = await openCodeIntelligence({ root, folder: undefined });
  try {
    await intel.refresh();
    return measureCallEdges(await readCallOracle(root, scip), intel.graph, intel.files);
  } finally {
    await intel.dispose();
  }
}

function rowsOf(against: string, result: CallEdgeResult): Row[] {
  const { byCertainty, overall, truth, unknown } = result;
  const shares = CERTAINTIES.map(
    (each) => `${each} ${precisionOf(byCertainty[each]).toFixed(2)} of ${byCertainty[each].claimed}`,
  );
  const known = `${f1Of(result).toFixed(3)} without the ${unknown} edges of which the oracle knows nothing`;
  return [
    {
      what: `call edges, ${against}: F1`,
      ours: `precision ${precisionOf(overall).toFixed(2)}, recall ${recallOf(result).toFixed(2)}`,
      reference: `${truth} edges`,
      value: f1Of(result, { strict: true }),
      limit: 0.6,
      atLeast: true,
      unit: '',
      note: `${known}; precision: ${shares.join(', ')}`,
    },
    {
      what: `call edges, ${against}: precision of "by import"`,
      ours: `${byCertainty.import.right} right`,
      reference: `${byCertainty.import.claimed} edges`,
      value: precisionOf(byCertainty.import),
      limit: 0.9,
      atLeast: true,
      unit: '',
    },
  ];
}
