import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noChunks } from '../index/chunk-facts.ts';
import { answersOf } from '../testing/graph-answers.ts';
import { MemoryFileTable } from '../testing/memory-file-table.ts';
import { MemorySections } from '../testing/memory-sections.ts';
import { factsOf, RANDOM_WORKSPACES, type RandomFile, randomEdit, randomFile } from '../testing/random-facts.ts';
import { WorkspaceGraph } from './workspace-graph.ts';

type Step =
  | { do: 'put'; path: string; file: RandomFile }
  | { do: 'edit'; path: string; edit: (file: RandomFile) => RandomFile }
  | { do: 'remove'; path: string }
  | { do: 'ask' | 'settle' | 'settle a bit' | 'store' };

interface Workspace {
  first: Step[];
  later: Step[];
}

const ALIASES = [{ folder: '', pattern: '@x/*', targets: ['*'] }];

const workspace: fc.Arbitrary<Workspace> = fc.constantFrom(...RANDOM_WORKSPACES).chain((paths) => {
  const path = fc.constantFrom(...paths);
  const put = (each: string): fc.Arbitrary<Step> => randomFile(each).map((file) => ({ do: 'put', path: each, file }));
  const edit = path.chain((each) => randomEdit(each).map((change): Step => ({ do: 'edit', path: each, edit: change })));
  const step = fc.oneof(
    { weight: 6, arbitrary: edit },
    { weight: 1, arbitrary: path.chain(put) },
    { weight: 1, arbitrary: path.map((each): Step => ({ do: 'remove', path: each })) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Step>(
        { do: 'ask' },
        { do: 'ask' },
        { do: 'settle' },
        { do: 'settle a bit' },
        { do: 'store' },
      ),
    },
  );
  return fc.record({ first: fc.tuple(...paths.map(put)), later: fc.array(step, { maxLength: 12 }) });
});

describe('WorkspaceGraph', () => {
  it('INT-4 answers after any changes as if it had been built anew', () => {
    fc.assert(
      fc.property(workspace, ({ first, later }) => {
        const files = new MemoryFileTable();
        const known = new Map<string, RandomFile>();
        let graph = new WorkspaceGraph(files);
        graph.moduleAliases = ALIASES;
        for (const step of [...first, { do: 'ask' } as const, ...later]) graph = carryOut(step, graph, files, known);
        expect(answersOf(graph, files)).toEqual(coldAnswers(known));
      }),
    );
  });
});

function carryOut(
  step: Step,
  graph: WorkspaceGraph,
  files: MemoryFileTable,
  known: Map<string, RandomFile>,
): WorkspaceGraph {
  switch (step.do) {
    case 'put':
      put(graph, files, step.path, step.file);
      known.set(step.path, step.file);
      return graph;
    case 'edit': {
      const file = known.get(step.path);
      return file ? carryOut({ ...step, do: 'put', file: step.edit(file) }, graph, files, known) : graph;
    }
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
      return graph;
    case 'store':
      return stored(graph, files);
  }
}

function stored(graph: WorkspaceGraph, files: MemoryFileTable): WorkspaceGraph {
  for (const _ of graph.settle());
  const sections = new MemorySections();
  graph.save(sections);
  const loaded = new WorkspaceGraph(files);
  loaded.load(sections);
  return loaded;
}

/** With other numbers of files, put in another order. */
function coldAnswers(known: ReadonlyMap<string, RandomFile>): unknown {
  const files = new MemoryFileTable();
  const graph = new WorkspaceGraph(files);
  graph.moduleAliases = ALIASES;
  const paths = [...known.keys()].sort().reverse();
  for (const path of paths) put(graph, files, path, known.get(path)!);
  for (const _ of graph.settle());
  return answersOf(graph, files);
}

function put(graph: WorkspaceGraph, files: MemoryFileTable, path: string, file: RandomFile): void {
  graph.put(files.add(path), { facts: factsOf(path, file), chunks: noChunks() });
}
