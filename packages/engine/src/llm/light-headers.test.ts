import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Headers as LightHeaders } from './light-headers.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);
const value = fc.stringMatching(/^[!-~]{1,12}$/);

it('IDE-25 the light headers behave as the standard’s for whatever a provider does with them', () => {
  const step = fc.record({ what: fc.constantFrom('set', 'append', 'delete'), name, value });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.array(step), (init, steps) => {
      const light = new LightHeaders(init);
      const standard = new globalThis.Headers(init);
      for (const { what, name, value } of steps) {
        for (const headers of [light, standard]) {
          if (what === 'set') headers.set(name, value);
          else if (what === 'append') headers.append(name, value);
          else headers.delete(name);
        }
      }
      expect([...light]).toEqual([...standard]);
      expect(Object.fromEntries(light.entries())).toEqual(Object.fromEntries(standard.entries()));
      for (const [key] of init) {
        expect(light.get(key.toUpperCase())).toBe(standard.get(key.toUpperCase()));
        expect(light.has(key)).toBe(standard.has(key));
      }
      expect([...new LightHeaders(light)]).toEqual([...standard]);
    }),
  );
});

it('IDE-25 takes a plain object and nothing at all', () => {
  expect([...new LightHeaders({ B: '2', a: '1' })]).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
  expect([...new LightHeaders()]).toEqual([]);
});
