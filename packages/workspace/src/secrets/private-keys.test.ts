import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privateKeySpans } from './private-keys.ts';
import { redact } from './redact.ts';

const keys = [
  generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'sec1',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  }),
].map((key) => String(key).trim());
/** What of a key may not be seen: its lines, but for one of a few letters. */
const linesOf = (key: string) =>
  key.split('\n').filter((line) => !line.startsWith('-----') && !line.includes(':') && line.length > 8);

const each = (mark: string) => (key: string) => key.replaceAll(/^/gm, mark);
const WAYS: [string, (key: string) => string][] = [
  ['as it is', (key) => key],
  ['taken out, in a diff', each('-')],
  ['put in, in a diff', each('+')],
  ['in a coloured diff', (key) => key.replaceAll(/^(.*)$/gm, '\u001b[31m-$1\u001b[m')],
  ['quoted', each('> ')],
  ['indented', each('      ')],
  [
    'with numbers of lines',
    (key) =>
      key
        .split('\n')
        .map((line, n) => `${n + 1}\t${line}`)
        .join('\n'),
  ],
  [
    'found by a search',
    (key) =>
      key
        .split('\n')
        .map((line, n) => `id.pem:${n + 1}:${line}`)
        .join('\n'),
  ],
  ['with CRLF', (key) => key.replaceAll('\n', '\r\n')],
  ['in JSON', (key) => JSON.stringify({ key })],
  ['in JSON in JSON', (key) => JSON.stringify(JSON.stringify({ key }))],
  ['on one line', (key) => key.replaceAll('\n', ' ')],
  ['as strings of code', (key) => key.replaceAll(/^(.*)$/gm, '  "$1\\n" +')],
];

describe('private keys', () => {
  it.each(WAYS)('IDE-66 are taken out %s', (_, way) => {
    for (const key of keys) {
      const { text, count } = redact(`before\n${way(key)}\nafter`);
      for (const line of linesOf(key)) expect(text).not.toContain(line);
      expect(text).toMatch(/^before\n[\s\S]*\nafter$/);
      expect(count).toBeGreaterThan(0);
      expect(redact(text)).toEqual({ text, count: 0 });
    }
  });

  it.each(WAYS.filter(([name]) => name !== 'on one line'))(
    'IDE-66 are taken out where the end, or the beginning, was cut off: %s',
    (_, way) => {
      for (const key of keys) {
        const lines = way(key).split(/(?<=\n|\\n)/);
        const cut = lines.slice(0, -1).join('');
        const headless = key.includes('Proc-Type') ? '' : lines.slice(1).join('');
        for (const line of linesOf(key)) {
          expect(redact(`before\n${cut}`).text).not.toContain(line);
          expect(redact(`${headless}\nafter`).text).not.toContain(line);
        }
      }
    },
  );

  it.each([
    'grep -r -- "-----BEGIN PRIVATE KEY-----" . && echo found',
    "if (text.startsWith('-----BEGIN RSA PRIVATE KEY-----')) {\n  const end = text.indexOf('-----END RSA PRIVATE KEY-----');\n}",
    'It begins with -----BEGIN PRIVATE KEY-----\nand then\n\nfollows the key.',
    'hello\nworld\n-----END PRIVATE KEY-----',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  ])('IDE-66 are not seen in %j', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  it('IDE-66 leave what comes behind a key that was cut off', () => {
    const [key = ''] = keys;
    const cut = key.split('\n').slice(0, -1).join('\n');
    expect(redact(`${cut}\n\nThen it went on: all was well.`).text).toMatch(/\n\nThen it went on: all was well\.$/);
  });

  it('IDE-66 are looked for in linear time, in spans that do not overlap', () => {
    const part = fc.constantFrom(...keys, ...keys.flatMap((key) => key.split('\n')), '\n', '-', '\\n', 'word ');
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        let last = 0;
        for (const { start, end } of privateKeySpans(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        const clean = redact(text).text;
        expect(redact(clean)).toEqual({ text: clean, count: 0 });
      }),
    );
    for (const piece of ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', `${'A'.repeat(64)}\n`]) {
      expect(privateKeySpans(`-----BEGIN PRIVATE KEY-----\n${piece.repeat(20_000)}`).length).toBeLessThan(2);
    }
  });
});
