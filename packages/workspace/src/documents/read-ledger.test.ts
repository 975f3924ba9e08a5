import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadLedger } from './read-ledger.ts';

const code = (result: ReturnType<ReadLedger['check']>) => (result.ok ? 'ok' : result.error.code);

describe('ReadLedger', () => {
  it('IDE-52 refuses a file that was not read, or has changed since', () => {
    const ledger = new ReadLedger();
    expect(code(ledger.check({ path: '/w/a', version: '1' }, 'a'))).toBe('not_read');
    ledger.record({ path: '/w/a', version: '1' });
    expect(code(ledger.check({ path: '/w/a', version: '1' }, 'a'))).toBe('ok');
    expect(ledger.check({ path: '/w/a', version: '2' }, 'a')).toEqual({
      ok: false,
      error: { code: 'changed_since_read', message: 'a has changed since it was read.', next: expect.any(String) },
    });
    ledger.record({ path: '/w/a', version: '2' });
    expect(code(ledger.check({ path: '/w/a', version: '2' }, 'a'))).toBe('ok');
    ledger.forget('/w/a');
    expect(ledger.versionOf('/w/a')).toBeUndefined();
  });

  it('IDE-52 property: a ledger rebuilt from its entries answers the same', () => {
    const entry = fc.record({
      path: fc.constantFrom('/a', '/b', '__proto__', 'constructor'),
      version: fc.constantFrom('1', '2'),
    });
    fc.assert(
      fc.property(fc.array(entry), entry, (entries, asked) => {
        const ledger = new ReadLedger(entries);
        const rebuilt = new ReadLedger(JSON.parse(JSON.stringify(ledger.entries())));
        expect(rebuilt.check(asked, 'x')).toEqual(ledger.check(asked, 'x'));
      }),
    );
  });
});
