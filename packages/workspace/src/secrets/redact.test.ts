import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redact, redactValue, secretValues } from './redact.ts';

const A40 = 'a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0';
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${A40}\n${A40}\n-----END RSA PRIVATE KEY-----`;

describe('redact', () => {
  it.each([
    ['a private key', `before ${PEM} after`, A40],
    ['a private key without its end', `-----BEGIN OPENSSH PRIVATE KEY-----\n${A40}\n${A40}`, A40],
    ['a private key in JSON', JSON.stringify({ text: PEM }), A40],
    ['a password in an address', 'git clone https://ada:hunter22@example.org/x.git', 'hunter22'],
    ['a token in an address', `https://${A40}@example.org/x.git`, A40],
    ['a database address', 'DATABASE_URL=postgres://app:pa55word@db:5432/app', 'pa55word'],
    ['a query', `GET /v1?access_token=${A40}&page=2`, A40],
    ['a header', `Authorization: Basic YWRhOmh1bnRlcjI=`, 'YWRhOmh1bnRlcjI='],
    ['a bearer', `curl -H "Authorization: Bearer ${A40}"`, A40],
    ['an API key header', `x-api-key: ${A40}`, A40],
    ['a cookie', 'Cookie: session=abcdef123456', 'abcdef123456'],
    ['an OpenAI key', `key sk-proj-${A40}`, A40],
    ['an Anthropic key', `sk-ant-api03-${A40}-_x`, A40],
    ['a GitHub token', `ghp_${A40}`, A40],
    ['a GitLab token', 'glpat-abcdefghij1234567890', 'abcdefghij1234567890'],
    ['a Slack token', 'xoxb-123456789012-abcdefghijkl', '123456789012'],
    ['a Slack hook', 'https://hooks.slack.com/services/T000/B000/XXXXXXXXabc1', 'XXXXXXXXabc1'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7EXAMPLE'],
    ['an AWS secret', 'aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI'],
    ['a Google key', 'AIzaSyA1234567890abcdefghijklmnopqrstuv', 'SyA1234567890'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P', 'eyJzdWIi'],
    ['a variable', 'export MY_API_KEY=abcdefgh', 'abcdefgh'],
    ['a variable in quotes', "DB_PASSWORD='correct horse'", 'correct horse'],
    ['a setting in JSON', '{"apiKey": "abcd-efgh", "n": 1}', 'abcd-efgh'],
    ['a setting in YAML', 'password: tr0ub4dor3andmore', 'tr0ub4dor3andmore'],
    ['code that holds one', 'const token = "abcdef-ghijkl";', 'abcdef-ghijkl'],
  ])('IDE-66 takes out %s', (_what, text, secret) => {
    const { text: clean, count } = redact(text);
    expect(clean).toContain(REDACTED);
    expect(clean).not.toContain(secret);
    expect(count).toBeGreaterThan(0);
    expect(redact(clean)).toEqual({ text: clean, count: 0 });
  });

  it.each([
    'Write to ada@example.org, or see https://example.org/a?page=2#token',
    'const token = parser.next(); if (token.kind === "end") return;',
    'function setPassword(password: string, token?: Token) {}',
    'apiKey: process.env.OPENAI_API_KEY',
    'Authorization is handled in auth.ts; bearer of news',
    'token: $' + '{{ secrets.GITHUB_TOKEN }}',
    'npm_config_registry, npm_lifecycle_event_name, hf_hub_download_url, pypi-publish-action-of-ours',
    'a sk-learn-something-long-winded-package-name',
    'export ANTHROPIC_API_KEY=…',
    'keyboard: "qwerty-layout", monkey: "chimpanzee"',
    'The tokens used: 1234567890, cacheRead: 123456',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'commit 14f9ac5d0e7a6f1c2b3a4d5e6f708192a3b4c5d6',
    'sha512-AbCdEf0123456789AbCdEf0123456789AbCdEf0123456789==',
  ])('IDE-66 leaves alone: %s', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  it('IDE-66 takes out values that are known to be secret, wherever they stand', () => {
    const known = secretValues({ MY_TOKEN: 'plain-words-here', SHORT_TOKEN: 'ab', PATH: '/usr/bin:/bin' });
    expect(known).toEqual(['plain-words-here']);
    expect(redact('say plain-words-here twice: plain-words-here', { known })).toEqual({
      text: `say ${REDACTED} twice: ${REDACTED}`,
      count: 2,
    });
  });

  it('IDE-66 keeps what is around a secret', () => {
    expect(redact(`a\n${PEM}\nb`).text).toBe(
      `a\n-----BEGIN RSA PRIVATE KEY-----${REDACTED}-----END RSA PRIVATE KEY-----\nb`,
    );
    expect(redact('https://ada:hunter22@example.org/x').text).toBe(`https://${REDACTED}@example.org/x`);
    expect(redact(`?a=1&token=${A40}&b=2`).text).toBe(`?a=1&token=${REDACTED}&b=2`);
  });

  it('IDE-66 never throws, and ends also on text made to be slow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: once } = redact(text);
        expect(redact(once)).toEqual({ text: once, count: 0 });
      }),
    );
    for (const piece of ['-----BEGIN ', 'a://', '?token=', 'eyJ', 'sk-a-', 'A_KEY=', 'Bearer ', 'x'.repeat(20), '"']) {
      // A search that goes back over what it has read would not end in the time of a test.
      redact(piece.repeat(Math.ceil(300_000 / piece.length)));
    }
  });
});

describe('redactValue', () => {
  it('IDE-66 goes through values of any shape and shares what has no secret', () => {
    const plain = { a: [1, 'two', null], b: { c: true } };
    const value = {
      plain,
      args: { headers: { 'x-api-key': 'abcd' }, password: 'hunter22', data: `sk-${A40}` },
      token: 17,
    };
    const { value: clean, count } = redactValue(value, {}, (key) => key === 'data');
    expect(clean).toEqual({
      plain,
      args: { headers: { 'x-api-key': REDACTED }, password: REDACTED, data: `sk-${A40}` },
      token: 17,
    });
    expect(clean.plain).toBe(plain);
    expect(count).toBe(2);
    expect(redactValue(plain).value).toBe(plain);
    expect(redactValue(JSON.parse('{"__proto__":{"token":"abcdefgh"}}')).value).toEqual(
      JSON.parse(`{"__proto__":{"token":"${REDACTED}"}}`),
    );
  });
});
