import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchIssues, type GitHubOptions, type GitHubPlace, parseGitHub } from './github.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that speaks as GitHub's REST API does. */
async function gitHub(answer: Answer) {
  const asked: { path: string; token: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url!, token: request.headers.authorization });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { asked, options: { fetch, apiUrl, signal: new AbortController().signal } satisfies GitHubOptions };
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
const PLACE: GitHubPlace = { owner: 'pallets', repository: 'flask', number: 7 };

async function all(place: GitHubPlace, options: GitHubOptions) {
  const found = [];
  for await (const issue of fetchIssues(place, options)) found.push(issue);
  return found;
}

describe('parseGitHub', () => {
  it.each([
    ['pallets/flask', { owner: 'pallets', repository: 'flask' }],
    ['pallets/flask#7', PLACE],
    ['https://github.com/pallets/flask/issues/7', PLACE],
    ['https://github.com/pallets/flask/issues/7#issuecomment-1', PLACE],
    ['https://github.com/pallets/flask.git', { owner: 'pallets', repository: 'flask' }],
    [' https://www.github.com/pallets/flask/issues/ ', { owner: 'pallets', repository: 'flask' }],
    ['socketio/socket.io#12', { owner: 'socketio', repository: 'socket.io', number: 12 }],
    ['report.md', undefined],
    ['./pallets/flask', undefined],
    ['a/b/c', undefined],
    ['../x', undefined],
    ['pallets/flask#0', undefined],
    ['https://github.com.evil.example/pallets/flask', undefined],
    ['https://gitlab.com/pallets/flask/issues/7', undefined],
  ])('DX-1 reads %s', (text, place) => {
    expect(parseGitHub(text)).toEqual(place);
  });
});

describe('fetchIssues', () => {
  it('DX-1 brings an issue with its comments, as one text', async () => {
    const { asked, options } = await gitHub((request, response) => {
      const isComments = request.url!.includes('/comments');
      const issue = { number: 7, title: 'It crashes', body: 'At start.', comments: 1 };
      json(isComments ? [{ body: 'Here, too.' }] : issue)(request, response);
    });
    expect(await all(PLACE, { ...options, token: 'secret' })).toEqual([
      {
        url: 'https://github.com/pallets/flask/issues/7',
        text: '# It crashes\n\nAt start.\n\n## Comment\n\nHere, too.',
      },
    ]);
    expect(asked).toEqual([
      { path: '/repos/pallets/flask/issues/7', token: 'Bearer secret' },
      { path: '/repos/pallets/flask/issues/7/comments?per_page=30', token: 'Bearer secret' },
    ]);
  });

  it('DX-12 brings all open issues, page by page, and no pull requests', async () => {
    const { asked, options } = await gitHub((request, response) => {
      const page = Number(new URL(request.url!, 'http://x').searchParams.get('page'));
      const issues = Array.from({ length: page === 1 ? 100 : 2 }, (_, at) => ({
        number: page * 1000 + at,
        title: `Bug ${at}`,
        body: null,
        comments: 0,
        ...(at === 1 ? { pull_request: {} } : {}),
      }));
      json(issues)(request, response);
    });
    const { number, ...repository } = PLACE;
    const issues = await all(repository, options);
    expect(number).toBe(7);
    expect(issues).toHaveLength(100);
    expect(issues.at(-1)).toEqual({ url: 'https://github.com/pallets/flask/issues/2000', text: '# Bug 0' });
    expect(asked.map(({ token }) => token)).toEqual([undefined, undefined]);
  });

  it.each([
    [404, {}, 'not_found', /There is no pallets\/flask#7/, /GITHUB_TOKEN/],
    [
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' },
      'rate_limited',
      /again at 08:00 UTC/,
      /5,000/,
    ],
    [429, {}, 'rate_limited', /no more requests/, /GITHUB_TOKEN/],
    [500, {}, 'refused', /\(500\)/, /Try again/],
  ] as const)('DX-1 says what to do at %d', async (status, headers, code, message, next) => {
    const { options } = await gitHub(json({ message: 'no' }, status, headers));
    await expect(all(PLACE, options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      next: expect.stringMatching(next),
    });
  });

  it('DX-1 takes nothing for an answer that is none, and says when nobody answers', async () => {
    const page = await gitHub((_, response) => void response.end('<html>Sign in</html>'));
    await expect(all(PLACE, page.options)).rejects.toMatchObject({ code: 'odd_answer' });
    const other = await gitHub(json({ title: 7 }));
    await expect(all(PLACE, other.options)).rejects.toMatchObject({ code: 'odd_answer' });
    const nobody = { ...other.options, apiUrl: 'http://127.0.0.1:1' };
    await expect(all(PLACE, nobody)).rejects.toMatchObject({
      code: 'unreachable',
      next: expect.stringMatching(/file/),
    });
  });

  it('DX-1 ends when it is cancelled', async () => {
    const stop = new AbortController();
    const { options } = await gitHub(() => stop.abort(new Error('enough')));
    await expect(all(PLACE, { ...options, signal: stop.signal })).rejects.toThrow('enough');
  });
});
