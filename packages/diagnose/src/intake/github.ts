import { BlackError, isRecord } from '@black-ide/protocol';

/** An issue of a repository on GitHub, or all open ones. */
export interface GitHubPlace {
  owner: string;
  repository: string;
  /** Undefined: all open issues. */
  number?: number;
}

export interface GitHubIssue {
  /** As a person opens it in a browser. */
  url: string;
  /** Title, text and comments, as one Markdown text. */
  text: string;
}

export interface GitHubOptions {
  fetch: typeof globalThis.fetch;
  /** Left out: what anybody may read, 60 requests an hour. */
  token?: string | undefined;
  /** Default: https://api.github.com; a company's own server has another. */
  apiUrl?: string | undefined;
  signal: AbortSignal;
}

const API = 'https://api.github.com';
const NAME = '[A-Za-z0-9][A-Za-z0-9_.-]*';
const SHORT = new RegExp(`^(?<owner>${NAME})/(?<repository>${NAME}?)(?:#(?<number>[1-9]\\d{0,9}))?$`);
const LONG = new RegExp(
  `^https?://(?:www\\.)?github\\.com/(?<owner>${NAME})/(?<repository>${NAME}?)(?:\\.git)?(?:/issues(?:/(?<number>[1-9]\\d{0,9}))?)?/?(?:[?#].*)?$`,
);
const PAGE = 100;
/** Of a longer talk the first comments are taken: what was seen is told early. */
const MOST_COMMENTS = 30;
/** More open issues than this are not triaged in one go. */
const MOST_ISSUES = 5_000;

/** Reads `owner/repository`, `owner/repository#7` or an address of either; undefined for anything else. */
export function parseGitHub(text: string): GitHubPlace | undefined {
  const { owner, repository, number } = (SHORT.exec(text.trim()) ?? LONG.exec(text.trim()))?.groups ?? {};
  if (owner === undefined || repository === undefined) return undefined;
  return { owner, repository, ...(number === undefined ? {} : { number: Number(number) }) };
}

/**
 * Fetches issues by GitHub's REST API (docs.github.com/rest/issues), oldest first; pull requests are none.
 * @throws BlackError `not_found`, `rate_limited`, `refused`, `unreachable`, `odd_answer`; the signal's reason.
 */
export async function* fetchIssues(
  place: GitHubPlace,
  options: GitHubOptions,
): AsyncGenerator<GitHubIssue, void, void> {
  const base = `/repos/${place.owner}/${place.repository}/issues`;
  if (place.number !== undefined) {
    yield await withComments(await get(`${base}/${place.number}`, place, options), base, place, options);
    return;
  }
  for (let page = 1; page * PAGE <= MOST_ISSUES; page += 1) {
    const query = `state=open&sort=created&direction=asc&per_page=${PAGE}&page=${page}`;
    const issues = await get(`${base}?${query}`, place, options);
    if (!Array.isArray(issues)) throw oddAnswer(place);
    for (const issue of issues) {
      if (!isRecord(issue) || 'pull_request' in issue) continue;
      yield await withComments(issue, base, place, options);
    }
    if (issues.length < PAGE) return;
  }
}

async function withComments(
  issue: unknown,
  base: string,
  place: GitHubPlace,
  options: GitHubOptions,
): Promise<GitHubIssue> {
  if (!isRecord(issue) || typeof issue.title !== 'string' || typeof issue.number !== 'number') throw oddAnswer(place);
  const comments =
    Number(issue.comments) > 0
      ? await get(`${base}/${issue.number}/comments?per_page=${MOST_COMMENTS}`, place, options)
      : [];
  if (!Array.isArray(comments)) throw oddAnswer(place);
  const said = comments.filter(isRecord).map(({ body }) => `## Comment\n\n${typeof body === 'string' ? body : ''}`);
  const body = typeof issue.body === 'string' ? issue.body : '';
  return {
    url: `https://github.com/${place.owner}/${place.repository}/issues/${issue.number}`,
    text: [`# ${issue.title}`, body, ...said].join('\n\n').trim(),
  };
}

async function get(path: string, place: GitHubPlace, options: GitHubOptions): Promise<unknown> {
  const { fetch, token, apiUrl = API, signal } = options;
  let response: Response;
  try {
    response = await fetch(apiUrl.replace(/\/+$/, '') + path, {
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'black-ide',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    const next = 'Check the network, or save the report in a file and name that.';
    throw new BlackError('unreachable', `GitHub cannot be reached: ${why}.`, next, { cause });
  }
  if (!response.ok) throw await refusal(response, place, token !== undefined);
  try {
    return await response.json();
  } catch {
    signal.throwIfAborted();
    throw oddAnswer(place);
  }
}

async function refusal(response: Response, place: GitHubPlace, hasToken: boolean): Promise<BlackError> {
  await response.body?.cancel();
  const { status, headers } = response;
  const name = `${place.owner}/${place.repository}${place.number === undefined ? '' : `#${place.number}`}`;
  const withToken = 'set GITHUB_TOKEN to a token that may read its issues';
  if (status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')) {
    const at = Number(headers.get('x-ratelimit-reset') ?? 0) * 1000;
    const when = at > 0 ? ` It answers again at ${new Date(at).toISOString().slice(11, 16)} UTC.` : '';
    const next = hasToken ? 'Try again then.' : 'Set GITHUB_TOKEN: it allows 5,000 requests an hour instead of 60.';
    return new BlackError('rate_limited', `GitHub takes no more requests from here for now.${when}`, next);
  }
  if (status === 404 || status === 410) {
    const next = hasToken ? 'Check its name.' : `Check its name; where it is private, ${withToken}.`;
    return new BlackError('not_found', `There is no ${name} on GitHub.`, next);
  }
  return new BlackError('refused', `GitHub refused ${name} (${status}).`, `Try again, or ${withToken}.`);
}

function oddAnswer({ owner, repository }: GitHubPlace): BlackError {
  const next = 'Check GITHUB_API_URL, or save the report in a file and name that.';
  return new BlackError('odd_answer', `What came for ${owner}/${repository} is no answer of GitHub’s.`, next);
}
