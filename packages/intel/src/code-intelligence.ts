import { join } from 'node:path';
import { readLines, realPathOf } from '@black-ide/workspace';
import type { CodeIntelligence, CodeIntelligenceOptions } from './code-intelligence-api.ts';
import { ModuleNames } from './files/module-names.ts';
import { fileCodec } from './files/pack-file.ts';
import { VectorKeeper } from './files/vector-keeper.ts';
import { WorkspaceCode } from './files/workspace-code.ts';
import { WorkspaceGraph } from './graph/workspace-graph.ts';
import { HybridIndex } from './index/code-index.ts';
import { ParserPool } from './parsing/pool/parser-pool.ts';

/** To be raised with every change of what a parse yields, or of what graph and index store. */
const SCHEMA = '1';
const VECTORS = 'vectors.bin';

/**
 * Opens the code of a workspace: what is stored of it answers at once. Where nothing is stored, or it is damaged or of
 * another version, the first refresh builds all anew. Dispose it: what it knows is stored then.
 */
export async function openCodeIntelligence(options: CodeIntelligenceOptions): Promise<CodeIntelligence> {
  const { folder, workers, embedder } = options;
  const root = realPathOf(options.root);
  const lines: CodeIntelligence['lines'] = (path, start, end) => readLines(join(root, path), start, end);
  return new WorkspaceCode({
    root,
    folder,
    schema: SCHEMA,
    codec: fileCodec,
    parser: new ParserPool(workers === undefined ? { root } : { root, workers }),
    makeLayers: (files) => ({
      graph: new WorkspaceGraph(files),
      index: new HybridIndex({ files, embedder, readLines: lines }),
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
          path: folder === undefined ? undefined : join(folder, VECTORS),
          claim,
        }),
    }),
  });
}
