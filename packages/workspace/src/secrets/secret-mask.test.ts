import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretForms } from './secret-forms.ts';
import { SecretMask } from './secret-mask.ts';

const key = fc.string({ unit: fc.constantFrom(...'abcXYZ0123456789-_+/='), minLength: 16, maxLength: 80 });
const text = fc.string({ maxLength: 60 });

/** Ways in which a key gets into an output. */
const spelling = fc.constantFrom<(value: string, before: string) => string>(
  (value) => value,
  (value) => encodeURIComponent(value),
  (value) => encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (value, before) => Buffer.from(`${before}${value}\n`).toString('base64'),
  (value, before) => Buffer.from(`${before}${value}`).toString('base64url'),
  (value) => Buffer.from(value).toString('hex'),
  (value) => `https://x/?key=${value}&b=1`,
  (value) => JSON.stringify({ env: { KEY: value } }),
);

describe('SecretMask', () => {
  it('IDE-66 property: no form of a known key is left, wherever it stands, and nothing else is touched', () => {
    fc.assert(
      fc.property(key, text, text, spelling, (secret, before, after, spell) => {
        const mask = new SecretMask([secret]);
        const clean = mask.text(before + spell(secret, before) + after);
        for (const form of secretForms(secret)) expect(clean).not.toContain(form);
        if (secretForms(secret).every((form) => !before.includes(form))) expect(mask.text(before)).toBe(before);
      }),
    );
  });

  it('IDE-66 property: however a stream is cut, what comes out is the masked whole', () => {
    fc.assert(
      fc.property(
        key,
        fc.array(text, { maxLength: 4 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (secret, texts, cuts) => {
          const mask = new SecretMask([secret]);
          const whole = texts.join(secret);
          const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
          const stream = mask.stream();
          const shown = [0, ...at].map((from, index) => stream.push(whole.slice(from, at[index] ?? whole.length)));
          expect(shown.join('') + stream.end()).toBe(mask.text(whole));
        },
      ),
    );
  });

  it('IDE-66 property: bytes on their way to a file stay the same but for secrets, however they are cut', () => {
    fc.assert(
      fc.property(key, fc.uint8Array({ maxLength: 200 }), fc.nat(), (secret, bytes, cut) => {
        const whole = Buffer.concat([bytes, Buffer.from(`\n${secret}\n`), bytes]);
        const at = cut % (whole.length + 1);
        const stream = new SecretMask([secret]).byteStream();
        const written = Buffer.concat([
          stream.push(whole.subarray(0, at)),
          stream.push(whole.subarray(at)),
          stream.end(),
        ]);
        expect(written.includes(secret)).toBe(false);
        expect(written.toString('latin1').replace(/\[redacted:[0-9a-f]{6}\]/, secret)).toBe(whole.toString('latin1'));
      }),
    );
  });

  const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7\nq9+/\n-----END RSA PRIVATE KEY-----';
  it.each([
    ['a private key', PEM, 'MIIEpAIBAAKCAQEA1c7'],
    ['a password in an address', 'postgres://app:Tr0ub4dor3@db:5432/x', 'Tr0ub4dor3'],
    ['an Anthropic key', 'key = "sk-ant-api03-AbCdEfGhIjKlMnOp12345"', 'sk-ant-api03-AbCdEfGhIjKlMnOp12345'],
    ['a GitHub token', `x ghp_${'a1B2'.repeat(9)} y`, 'a1B2a1B2'],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
    [
      'a JSON web token',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
      'dozjgNryP4J3',
    ],
  ])('IDE-66 takes out %s by its look where that is asked for, and puts it back', (_what, found, secret) => {
    const mask = new SecretMask();
    expect(mask.text(found)).toBe(found);
    const clean = mask.text(found, { shapes: true });
    expect(clean).not.toContain(secret);
    expect(mask.restored(clean, `before\n${found}\nafter`)).toEqual({ text: found, missing: [] });
    const stream = mask.byteStream();
    const [first, second] = [found.slice(0, 30), found.slice(30)];
    const parts = [stream.push(Buffer.from(first)), stream.push(Buffer.from(second)), stream.end()];
    expect(Buffer.concat(parts).toString()).not.toContain(secret);
  });

  it.each([
    'const token = await getToken(user);',
    'pk_user_group_permission_assignments_2',
    'postgres://postgres:postgres@localhost/db',
    'postgres://$USER:$PASSWORD1@db/x',
    'class="sk-folding-cube sk-cube1"',
    'sha512-AbCdEf0123456789==',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'ann@example.com and https://example.com/a:b@c',
  ])('IDE-66 leaves what only looks odd: %s', (found) => {
    expect(new SecretMask().text(found, { shapes: true })).toBe(found);
  });

  it('IDE-66 a mark is put back only from a text that holds its secret', () => {
    const mask = new SecretMask(['super-secret-0001', 'super-secret-0002']);
    const [one, two] = [mask.text('super-secret-0001'), mask.text('super-secret-0002')];
    expect(one).not.toBe(two);
    const file = 'A=super-secret-0001\nB=2\n';
    expect(mask.restored(`A=${one}\nB=3\n`, file)).toEqual({ text: 'A=super-secret-0001\nB=3\n', missing: [] });
    expect(mask.restored(`A=${two}\n`, file)).toEqual({ text: `A=${two}\n`, missing: [two] });
    expect(mask.restored('see [redacted:abcdef]', 'docs say [redacted:abcdef]').missing).toEqual([]);
  });

  it('IDE-66 knows nothing of short values, and shares what has no secret', () => {
    const mask = new SecretMask(['k', 'short']);
    const value = { a: ['k short'], b: { c: 1 } };
    expect(mask.value(value)).toBe(value);
    mask.learn('long-enough-1');
    expect(mask.value({ a: ['x long-enough-1'], n: null }, {}, (name) => name === 'n')).toEqual({
      a: [expect.stringMatching(/^x \[redacted:[0-9a-f]{6}\]$/)],
      n: null,
    });
  });

  it('IDE-66 no text is slow', () => {
    const mask = new SecretMask(['some-known-value-1']);
    for (const piece of ['-----BEGIN ', 'a://b:', 'eyJ', 'sk-a-', 'x'.repeat(20), '://a:b', 'https://']) {
      const long = piece.repeat(Math.ceil(300_000 / piece.length));
      expect(mask.text(long, { shapes: true }).length).toBeGreaterThan(0);
    }
  });
});
