import * as z from 'zod';
import { wrapAsData } from '../web/wrap-as-data.ts';
import { defineTool, errorResult, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_CHARS = 40_000;

/** Reads a page of the public web. */
export const webFetch = defineTool({
  name: 'web_fetch',
  description:
    'Reads a page of the public web (`url`) as Markdown. A long page is cut; go on with `offset`, in characters.',
  access: 'network',
  rare: true,
  parameters: z.object({ url: z.string().min(1), offset: z.int().min(0).optional() }),
  url: ({ url }) => url,
  run: async ({ url, offset = 0 }, { services, signal }: ToolContext<SessionServices>) => {
    const [{ fetchPage }, { pageText }] = await Promise.all([
      import('../web/fetch-page.ts'),
      import('../web/page-text.ts'),
    ]);
    const fetched = await fetchPage(await services.web('pages'), url, signal);
    if (fetched.kind === 'elsewhere') {
      return textResult(
        `${fetched.from.href} leads to another place: ${fetched.to}\nFetch that address if it is wanted.`,
        {
          kind: 'web',
          url: fetched.from.href,
          redirect: fetched.to,
        },
      );
    }
    const { answer } = fetched;
    const page = await pageText(answer);
    const details = { kind: 'web', url: answer.url.href, status: answer.status, bytes: answer.body.length };
    if (!page.ok) return errorResult(`${answer.url.href}: ${page.why}.`, details);
    const text = page.text.slice(offset, offset + MAX_CHARS).toWellFormed();
    const end = offset + text.length;
    const title = page.title ? `“${page.title}”, ` : '';
    const notes = [
      end < page.text.length || offset > 0
        ? `[characters ${offset}-${end} of ${page.text.length}${end < page.text.length ? `; go on with offset ${end}` : ''}]`
        : '',
      answer.cut ? '[the page is longer than what was read of it]' : '',
    ].filter((note) => note !== '');
    const about = `${answer.url.href} (${title}status ${answer.status}).`;
    const shown = [wrapAsData(about, 'web_page', text), ...notes].join('\n');
    return answer.status >= 400 ? errorResult(shown, details) : textResult(shown, details);
  },
});
