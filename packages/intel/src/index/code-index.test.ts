import { describe, expect, it } from 'vitest';
import { SymbolFlag } from '../parsing/file-facts.ts';
import { HybridIndex } from './code-index.ts';
import { chunksOf, finish, MemorySections, tableOf } from './fixtures/workspace.ts';

const FILES: Record<string, string> = {
  'src/cache.py': 'def evict_oldest(self):\n    entry = self.entries.popleft()\n    del self.index[entry.key]\n',
  'src/config.py': 'def load_config(path):\n    with open(path) as stream:\n        return parse(stream)\n',
  'src/retry.py': 'def call_with_retry(action, attempts):\n    for attempt in range(attempts):\n        action()\n',
  'docs/retry.md': 'How calls are made again after a failure, with a retry and a pause.\n',
};
const NAMES: Record<string, string> = {
  'src/cache.py': 'evict_oldest',
  'src/config.py': 'load_config',
  'src/retry.py': 'call_with_retry',
};

function indexOf(files: Record<string, string> = FILES, flags: Record<string, number> = {}): HybridIndex {
  const paths = Object.keys(files);
  const index = new HybridIndex({ files: tableOf(paths) });
  paths.forEach((path, id) => {
    const name = NAMES[path];
    const lines = files[path]!.trimEnd().split('\n').length;
    const symbols = name ? [{ name, lines: [1, lines] as [number, number], flags: flags[path] ?? 0 }] : [];
    index.put(id, { chunks: chunksOf(path, files[path]!, symbols) });
  });
  return index;
}

describe('searching by words', () => {
  it('INT-13 says file, lines, symbol, and the words that matched, rarest first', () => {
    const [first, ...rest] = indexOf().searchWords('retry an action several attempts');
    expect(first).toMatchObject({
      rank: 1,
      file: 2,
      path: 'src/retry.py',
      startLine: 1,
      endLine: 3,
      symbol: 'call_with_retry',
      why: { words: [expect.any(String), expect.any(String), 'retry'], rankers: ['words'] },
    });
    expect(rest).toMatchObject([{ rank: 2, path: 'docs/retry.md', symbol: undefined, why: { words: ['retry'] } }]);
    expect(rest[0]!.score).toBeLessThan(first!.score);
  });

  it('INT-7 finds an identifier by its parts, as a whole however it is written, and by what it is short for', () => {
    const index = indexOf();
    for (const query of ['evict', 'evictOldest', 'evict oldest', 'EVICT_OLDEST', 'the oldest ones evicted']) {
      expect(index.searchWords(query)[0]?.path, query).toBe('src/cache.py');
    }
    expect(index.searchWords('configuration')[0]?.path).toBe('src/config.py');
  });

  it('INT-13 answers with what is indexed so far, and nothing from nothing', () => {
    const index = new HybridIndex({ files: tableOf(Object.keys(FILES)) });
    expect(index.searchWords('retry')).toEqual([]);
    index.put(3, { chunks: chunksOf('docs/retry.md', FILES['docs/retry.md']!) });
    expect(index.searchWords('retry').map(({ path }) => path)).toEqual(['docs/retry.md']);
    expect(index.searchWords('')).toEqual([]);
    expect(index.searchWords('the of, and!')).toEqual([]);
    expect(index.chunkCount).toBe(1);
  });

  it('INT-8 looks below a folder or into a file alone, and gives as many as are wanted', () => {
    const index = indexOf();
    const paths = (path: string) => index.searchWords('retry', { path }).map((hit) => hit.path);
    expect(paths('docs')).toEqual(['docs/retry.md']);
    expect(paths('./docs/')).toEqual(['docs/retry.md']);
    expect(paths('src/retry.py')).toEqual(['src/retry.py']);
    expect(paths('sr')).toEqual([]);
    expect(paths('.')).toHaveLength(2);
    expect(index.searchWords('retry', { limit: 1 })).toHaveLength(1);
  });

  it('INT-8 puts equal ones in the order of their paths and lines', () => {
    const line = 'same words here\n';
    const long = `${line}${'\n'.repeat(50)}${line}`;
    const index = indexOf({ 'b.txt': long, 'a.txt': long });
    const places = index.searchWords('same words').map(({ path, startLine }) => `${path}:${startLine}`);
    expect(places).toEqual(['a.txt:1', 'a.txt:52', 'b.txt:1', 'b.txt:52']);
  });

  it('INT-8 puts a function before other code, or a test, of the same words', () => {
    const paths = ['a.py', 'b.py', 'c.py'];
    const index = new HybridIndex({ files: tableOf(paths) });
    const symbol = { name: 'retry', lines: [1, 2] as [number, number] };
    const symbols = [{ ...symbol, flags: SymbolFlag.TEST }, { ...symbol, kind: 'class' as const }, symbol];
    paths.forEach((_, id) => {
      index.put(id, { chunks: chunksOf('same.py', 'call the action\nagain', [symbols[id]!]) });
    });
    expect(index.searchWords('action').map(({ path }) => path)).toEqual(['c.py', 'a.py', 'b.py']);
    expect(index.searchWords('action test').map(({ path }) => path)).toEqual(['a.py', 'c.py', 'b.py']);
  });

  it('INT-12 refuses to be saved before it is settled, and to load what makes no sense', () => {
    const index = indexOf();
    expect(() => index.save(new MemorySections())).toThrow('settled');
    finish(index.settle());
    const sections = new MemorySections();
    index.save(sections);
    const before = index.searchWords('retry');
    for (const name of sections.arrays.keys()) {
      const broken = new MemorySections();
      index.save(broken);
      broken.arrays.set(name, broken.arrays.get(name)!.slice(1));
      expect(() => index.load(broken), name).toThrow();
      broken.arrays.delete(name);
      expect(() => index.load(broken), name).toThrow();
    }
    const odd = new MemorySections();
    index.save(odd);
    odd.arrays.set('chunks', odd.arrays.get('chunks')!.fill(999));
    expect(() => index.load(odd)).toThrow('do not fit');
    sections.value('format', 0);
    expect(() => index.load(sections)).toThrow('foreign version');
    expect(index.searchWords('retry')).toEqual(before);
  });
});
