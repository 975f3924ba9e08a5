import * as z from 'zod';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

/** The first index of a large tree takes longer than a model should wait, in milliseconds; it is told then. */
export const PATIENCE_MS = 10_000;
/** Characters of a result. */
export const MAX_CHARS = 8_000;
export const UNFINISHED = 'The index is still being made: there may be more. Ask again later, or use grep_search.';

const DEFAULT_HITS = 10;
const MOST_HITS = 50;

export const codebaseSearch = defineTool({
  name: 'codebase_search',
  description: 'Finds code by plain words or names, best first: `path:lines symbol`.',
  access: 'read',
  parameters: z.object({
    query: z.string().min(1),
    path: z.string().optional(),
    limit: z.int().optional(),
  }),
  paths: ({ path }) => (path === undefined ? [] : [path]),
  run: async ({ query, path, limit = DEFAULT_HITS }, { services, signal }: ToolContext<SessionServices>) => {
    const below = path === undefined ? '' : services.resolve(path, 'read').relative;
    const [{ hitsText, shownHits }, intel] = await Promise.all([
      import('@black-ide/intel'),
      services.code.ready(PATIENCE_MS, signal),
    ]);
    const where = below === '' || below === '.' ? {} : { path: below };
    const most = Math.min(Math.max(limit, 1), MOST_HITS);
    const found = await intel.index.search(query, { limit: most, ...where, signal });
    // A file that may not be read is not told of either.
    const hits = shownHits(
      intel,
      found.filter((hit) => services.mayRead(hit.path)),
    );
    const text = hits.length > 0 ? hitsText(hits, MAX_CHARS) : '[nothing has a word of the query]';
    const note = intel.complete ? '' : `\n[${UNFINISHED}]`;
    return textResult(text + note, { kind: 'codebase_search', query, hits: hits.length });
  },
});
