import * as z from 'zod';
import { wrapAsData } from '../web/wrap-as-data.ts';
import { defineTool, errorResult, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_CHARS = 40_000;

/** Reads a page of the public web. */
export const webFetch = defineTool({
  name: 'web_fetch',
  description: 'Reads a public web page (`url`) as Markdown. A long page is cut; go on with `offset`, in characters.',
  access: 'network',
  rare: true,
  parameters: z.object({ url: z.string().min(1), offset: z.int().min(0).optional() }),
  url: ({ url }) => url,
  run: async ({ url, offset = 0 }, { services, signal }: ToolContext<SessionServices>) => {
    const [{ fetchPage }, { pageText }] = await Promise.all([
      import('../web/fetch-page.ts'),
      import('../web/page-text.ts'),
    ]);
    // Of addresses and headers only the model's own stand outside the marks: a redirect's can be a sentence.
    const fetched = await fetchPage(await services.web('pages'), url, signal);
    const asked = new URL(url.trim()).href;
    if (fetched.kind === 'elsewhere') {
      const { from, to } = fetched;
      const shown = wrapAsData(`${asked} leads to another place; fetch that if it is wanted.`, 'web_page', to);
      return textResult(shown, { kind: 'web', url: from.href, redirect: to });
    }
    const { answer } = fetched;
    const page = await pageText(answer, signal);
    const details = { kind: 'web', url: answer.url.href, status: answer.status, bytes: answer.body.length };
    if (!page.ok) return errorResult(`${asked}: ${page.why}.`, details);
    const text = page.text.slice(offset, offset + MAX_CHARS).toWellFormed();
    const end = offset + text.length;
    const notes = [
      end < page.text.length || offset > 0
        ? `[characters ${offset}-${end} of ${page.text.length}${end < page.text.length ? `; go on with offset ${end}` : ''}]`
        : '',
      answer.cut ? '[the page is longer than what was read of it]' : '',
    ].filter((note) => note !== '');
    const head = [
      ...(answer.url.href === asked ? [] : [`Address: ${answer.url.href}`]),
      ...(page.title ? [`Title: ${page.title}`] : []),
    ];
    const about = `${asked} (status ${answer.status}).`;
    const data = head.length > 0 ? `${head.join('\n')}\n\n${text}` : text;
    const shown = [wrapAsData(about, 'web_page', data), ...notes].join('\n');
    return answer.status >= 400 ? errorResult(shown, details) : textResult(shown, details);
  },
});
