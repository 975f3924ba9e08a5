import { describe, expect, it } from 'vitest';
import { makeHunks } from './hunks.ts';
import { unifiedDiff } from './unified-diff.ts';

describe('unifiedDiff', () => {
  it('IDE-52 reads like a diff of git', () => {
    const text = unifiedDiff(makeHunks('a\nb\n', 'a\nc'), { from: 'x.txt', to: 'x.txt' });
    expect(text).toBe('--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n');
  });

  it('IDE-52 names a side that is not there, and nothing for no change', () => {
    expect(unifiedDiff(makeHunks('', 'a\n'), { from: null, to: 'x' })).toBe(
      '--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n',
    );
    expect(unifiedDiff([], { from: 'x', to: 'x' })).toBe('');
  });

  it('IDE-52 is cut at the limit with a note of what is missing', () => {
    const text = unifiedDiff(makeHunks('', 'line\n'.repeat(100)), { from: null, to: 'x', limit: 100 });
    expect(text).toContain('[87 more lines of the difference]');
    expect(text.length).toBeLessThan(200);
  });

  it('IDE-52 shows stray bytes as replacement characters', () => {
    expect(unifiedDiff(makeHunks('', 'a\udc80\n'), { from: null, to: 'x' }).isWellFormed()).toBe(true);
  });
});
