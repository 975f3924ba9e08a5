import type { TrackedChange } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { changeCounts, changeLine, changeLines, pendingText, settledText } from './change-text.ts';
import { widthOf } from './fit-width.ts';
import { painter } from './painter.ts';

const plain = painter({}, false);

function change(path: string, more: Partial<TrackedChange> = {}): TrackedChange {
  const base = {
    checkpointId: 'c',
    messageId: 'm1',
    kind: 'modified',
    added: 12,
    removed: 3,
    state: 'pending',
  } as const;
  return { path, ...base, ...more };
}

describe('changes in words', () => {
  it('IDE-49 says of each file what happened to it', () => {
    expect(changeCounts(change('a'))).toBe('+12 −3');
    expect(changeCounts(change('a', { kind: 'created', removed: 0 }))).toBe('created +12');
    expect(changeCounts(change('a', { kind: 'deleted', added: 0 }))).toBe('deleted −3');
    expect(changeCounts(change('a', { kind: 'renamed', from: 'b', added: 0, removed: 0 }))).toBe('from b');
    expect(changeCounts(change('a', { added: 0, removed: 0 }))).toBe('changed');
  });

  it('IDE-49 fits a line into the width and keeps the counts', () => {
    const line = changeLine(change(`${'deep/'.repeat(30)}\u001b[31mstore.ts`), 'kept', 40);
    expect(widthOf(line)).toBeLessThanOrEqual(40);
    expect(line).toMatch(/^✎ deep.*… {2}\+12 −3 {2}kept$/);
  });

  it('IDE-49 lists by message, and counts what waits for a person', () => {
    const changes = [
      change('a.ts', { state: 'restored' }),
      change('b.ts', { state: 'kept' }),
      change('c.ts', { messageId: 'm2', checkpointId: 'd' }),
    ];
    expect(changeLines(changes, (id) => `said ${id}`, 60, plain)).toEqual([
      'm1  said m1',
      '  ✎ b.ts  +12 −3  kept',
      '  ✎ a.ts  +12 −3  taken back',
      'm2  said m2',
      '  ✎ c.ts  +12 −3',
    ]);
    expect(pendingText(changes)).toBe('1 file changed');
    expect(pendingText(changes.slice(0, 2))).toBeUndefined();
  });

  it('IDE-49 tells what a person did, and takes details of any shape', () => {
    const settled = [{ checkpointId: 'c', path: 'a.ts', state: 'kept' }];
    expect(settledText({ action: 'keep', settled })).toBe('· kept a.ts');
    expect(settledText({ action: 'undo', settled })).toBe('· took back a.ts');
    const notCovered = [{ path: 'node_modules/' }, { path: '.env', gone: true }, null, 5, { path: 1 }];
    expect(settledText({ action: 'undo', settled, notCovered })).toBe(
      '· took back a.ts · not covered, still there: node_modules/ · not covered, gone: .env',
    );
    expect(settledText({ action: 'undo', settled, notCovered: 'x' })).toBe('· took back a.ts');
    for (const odd of [undefined, null, 5, {}, { action: 'toString', settled }, { action: 'keep' }]) {
      expect(settledText(odd)).toBeUndefined();
    }
  });
});
