import { existsSync } from 'node:fs';
import { CERTAINTIES } from '../../packages/intel/src/graph/code-graph-api.ts';
import { openCodeIntelligence } from '../../packages/intel/src/index.ts';
import type { Bench, Row, Skipped } from '../lib/row.ts';
import { type CallEdgeResult, f1Of, measureCallEdges, precisionOf, recallOf, sumOf } from './call-edges.ts';
import { readCallOracle } from './lib/call-oracle.ts';
import { findTree, ORACLE_TREES, oracleFile } from './lib/trees.ts';

/** How right the graph's call edges are, against what the type checkers behind SCIP indexes say. */
export const quality: Bench = async ({ rounds }) => {
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
