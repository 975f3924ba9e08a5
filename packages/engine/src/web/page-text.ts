import type { WebAnswer } from './web-client.ts';

export type PageText = { ok: true; text: string; title?: string } | { ok: false; why: string };

const PLAIN = /^(text\/|application\/([\w.+-]*(json|xml|javascript|yaml|toml|graphql|sql)))/;
const HTML = /^(text\/html|application\/xhtml\+xml)/;

const CUT = { deep: 'is nested too deep to be read', slow: 'takes too long to be read' };

/** A page as text for a model: HTML becomes Markdown, without what is only there for browsers. */
export async function pageText({ url, headers, body }: WebAnswer, signal?: AbortSignal): Promise<PageText> {
  const type = (headers.get('content-type') ?? 'text/plain').trim().toLowerCase();
  if (!PLAIN.test(type) && !HTML.test(type)) {
    // The server's own words: a sentence among them is not ours to pass on.
    const named = /^[\w.+-]{1,60}\/[\w.+-]{1,80}(?=;|$)/.exec(type)?.[0] ?? 'of a type that is none';
    return { ok: false, why: `it is ${named}, ${body.length} bytes; only text can be read` };
  }
  const text = decode(body, type);
  if (!HTML.test(type) && !/^\s*<(!doctype html|html)\b/i.test(text)) return { ok: true, text };
  const title = /<title[^>]{0,200}>([^<]{0,400})/i.exec(text.slice(0, 20_000))?.[1]?.replace(/\s+/g, ' ').trim();
  const { htmlToMarkdown } = await import('./html-to-markdown.ts');
  const { text: markdown, cut } = await htmlToMarkdown(mainPart(text), url, signal ? { signal } : {});
  return {
    ok: true,
    text: cut ? `${markdown}\n[the rest ${CUT[cut]}]` : markdown,
    ...(title ? { title } : {}),
  };
}

/** The one `<main>` or `<article>` of a page, where it has exactly one and that holds most of what there is to read. */
function mainPart(html: string): string {
  for (const tag of ['main', 'article']) {
    const open = new RegExp(`<${tag}[\\s>]`, 'gi');
    const start = open.exec(html)?.index;
    if (start === undefined || open.test(html)) continue;
    let end = 0;
    for (const { index } of html.matchAll(new RegExp(`</${tag}>`, 'gi'))) end = index;
    if (end - start > 500) return html.slice(start, end);
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
