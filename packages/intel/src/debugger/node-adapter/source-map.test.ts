import { stripTypeScriptTypes } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSourceMap } from './source-map.ts';

const SOURCE = `interface A {
  a: number;
}

export function one(a: A): number {
  return a.a;
}
export const two = 2;
`;
const MADE = stripTypeScriptTypes(SOURCE, { mode: 'transform', sourceMap: true, sourceUrl: 'src/a.ts' });
const [CODE = '', ENCODED = ''] = MADE.split('//# sourceMappingURL=data:application/json;base64,');
const MAP = Buffer.from(ENCODED, 'base64').toString();
const nothing = async (): Promise<undefined> => undefined;

function lineOf(text: string, part: string): number {
  return text.split('\n').findIndex((line) => line.includes(part));
}

describe('loadSourceMap', () => {
  it.each([
    ['data', `data:application/json;base64,${ENCODED}`],
    ['data as text', `data:application/json;charset=utf-8,${encodeURIComponent(MAP)}`],
    ['a file beside', 'a.js.map'],
    ['a file by its URL', 'file:///w/a.js.map'],
  ])('INT-31 reads %s, and leads there and back', async (_what, url) => {
    const readText = async (path: string) => (path === '/w/a.js.map' ? `)]}'\n${MAP}` : undefined);
    const map = await loadSourceMap(url, 'file:///w/a.js', readText);
    expect(map?.paths).toEqual(['/w/src/a.ts']);
    const made = lineOf(CODE, 'return a.a');
    expect(map?.original(made, 6)).toMatchObject({ path: '/w/src/a.ts', line: lineOf(SOURCE, 'return a.a') + 1 });
    expect(map?.generated('/w/src/a.ts', 6)).toMatchObject({ lineNumber: made });
    // A line without code moves on to the next one that has some.
    expect(map?.generated('/w/src/a.ts', 1)).toMatchObject({ lineNumber: lineOf(CODE, 'function one') });
    expect(map?.generated('/w/src/b.ts', 1)).toBe(undefined);
    expect(map?.generated('/w/src/a.ts', 500)).toBe(undefined);
  });

  it('INT-31 follows a source root, absolute sources and folders above, and leaves out what is no file', async () => {
    const sources = ['../lib/b.ts', '/abs/c.ts', 'webpack://app/d.ts', 'https://x.org/e.ts', ''];
    const map = { version: 3, sources, names: [], mappings: 'AAAA' };
    const data = (value: object) => `data:application/json,${encodeURIComponent(JSON.stringify(value))}`;
    expect((await loadSourceMap(data(map), '/w/out/a.js', nothing))?.paths).toEqual(['/w/lib/b.ts', '/abs/c.ts']);
    const rooted = { ...map, sources: ['b.ts'], sourceRoot: '../src' };
    expect((await loadSourceMap(data(rooted), '/w/out/a.js', nothing))?.paths).toEqual(['/w/src/b.ts']);
  });

  it.each([
    ['a missing file', 'missing.map'],
    ['an address of the web', 'https://example.org/a.js.map'],
    ['no URL', 'http://['],
    ['no JSON', 'data:application/json,{'],
    ['no map', 'data:application/json,7'],
    ['broken text', 'data:application/json,%E0%A4%A'],
  ])('INT-31 takes %s for no map', async (_what, url) => {
    expect(await loadSourceMap(url, 'file:///w/a.js', nothing)).toBe(undefined);
  });

  it('INT-31 survives maps of any content', async () => {
    const map = fc.record(
      {
        version: fc.constantFrom(3, '3', 2),
        sources: fc.oneof(fc.array(fc.option(fc.webPath())), fc.jsonValue()),
        mappings: fc.oneof(fc.string({ unit: fc.constantFrom(...'AACgB;,+/') }), fc.jsonValue()),
        names: fc.jsonValue(),
        sections: fc.jsonValue(),
      },
      { requiredKeys: ['version', 'sources', 'mappings'] },
    );
    await fc.assert(
      fc.asyncProperty(map, fc.nat(20), fc.nat(80), async (value, line, column) => {
        const data = `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;
        const read = await loadSourceMap(data, 'file:///w/a.js', nothing);
        const place = read?.original(line, column);
        expect(place === undefined || Number.isInteger(place.line)).toBe(true);
        for (const path of read?.paths ?? []) read?.generated(path, line + 1);
      }),
    );
  });
});
