import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryFor, type HostRule, judgeHost, parseHostRule } from './host-rules.ts';

const rules = (...texts: string[]): HostRule[] => texts.map((text) => parseHostRule(text)!);
const judge = (host: string, port: number, ...texts: string[]): boolean => judgeHost(host, port, rules(...texts)).ok;

describe('parseHostRule', () => {
  it.each([
    'example.com',
    'Example.COM',
    '*.example.com',
    '.example.com',
    'example.com:8443',
    'localhost:3000',
    '127.0.0.1:80',
    '[::1]:80',
    'build.lan:80',
    ' a-b.example.org ',
  ])('IDE-65 takes %s', (text) => expect(parseHostRule(text)).toBeDefined());

  it.each([
    '',
    '*',
    '*.',
    '*.com',
    'https://example.com',
    'example.com/path',
    'me@example.com',
    'example.com.',
    'a b.com',
    'example.com:0',
    'example.com:99999',
    'localhost',
    '10.0.0.1',
    '[::1]',
    '2130706433:80',
    '127.1:80',
    '0x7f.0.0.1:80',
    '*.10.0.0.1:80',
    'exa\0mple.com',
    'exämple.com',
    'a..b',
    '-a.com',
  ])('IDE-65 allows nothing by %j', (text) => expect(parseHostRule(text)).toBeUndefined());
});

describe('judgeHost', () => {
  it('IDE-65 allows exactly what was named', () => {
    expect(judge('example.com', 443, 'example.com')).toBe(true);
    expect(judge('EXAMPLE.com', 80, 'example.com')).toBe(true);
    expect(judge('a.example.com', 443, 'example.com')).toBe(false);
    expect(judge('a.b.example.com', 443, '*.example.com')).toBe(true);
    expect(judge('example.com', 443, '*.example.com')).toBe(false);
    expect(judge('example.com', 22, 'example.com')).toBe(false);
    expect(judge('example.com', 8443, 'example.com:8443')).toBe(true);
    expect(judge('example.com', 443, 'example.com:8443')).toBe(false);
    expect(judge('127.0.0.1', 3000, '127.0.0.1:3000')).toBe(true);
    expect(judge('[::1]', 3000, '[::1]:3000')).toBe(true);
  });

  it.each([
    'attacker.example\0.google.com',
    'google.com.evil',
    'evilgoogle.com',
    'google.com.',
    'x@google.com',
    'google.com@evil',
    'google.com\n',
    ' google.com',
    'google.com ',
    'google.com/x',
    'google.com%00.evil',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1',
    '127.1',
    '::1',
    '[::ffff:7f00:1]',
    '',
    '.google.com',
    'google..com',
    'göogle.com',
    'google.com:443',
    'a\\b.google.com',
  ])('field notes §5c: refuses %j where google.com and all below are allowed', (host) =>
    expect(judge(host, 443, 'google.com', '*.google.com')).toBe(false),
  );

  it('IDE-65 property: whatever is let through is the allowed name, or letters before a dot before it', () => {
    const noise = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '-', '@', '\0', ':', '/', '%', 'é', '1', '[', ']', ' '),
      maxLength: 12,
    });
    fc.assert(
      fc.property(noise, noise, fc.boolean(), (before, after, dot) => {
        const host = `${before}${dot ? '.' : ''}example.com${after}`;
        const passes = judge(host, 443, 'example.com', '*.example.com');
        expect(!passes || /^([a-z0-9-]+\.)*example\.com$/.test(host)).toBe(true);
      }),
    );
  });
});

it('IDE-65 an entry lets through that connection alone, and a name made of wildcards has none', () => {
  expect(entryFor('A.example.com', 443, false)).toBe('a.example.com');
  expect(entryFor('a.example.com', 443, true)).toBe('a.example.com:443');
  expect(entryFor('a.example.com', 8080, false)).toBe('a.example.com:8080');
  expect(entryFor('192.0.2.1', 80, false)).toBe('192.0.2.1:80');
  for (const host of ['*.com', '.com', '*.example.com', '0x7f.1', 'a b', ''])
    expect(entryFor(host, 443, false)).toBeUndefined();
});
