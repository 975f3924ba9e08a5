import type { WebAnswer, WebClient } from './web-client.ts';

const MAX_REDIRECTS = 5;

export type FetchedPage =
  | { kind: 'page'; answer: WebAnswer }
  /** The address leads to another host, which nobody has allowed. */
  | { kind: 'elsewhere'; from: URL; to: string };

/**
 * Fetches a page and follows redirects within its host, each checked like the first address. Another host is a matter of
 * another call: the person allowed this one.
 *
 * @throws what `WebClient.request` throws
 */
export async function fetchPage(client: WebClient, address: string, signal: AbortSignal): Promise<FetchedPage> {
  let answer = await client.request(address, signal, ACCEPT);
  for (let n = 0; n < MAX_REDIRECTS; n += 1) {
    const to = redirectOf(answer);
    if (!to) return { kind: 'page', answer };
    if (bareHost(to) !== bareHost(answer.url) || (answer.url.protocol === 'https:' && to.protocol !== 'https:')) {
      return { kind: 'elsewhere', from: answer.url, to: to.href };
    }
    answer = await client.request(to.href, signal, ACCEPT);
  }
  const to = redirectOf(answer);
  return to ? { kind: 'elsewhere', from: answer.url, to: to.href } : { kind: 'page', answer };
}

const ACCEPT = {
  headers: { accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5' },
};

function redirectOf({ status, headers, url }: WebAnswer): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  return URL.parse(headers.get('location') ?? '', url.href) ?? undefined;
}

/** Host and port; a standard port is that of https too, and `www.` is the same owner's. */
function bareHost({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}`;
}
