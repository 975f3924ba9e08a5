import { BlackError } from '@black-ide/protocol';
import * as z from 'zod';
import { wrapAsData } from '../web/wrap-as-data.ts';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_SNIPPET_CHARS = 400;

/** Asks a search service; that there is no network is a result, not a failure (IDE-73). */
export const webSearch = defineTool({
  name: 'web_search',
  description: 'Searches the web (`query`). Answers titles, addresses and snippets; web_fetch reads a page.',
  access: 'network',
  rare: true,
  parameters: z.object({ query: z.string().min(1).max(400), count: z.int().min(1).max(20).optional() }),
  run: async ({ query, count = 8 }, { services, signal }: ToolContext<SessionServices>) => {
    const { searchProvider } = await import('../web/search-web.ts');
    const provider = searchProvider(services.webEnvironment);
    try {
      const hits = await provider.search(query, count, await services.web('search'), signal);
      const details = { kind: 'web_search', query, provider: provider.name, hits: hits.length };
      if (hits.length === 0) return textResult(`Nothing was found for “${query}” (${provider.name}).`, details);
      const lines = hits.map(
        ({ title, url, snippet }, n) =>
          `${n + 1}. ${title}\n   ${url}\n   ${snippet.slice(0, MAX_SNIPPET_CHARS).toWellFormed()}`,
      );
      return textResult(
        wrapAsData(`Results for “${query}” (${provider.name}).`, 'search_results', lines.join('\n')),
        details,
      );
    } catch (cause) {
      if (signal.aborted || !(cause instanceof BlackError)) throw cause;
      const { message, next, code } = BlackError.toValue(cause);
      const said = `The web could not be searched: ${message}${next ? ` ${next}` : ''} Go on without, or say what is missing.`;
      return textResult(said, { kind: 'web_search', query, provider: provider.name, hits: 0, problem: code });
    }
  },
});
