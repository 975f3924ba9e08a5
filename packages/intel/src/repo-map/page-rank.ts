/** How likely a walk follows an edge; else it begins anew. The usual value since Brin and Page, 1998. */
const DAMPING = 0.85;
/** The sum of changes at which a round counts as the last. */
const TOLERANCE = 1e-13;
const MOST_ROUNDS = 250;
/** Steps of a rank; what differs below is noise of the computation. */
const STEPS = 1e8;
/** Where a step begins, from 0 to 1. Small graphs have ranks that are simple fractions: none lies just there. */
const BORDER = 0.618034;

export interface WeightedEdges {
  from: Int32Array;
  to: Int32Array;
  weight: Float32Array | Float64Array;
}

export interface RankOptions {
  /** Where a walk begins, and begins anew where a node has no edge: not negative; need not add up to 1. One a node. */
  start: Float64Array;
  /** Ranks of an earlier run to begin with, by node: the nearer, the fewer rounds. What comes out is the same. */
  warm?: Float64Array | undefined;
}

/**
 * Personalised PageRank by power iteration over weighted edges. The highest rank is 1, the others come in steps of a
 * hundred millionth: neither the order of the edges nor a warm start can be seen in what comes out.
 */
export function pageRank(edges: WeightedEdges, { start, warm }: RankOptions): Float64Array {
  const size = start.length;
  const begin = normalised(start);
  const out = new Float64Array(size);
  const { from, to, weight } = edges;
  for (let edge = 0; edge < from.length; edge++) out[from[edge]!]! += weight[edge]!;
  // The part of its node's rank that an edge carries, damped.
  const part = new Float64Array(from.length);
  for (let edge = 0; edge < from.length; edge++) {
    if (weight[edge]! > 0) part[edge] = (DAMPING * weight[edge]!) / out[from[edge]!]!;
  }
  let ranks: Float64Array = normalised(warmStart(begin, warm));
  let next: Float64Array = new Float64Array(size);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let idle = 0;
    for (let node = 0; node < size; node++) if (out[node] === 0) idle += ranks[node]!;
    const again = 1 - DAMPING + DAMPING * idle;
    for (let node = 0; node < size; node++) next[node] = again * begin[node]!;
    for (let edge = 0; edge < from.length; edge++) next[to[edge]!]! += part[edge]! * ranks[from[edge]!]!;
    let change = 0;
    for (let node = 0; node < size; node++) change += Math.abs(next[node]! - ranks[node]!);
    [ranks, next] = [next, ranks];
    if (change < TOLERANCE) break;
  }
  return rounded(ranks);
}

function warmStart(begin: Float64Array, warm: Float64Array | undefined): Float64Array {
  if (!warm) return begin;
  const ranks = begin.slice();
  ranks.set(warm.subarray(0, ranks.length));
  return ranks.some((rank) => rank > 0) ? ranks : begin;
}

function normalised(values: Float64Array): Float64Array {
  let sum = 0;
  for (const value of values) sum += value;
  return sum > 0 ? values.map((value) => value / sum) : values.map(() => 1 / values.length);
}

function rounded(ranks: Float64Array): Float64Array {
  let highest = 0;
  for (const rank of ranks) highest = Math.max(highest, rank);
  return ranks.map((rank) => Math.floor((rank / highest) * STEPS + 1 - BORDER) / STEPS);
}
