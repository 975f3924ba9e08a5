import {
  answerPage,
  askGraph,
  type CodeIntelligence,
  type CodeService,
  GRAPH_ACTIONS,
  hitsText,
  pageText,
  type RefreshProgress,
  RepoMapper,
  shownHits,
} from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { relativeName } from '../code/relative-name.ts';
import { VERSION } from '../version.ts';
import { graphAnswer, mapAnswer, searchAnswer } from './answer-schemas.ts';
import { type Languages, registerLanguageTool } from './language-tool.ts';
import { registerShapeTool } from './shape-tool.ts';

/** A client waits so long for an answer while the first index is made, in milliseconds; then it gets what is known. */
const PATIENCE_MS = 15_000;
/** Of an answer's text, in characters. */
const MOST_TEXT = 8_000;
const MOST_LISTED = 50;
const MAP_TOKENS = 1_500;

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const named = 'a symbol (`name`, `Class.name`, `path:name`, `path:line`) or a file';

/**
 * The server of `black mcp`: tools over the code of one folder, and over its language servers where there are some. None of
 * them changes anything.
 */
export function createCodeServer(service: CodeService, root: string, languages?: Languages): McpServer {
  const server = new McpServer(
    { name: 'black', title: 'Black IDE', version: VERSION },
    {
      instructions: `Answers questions about the code in ${root}: code_graph for symbols and what depends on them, codebase_search for where something is, repo_map for an overview, ast_grep for code by its shape${languages ? ', lsp for what language servers know' : ''}. Paths are relative to that folder.`,
    },
  );
  let mapper: RepoMapper | undefined;

  server.registerTool(
    'code_graph',
    {
      title: 'Code graph',
      description:
        'What a symbol or file is, its callers, callees and references, what may break when it changes (impact), which tests reach it, the chain of calls to another symbol (path), or what nothing uses (dead). Each use says how sure it is.',
      annotations: READS,
      inputSchema: z.object({
        action: z.enum(GRAPH_ACTIONS).default('explain'),
        symbol: z.string().optional().describe(`${named}; for dead a folder, or nothing`),
        to: z.string().optional().describe('for path: the symbol where it ends'),
        depth: z.int().min(1).max(20).optional().describe('for impact and tests: over how many calls'),
        limit: z.int().min(1).max(200).default(MOST_LISTED),
      }),
      outputSchema: graphAnswer,
    },
    ({ action, symbol, to, depth, limit }, context) =>
      answering(context, (intel, signal) => {
        const answer = askGraph(intel, {
          action,
          ...(symbol === undefined ? {} : { of: relativeName(symbol, root) }),
          ...(to === undefined ? {} : { to: relativeName(to, root) }),
          ...(depth === undefined ? {} : { depth }),
          limit,
          signal,
        });
        return { text: pageText(answerPage(answer), MOST_TEXT), data: answer };
      }),
  );

  server.registerTool(
    'codebase_search',
    {
      title: 'Codebase search',
      description:
        'Finds the code about something, best first, by the words in its names, comments, code and paths; for example "retry after a rate limit".',
      annotations: READS,
      inputSchema: z.object({
        query: z.string().min(1).max(2_000),
        path: z.string().optional().describe('only below this folder, or in this file'),
        limit: z.int().min(1).max(50).default(10),
      }),
      outputSchema: searchAnswer,
    },
    ({ query, path, limit }, context) =>
      answering(context, async (intel, signal) => {
        const below = path === undefined ? '.' : relativeName(path, root).replace(/\/+$/, '');
        const where = below === '.' ? {} : { path: below };
        const hits = shownHits(intel, await intel.index.search(query, { limit, ...where, signal }));
        const text = hits.length > 0 ? hitsText(hits, MOST_TEXT) : 'Nothing has a word of the query.';
        return { text: text + unfinished(intel), data: { complete: intel.complete, hits } };
      }),
  );

  server.registerTool(
    'repo_map',
    {
      title: 'Repository map',
      description:
        'The files and symbols that matter most, with signatures, and how the folders connect, within a budget of tokens. With a task: seen from it.',
      annotations: READS,
      inputSchema: z.object({
        tokens: z.int().min(50).max(50_000).default(MAP_TOKENS),
        task: z.string().max(20_000).optional().describe('what is to be done, in words'),
        files: z.array(z.string()).max(100).optional().describe('files that it is about'),
      }),
      outputSchema: mapAnswer,
    },
    ({ tokens, task, files = [] }, context) =>
      answering(context, (intel, signal) => {
        mapper ??= new RepoMapper(intel);
        const about = files.map((file) => relativeName(file, root));
        const { text, ...map } = mapper.map({ tokens, ...(task ? { for: task } : {}), files: about, signal });
        const shown = text === '' ? 'No symbol is known here that fits into so many tokens.' : text;
        return { text: shown + unfinished(intel), data: { complete: intel.complete, ...map } };
      }),
  );
  registerShapeTool(server, root);
  if (languages) registerLanguageTool(server, languages);
  return server;

  /** Waits for the index as far as patience goes, tells of its progress, and makes an error of what a client can mend. */
  async function answering(
    context: ServerContext,
    work: (intel: CodeIntelligence, signal: AbortSignal) => Answer | Promise<Answer>,
  ): Promise<CallToolResult> {
    const { signal } = context.mcpReq;
    try {
      const onProgress = progressTo(context);
      const intel = await service.ready({ patience: PATIENCE_MS, signal, ...(onProgress ? { onProgress } : {}) });
      const { text, data } = await work(intel, signal);
      return { content: [{ type: 'text', text }], structuredContent: { ...data } };
    } catch (cause) {
      if (signal.aborted || !(cause instanceof BlackError)) throw cause;
      const { message, next } = BlackError.toValue(cause);
      return { content: [{ type: 'text', text: next ? `${message} ${next}` : message }], isError: true };
    }
  }
}

/** What an answer tells a model, and what it tells a program. */
interface Answer {
  text: string;
  data: object;
}

function unfinished({ complete }: CodeIntelligence): string {
  return complete ? '' : '\nNot everything is indexed yet: there may be more.';
}

/** Tells a client that wants to know how far the indexing is. */
function progressTo({ mcpReq }: ServerContext): ((progress: RefreshProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = 0;
  return ({ done, total }) => {
    // Progress has to grow from one notification to the next, and a word for each file would be too many.
    if (done <= told || (done < total && done - told < total / 100)) return;
    told = done;
    const params = { progressToken, progress: done, total, message: `Indexing: ${done} of ${total} files` };
    // A client that is gone needs no word.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
