import { join } from 'node:path';
import { readLines, realPathOf } from '@black-ide/workspace';
import type { CodeIntelligence, CodeIntelligenceOptions } from './code-intelligence-api.ts';
import { ModuleNames } from './files/module-names.ts';
import { fileCodec } from './files/pack-file.ts';
import { VectorKeeper } from './files/vector-keeper.ts';
import { type CodeParts, WorkspaceCode } from './files/workspace-code.ts';
import { WorkspaceGraph } from './graph/workspace-graph.ts';
import { HybridIndex } from './index/code-index.ts';
import { ParserPool } from './parsing/pool/parser-pool.ts';

/** To be raised with every change of what a parse yields, or of what graph and index store. */
const SCHEMA = '2';
const VECTORS = 'vectors.bin';

/**
 * Opens the code of a workspace: what is stored of it answers at once. Where nothing is stored, or it is damaged or of
 * another version, the first refresh builds all anew. Dispose it: what it knows is stored then.
 */
export async function openCodeIntelligence(options: CodeIntelligenceOptions): Promise<CodeIntelligence> {
  const parts = partsOf({ ...options, root: realPathOf(options.root) });
  return new WorkspaceCode({ ...parts, parser: new ParserPool({ root: parts.root, workers: options.workers }) });
}

/** The parts that a workspace's code is put together from, but for the parser. @param options with a real path as root. */
export function partsOf({
  root,
  folder,
  embedder,
  onDiskChanges,
}: Omit<CodeIntelligenceOptions, 'workers'>): Omit<CodeParts<{ graph: WorkspaceGraph; index: HybridIndex }>, 'parser'> {
  const lines: CodeIntelligence['lines'] = (path, start, end) => readLines(join(root, path), start, end);
  return {
    root,
    folder,
    onDiskChanges,
    schema: SCHEMA,
    codec: fileCodec,
    // Settled in this order: the index lets go of much memory, and then the graph takes the most.
    makeLayers: (files) => ({
      index: new HybridIndex({ files, embedder, readLines: lines }),
      graph: new WorkspaceGraph(files),
    }),
    attach: ({ files, layers: { graph, index }, claim }) => ({
      moduleNames: new ModuleNames({
        files,
        graph,
        readText: (path) => lines(path, 1, Number.POSITIVE_INFINITY)?.join('\n'),
      }),
      vectors:
        index.meaning &&
        new VectorKeeper({
          vectors: index.meaning,
          path: folder === undefined ? folder : join(folder, VECTORS),
          claim,
        }),
    }),
  };
}
