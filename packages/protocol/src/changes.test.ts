import { describe, expect, it } from 'vitest';
import { changedFiles, SETTLED, type TrackedChange } from './changes.ts';
import type { Entry } from './entries.ts';
import { foldEntries } from './view/reduce.ts';

function change(path: string, more: Partial<TrackedChange> = {}): TrackedChange {
  const base = {
    checkpointId: 'c1',
    messageId: 'm1',
    kind: 'modified',
    added: 1,
    removed: 2,
    state: 'pending',
  } as const;
  return { path, ...base, ...more };
}

describe('changes in the view', () => {
  it('IDE-49 a checkpoint counts once, and what a person settled stands so', () => {
    const data = { checkpointId: 'c1', messageId: 'm1', files: ['a', 'b'], changes: [change('a'), change('b')] };
    const settled = [{ checkpointId: 'c1', path: 'b', state: 'restored' }];
    const lines = [
      { type: 'custom', customType: 'checkpoint', data },
      { type: 'custom', customType: 'checkpoint', data },
      { type: 'custom_message', customType: SETTLED, content: '', display: true, details: { action: 'undo', settled } },
    ];
    const entries = lines.map((line, n) => ({ ...line, id: `e${n}`, parentId: null, timestamp: '' })) as Entry[];
    const { changes } = foldEntries('s', entries);
    expect(changes.map(({ path, state }) => [path, state])).toEqual([
      ['a', 'pending'],
      ['b', 'restored'],
    ]);
  });

  it('IDE-49 sums the changes of one file up, over its names', () => {
    const rows = changedFiles([
      change('a', { kind: 'created', added: 10, removed: 0 }),
      change('b', { kind: 'renamed', from: 'a' }),
      change('c', { state: 'restored' }),
      change('d', { state: 'kept' }),
      change('d', { checkpointId: 'c2' }),
      change('e', { kind: 'deleted' }),
      change('e', { kind: 'created', checkpointId: 'c2' }),
    ]);
    expect(rows).toEqual([
      { path: 'b', from: 'a', kind: 'created', added: 11, removed: 2, state: 'pending' },
      { path: 'd', kind: 'modified', added: 2, removed: 4, state: 'pending' },
      { path: 'e', kind: 'modified', added: 2, removed: 4, state: 'pending' },
    ]);
  });
});
