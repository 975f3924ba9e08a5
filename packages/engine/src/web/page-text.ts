import type { WebAnswer } from './web-client.ts';

export type PageText = { ok: true; text: string; title?: string } | { ok: false; why: string };

const PLAIN = /^(text\/|application\/([\w.+-]*(json|xml|javascript|yaml|toml|graphql|sql)))/;
const HTML = /^(text\/html|application\/xhtml\+xml)/;

/** A page as text for a model: HTML becomes Markdown, without what is only there for browsers. */
export async function pageText({ url, headers, body }: WebAnswer): Promise<PageText> {
  const type = (headers.get('content-type') ?? 'text/plain').trim().toLowerCase();
  if (!PLAIN.test(type) && !HTML.test(type)) {
    return { ok: false, why: `it is ${type.split(';')[0]}, ${body.length} bytes; only text can be read` };
  }
  const text = decode(body, type);
  if (!HTML.test(type) && !/^\s*<(!doctype html|html)\b/i.test(text)) return { ok: true, text };
  const title = /<title[^>]*>([^<]{0,400})/i.exec(text.slice(0, 20_000))?.[1]?.replace(/\s+/g, ' ').trim();
  const { htmlToMarkdown } = await import('./html-to-markdown.ts');
  const { text: markdown, cut } = htmlToMarkdown(mainPart(text), url);
  return {
    ok: true,
    text: cut ? `${markdown}\n[the rest is nested too deep to be read]` : markdown,
    ...(title ? { title } : {}),
  };
}

/** The one `<main>` or `<article>` of a page, where it has exactly one and that holds most of what there is to read. */
function mainPart(html: string): string {
  for (const tag of ['main', 'article']) {
    const opens = [...html.matchAll(new RegExp(`<${tag}[\\s>]`, 'gi'))];
    const end = html.toLowerCase().lastIndexOf(`</${tag}>`);
    const start = opens[0]?.index ?? -1;
    if (opens.length === 1 && start >= 0 && end - start > 500) return html.slice(start, end);
  }
  return html;
}

function decode(body: Buffer, type: string): string {
  const named =
    /charset=["']?([\w-]+)/.exec(type)?.[1] ??
    /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(body.toString('latin1', 0, 2_000))?.[1];
  try {
    return new TextDecoder(named ?? 'utf-8').decode(body);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(body);
    throw error;
  }
}
