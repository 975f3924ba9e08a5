import { BlackError, isRecord } from '@black-ide/protocol';
import type { WebAnswer, WebClient } from './web-client.ts';

export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
}

export type SearchProviderName = 'brave' | 'tavily' | 'searxng' | 'duckduckgo';

export interface SearchProvider {
  name: SearchProviderName;
  /** @throws what `WebClient.request` throws; BlackError `search_failed` */
  search(query: string, count: number, client: WebClient, signal: AbortSignal): Promise<SearchHit[]>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the services are; a test has them on its own machine. */
export interface SearchEndpoints {
  brave: string;
  tavily: string;
  duckduckgo: string;
}

const ENDPOINTS: SearchEndpoints = {
  brave: 'https://api.search.brave.com/res/v1/web/search',
  tavily: 'https://api.tavily.com/search',
  duckduckgo: 'https://html.duckduckgo.com/html/',
};

/**
 * The search service that the environment names: `BLACK_SEARCH_PROVIDER`, else the one there is a key or address for
 * (`BRAVE_API_KEY`, `TAVILY_API_KEY`, `SEARXNG_URL`), else DuckDuckGo's page for browsers without scripts, which needs no
 * key.
 */
export function searchProvider(env: Environment, endpoints: SearchEndpoints = ENDPOINTS): SearchProvider {
  const brave = env.BRAVE_API_KEY || env.BRAVE_SEARCH_API_KEY;
  const { TAVILY_API_KEY: tavily, SEARXNG_URL: searxng } = env;
  const wanted = env.BLACK_SEARCH_PROVIDER?.toLowerCase();
  const isWanted = (name: SearchProviderName) => wanted === undefined || wanted === '' || wanted === name;
  if (brave && isWanted('brave')) return braveProvider(endpoints.brave, brave);
  if (tavily && isWanted('tavily')) return tavilyProvider(endpoints.tavily, tavily);
  if (searxng && isWanted('searxng')) return searxngProvider(searxng);
  return duckDuckGoProvider(endpoints.duckduckgo);
}

/** Brave Search API, `GET /res/v1/web/search`. */
function braveProvider(endpoint: string, key: string): SearchProvider {
  return {
    name: 'brave',
    search: async (query, count, client, signal) => {
      const url = `${endpoint}?${new URLSearchParams({ q: query, count: String(count) })}`;
      const headers = { accept: 'application/json', 'x-subscription-token': key };
      const json = jsonOf(await client.request(url, signal, { headers }), 'Brave');
      const { web } = json;
      return hitsOf(isRecord(web) ? web.results : undefined, 'description');
    },
  };
}

/** Tavily, `POST /search`. */
function tavilyProvider(endpoint: string, key: string): SearchProvider {
  return {
    name: 'tavily',
    search: async (query, count, client, signal) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const body = JSON.stringify({ query, max_results: count });
      const json = jsonOf(await client.request(endpoint, signal, { method: 'POST', headers, body }), 'Tavily');
      return hitsOf(json.results, 'content');
    },
  };
}

/** SearXNG, `GET /search?format=json`; the server must have that format switched on. */
function searxngProvider(server: string): SearchProvider {
  return {
    name: 'searxng',
    search: async (query, count, client, signal) => {
      const url = `${server.replace(/\/+$/, '')}/search?${new URLSearchParams({ q: query, format: 'json' })}`;
      const json = jsonOf(await client.request(url, signal, { headers: { accept: 'application/json' } }), 'SearXNG');
      return hitsOf(json.results, 'content').slice(0, count);
    },
  };
}

/** DuckDuckGo without scripts: results are `a.result__a` and `.result__snippet`, addresses in the parameter `uddg`. */
function duckDuckGoProvider(endpoint: string): SearchProvider {
  return {
    name: 'duckduckgo',
    search: async (query, count, client, signal) => {
      const answer = await client.request(`${endpoint}?${new URLSearchParams({ q: query })}`, signal);
      if (answer.status !== 200) throw failed('DuckDuckGo', answer.status);
      return parseDuckDuckGo(answer.body.toString('utf8')).slice(0, count);
    },
  };
}

/** Of a page of results; the patterns below look ahead at every link. */
const MOST_RESULTS_CHARS = 500_000;

/** The results on a page of DuckDuckGo; advertisements are left out. */
export function parseDuckDuckGo(html: string): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const part of html
    .slice(0, MOST_RESULTS_CHARS)
    .split(/<a[^>]{0,400}class="result__a"/)
    .slice(1)) {
    const [, href = '', title = ''] =
      /^[^>]{0,2000}?href="([^"]{1,4000})"[^>]{0,400}>(.{0,2000}?)<\/a>/s.exec(part) ?? [];
    const snippet = /class="result__snippet"[^>]{0,4000}>(.{0,4000}?)<\/(?:a|div|td)>/s.exec(part)?.[1] ?? '';
    const link = URL.parse(unescapeHtml(href), 'https://duckduckgo.com');
    const url = link?.searchParams.get('uddg') ?? link?.href;
    if (!url || !/^https?:/.test(url) || /^https:\/\/duckduckgo\.com\/y\.js/.test(url)) continue;
    hits.push({ title: plain(title), url, snippet: plain(snippet) });
  }
  return hits;
}

function jsonOf({ status, body }: WebAnswer, who: string): Record<string, unknown> {
  if (status !== 200) throw failed(who, status);
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (isRecord(json)) return json;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw new BlackError('search_failed', `${who} answered something that is no JSON object.`);
}

function failed(who: string, status: number): BlackError {
  const next = status === 401 || status === 403 ? 'Its key or address in the environment does not fit.' : undefined;
  return new BlackError('search_failed', `${who} answered with status ${status}.`, next);
}

function hitsOf(results: unknown, snippetField: string): SearchHit[] {
  if (!Array.isArray(results)) return [];
  return results.filter(isRecord).flatMap((result) => {
    const { title, url } = result;
    if (typeof url !== 'string' || !/^https?:/.test(url)) return [];
    return [{ title: plain(String(title ?? '')), url, snippet: plain(String(result[snippetField] ?? '')) }];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    return ENTITIES[String(name).toLowerCase()] ?? whole;
  });
}

/** Text without tags, on one line. */
function plain(html: string): string {
  return unescapeHtml(html.replaceAll(/<[^<>]{0,400}>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
}
