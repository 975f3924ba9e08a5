import { isPublicAddress } from '@black-ide/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUrl } from './check-url.ts';

const REFUSED = [
  'file:///etc/passwd',
  'ftp://example.org/x',
  'javascript:alert(1)',
  'data:text/plain,x',
  'gopher://docs.python.org',
  'not a url',
  'http://localhost:3000',
  'http://sub.localhost',
  'http://intranet/',
  'http://printer.local',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://127.0.0.1',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.31.0.1/',
  'http://192.168.1.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[2002:7f00:1::]/',
  'http://[ff02::1]/',
  'http://user@docs.python.org/',
  'http://docs.python.org@evil.net/',
  'http://@docs.python.org/',
  'https://docs.python.org./',
  'https://a_b.python.org/',
  'https://-a.python.org/',
  'https://docs.python.org%00.evil.net/',
  'https://１２７.0.0.1/',
  'https://docs..org/',
  `https://docs.python.org/${'x'.repeat(2_000)}`,
];

describe('checkUrl', () => {
  it.each(REFUSED)('IDE-73 refuses %s', (url) => {
    expect(checkUrl(url)).toMatchObject({ ok: false });
  });

  it.each([
    'https://docs.python.org/3/?q=a#b',
    'http://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://[::ffff:1.1.1.1]/',
    'https://xn--bcher-kva.de/',
    'https://bücher.de/',
    'https://docs.rs:8443/x@y',
  ])('IDE-73 takes %s', (url) => {
    expect(checkUrl(url)).toMatchObject({ ok: true });
  });

  it('IDE-73 every spelling of an inner IPv4 address is refused', () => {
    const inner = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0, 224, 255), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    );
    fc.assert(
      fc.property(inner, ([a, b, c, d]) => {
        const number = a * 2 ** 24 + b * 2 ** 16 + c * 256 + d;
        const hex = number.toString(16).padStart(8, '0');
        const spellings = [
          `${a}.${b}.${c}.${d}`,
          String(number),
          `0x${hex}`,
          `0${number.toString(8)}`,
          `${a}.${b * 65_536 + c * 256 + d}`,
          `0x${a.toString(16)}.0${b.toString(8)}.${c * 256 + d}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
          `[0:0:0:0:0:ffff:${hex.slice(0, 4)}:${hex.slice(4)}]`,
          `[64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}]`,
        ];
        for (const host of spellings) expect(checkUrl(`http://${host}/`), host).toMatchObject({ ok: false });
        expect(isPublicAddress(`${a}.${b}.${c}.${d}`)).toBe(false);
      }),
    );
  });

  it('IDE-73 never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof checkUrl(`http://${text}`).ok).toBe('boolean');
      }),
    );
  });
});
