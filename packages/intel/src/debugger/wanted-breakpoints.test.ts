import { symlinkSync } from 'node:fs';
import { createTempWorkspace } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { WantedBreakpoints } from './wanted-breakpoints.ts';

describe('WantedBreakpoints', () => {
  it('INT-31 understands places, follows links, and keeps one at each', async () => {
    await using disk = await createTempWorkspace({ files: { 'src/a.ts': '' } });
    symlinkSync(disk.at('src'), disk.at('link'));
    const wanted = new WantedBreakpoints(disk.path);
    wanted.add([
      { place: 'src/a.ts:3' },
      { place: 'link/a.ts:3', condition: 'x' },
      { place: 'src/a.ts:9' },
      { place: 'main' },
    ]);
    expect(wanted.all).toHaveLength(3);
    expect([...wanted.files]).toMatchObject([[disk.at('src/a.ts'), [{ condition: 'x' }, { at: { line: 9 } }]]]);
    expect(wanted.functions).toMatchObject([{ at: { function: 'main' } }]);
  });

  it('INT-31 tells of a file whose last breakpoint was taken away', () => {
    const wanted = new WantedBreakpoints('/w');
    wanted.add([{ place: 'a.ts:1' }, { place: 'a.ts:2' }, { place: 'f' }]);
    expect(wanted.remove(['a.ts:1', 'b.ts:1'])).toBe(1);
    expect(wanted.files.get('/w/a.ts')).toHaveLength(1);
    expect(wanted.remove([])).toBe(2);
    expect([...wanted.files]).toEqual([['/w/a.ts', []]]);
  });

  it.each(['main', 'Store.save', 'std::vector<int>::push_back', 'pkg.(*T).Method', 'operator()', '<lambda>'])(
    'INT-31 takes %s for a function',
    (place) => {
      const wanted = new WantedBreakpoints('/w');
      wanted.add([{ place }]);
      expect(wanted.functions).toHaveLength(1);
    },
  );

  it.each(['', '12', 'a.ts:', 'a.ts:0', 'a.ts:x', 'a.ts', 'src/b.py', ':3', 'a b c: 4', '-1'])(
    'INT-31 refuses %j',
    (place) => {
      expect(() => new WantedBreakpoints('/w').add([{ place }])).toThrow(/is no place for a breakpoint/);
    },
  );
});
