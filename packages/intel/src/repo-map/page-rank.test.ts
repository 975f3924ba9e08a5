import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageRank, type WeightedEdges } from './page-rank.ts';

function edgesOf(list: readonly (readonly [from: number, to: number, weight: number])[]): WeightedEdges {
  return {
    from: Int32Array.from(list, ([from]) => from),
    to: Int32Array.from(list, ([, to]) => to),
    weight: Float32Array.from(list, ([, , weight]) => weight),
  };
}

const evenly = (size: number) => new Float64Array(size).fill(1);

/** A graph, and where walks over it begin. */
const graphs = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const node = fc.integer({ min: 0, max: size - 1 });
  const edge = fc.tuple(node, node, fc.integer({ min: 1, max: 20 }));
  const start = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: size, maxLength: size });
  return fc.record({ size: fc.constant(size), edges: fc.array(edge, { maxLength: 40 }), start });
});

/** The same by the definition, with plain numbers: rank = 0.15 start + 0.85 what flows in. */
function byDefinition(size: number, edges: readonly (readonly [number, number, number])[], start: readonly number[]) {
  const sum = start.reduce((a, b) => a + b, 0);
  const begin = start.map((each) => (sum > 0 ? each / sum : 1 / size));
  const out = begin.map((_, node) => edges.filter(([from]) => from === node).reduce((all, [, , w]) => all + w, 0));
  let ranks = begin;
  for (let round = 0; round < 400; round++) {
    const idle = ranks.reduce((all, rank, node) => (out[node] === 0 ? all + rank : all), 0);
    ranks = begin.map((first, node) => {
      const flow = edges
        .filter(([, to]) => to === node)
        .reduce((all, [from, , w]) => all + (ranks[from]! * w) / out[from]!, 0);
      return 0.15 * first + 0.85 * (flow + idle * first);
    });
  }
  const highest = Math.max(...ranks);
  return ranks.map((rank) => rank / highest);
}

describe('pageRank', () => {
  it('INT-14 ranks what is used by much above what is used by little', () => {
    const ranks = pageRank(edgesOf([[0, 2, 1], [1, 2, 1], [0, 1, 1]]), { start: evenly(3) }); // biome-ignore format: a table
    expect(ranks[2]).toBe(1);
    expect(ranks[1]).toBeGreaterThan(ranks[0]!);
  });

  it('INT-14 is what the definition says, for any graph', () => {
    fc.assert(
      fc.property(graphs, ({ size, edges, start }) => {
        const ranks = pageRank(edgesOf(edges), { start: Float64Array.from(start) });
        for (const [node, rank] of byDefinition(size, edges, start).entries()) expect(ranks[node]).toBeCloseTo(rank, 7);
      }),
    );
  });

  it('INT-14 shows neither a warm start nor the order of the edges', () => {
    const warmth = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 14 });
    fc.assert(
      fc.property(graphs, warmth, ({ edges, start }, warm) => {
        const cold = pageRank(edgesOf(edges), { start: Float64Array.from(start) });
        const other = pageRank(edgesOf([...edges].reverse()), {
          start: Float64Array.from(start),
          warm: Float64Array.from(warm),
        });
        expect([...other]).toEqual([...cold]);
      }),
      // Its rank of 0.6748046875 lay on the border between two steps.
      { examples: [[{ size: 2, edges: [[0, 1, 1], [1, 1, 3], [1, 0, 5]], start: [4, 3] }, [0]]] }, // biome-ignore format: a table
    );
  });

  it('INT-14 a walk that begins in one place stays near it', () => {
    const chain = edgesOf([[0, 1, 1], [1, 2, 1], [3, 4, 1], [4, 5, 1]]); // biome-ignore format: a table
    const ranks = pageRank(chain, { start: Float64Array.from([1, 0, 0, 0, 0, 0]) });
    expect([...ranks].map((rank) => rank > 0)).toEqual([true, true, true, false, false, false]);
  });
});
