import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../parsing/file-facts.ts';
import { answersOf } from '../testing/graph-answers.ts';
import { MemoryFileTable } from '../testing/memory-file-table.ts';
import { MemorySections } from '../testing/memory-sections.ts';
import { RANDOM_PATHS, randomFacts } from '../testing/random-facts.ts';
import { WorkspaceGraph } from './workspace-graph.ts';

type Step =
  | { do: 'put'; path: string; facts: FileFacts }
  | { do: 'remove'; path: string }
  | { do: 'ask' | 'settle' | 'settle a bit' | 'store' };

const ALIASES = [{ folder: '', pattern: '@x/*', targets: ['*'] }];
const path = fc.constantFrom(...RANDOM_PATHS);
const put = path.chain((each) => randomFacts(each).map((facts): Step => ({ do: 'put', path: each, facts })));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 2, arbitrary: path.map((each): Step => ({ do: 'remove', path: each })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ do: 'ask' }, { do: 'settle' }, { do: 'settle a bit' }, { do: 'store' }),
  },
);

describe('WorkspaceGraph', () => {
  it('INT-4 answers after any changes as if it had been built anew', () => {
    fc.assert(
      fc.property(fc.array(put, { maxLength: 12 }), fc.array(step, { maxLength: 20 }), (first, then) => {
        const files = new MemoryFileTable();
        let graph = new WorkspaceGraph(files);
        graph.moduleAliases = ALIASES;
        const known = new Map<string, FileFacts>();
        for (const each of [...first, { do: 'ask' } as const, ...then]) {
          graph = carryOut(each, graph, files, known);
        }
        expect(answersOf(graph, files)).toEqual(coldAnswers(known));
      }),
    );
  });
});

function carryOut(
  step: Step,
  graph: WorkspaceGraph,
  files: MemoryFileTable,
  known: Map<string, FileFacts>,
): WorkspaceGraph {
  switch (step.do) {
    case 'put':
      known.set(step.path, step.facts);
      graph.put(files.add(step.path), parsed(step.facts));
      return graph;
    case 'remove': {
      const id = files.idOf(step.path);
      if (id === undefined) return graph;
      known.delete(step.path);
      files.remove(id);
      graph.remove(id);
      return graph;
    }
    case 'ask':
      graph.deadCode();
      return graph;
    case 'settle a bit':
      graph.settle().next();
      return graph;
    case 'settle':
      for (const _ of graph.settle());
      expect(graph.unsettled).toBe(0);
      return graph;
    case 'store': {
      for (const _ of graph.settle());
      const sections = new MemorySections();
      graph.save(sections);
      const loaded = new WorkspaceGraph(files);
      loaded.load(sections);
      return loaded;
    }
  }
}

/** With other numbers of files, put in another order. */
function coldAnswers(known: ReadonlyMap<string, FileFacts>): unknown {
  const files = new MemoryFileTable();
  const graph = new WorkspaceGraph(files);
  graph.moduleAliases = ALIASES;
  for (const [each, facts] of [...known].sort().reverse()) graph.put(files.add(each), parsed(facts));
  for (const _ of graph.settle());
  return answersOf(graph, files);
}

function parsed(facts: FileFacts) {
  return { facts, chunks: { chunks: new Int32Array(), terms: new Uint32Array(), weights: new Uint8Array() } };
}
