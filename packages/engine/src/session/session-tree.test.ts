import type { Entry } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cyclesOf, pathTo, type SessionTreeNode, treeOf } from './session-tree.ts';

/** Any links at all: forward, to itself, to nothing, in circles. */
const damaged = fc
  .array(fc.oneof(fc.constant(null), fc.integer({ min: -1, max: 14 })), { maxLength: 14 })
  .map((links) => links.map((link, i) => entry(`e${i}`, link === null ? null : `e${link}`)));

describe('session tree', () => {
  it('SES-9 holds every entry of any file exactly once, and every path ends', () => {
    fc.assert(
      fc.property(damaged, (entries) => {
        const { byId, cut, roots } = build(entries);
        expect(
          flatten(roots)
            .map((node) => node.entry.id)
            .sort(),
        ).toEqual(entries.map(({ id }) => id).sort());
        for (const { id } of entries) {
          const path = pathTo(id, byId, cut);
          expect(path.at(-1)?.id).toBe(id);
          expect(new Set(path).size).toBe(path.length);
          expect(roots.some((root) => root.entry === path[0])).toBe(true);
        }
        // Only what leads back to itself is cut.
        for (const id of cut) expect(leadsBack(id, byId)).toBe(true);
      }),
    );
  });

  it('SES-9 orphans, self-parents and cycles become roots, children are oldest first', () => {
    const entries = [
      entry('a', null, 5),
      entry('late', 'a', 9),
      entry('early', 'a', 7),
      entry('same', 'a', 9),
      entry('timeless', 'a'),
      entry('orphan', 'gone', 1),
      entry('self', 'self', 2),
      entry('x', 'z', 3),
      entry('y', 'x', 4),
      entry('z', 'y', 5),
    ];
    const { roots, cut } = build(entries);
    expect(roots.map((root) => root.entry.id)).toEqual(['orphan', 'self', 'x', 'a']);
    expect(roots[3]!.children.map((node) => node.entry.id)).toEqual(['timeless', 'early', 'late', 'same']);
    expect([...cut]).toEqual(['self', 'x']);
  });

  it('SES-9 a conversation of 10,000 entries in one line, forwards or backwards in the file, is no problem', () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => entry(`e${i}`, i ? `e${i - 1}` : null, i));
    for (const file of [entries, entries.toReversed(), [...entries.slice(1), entry('e0', 'e9999')]]) {
      const { byId, cut, roots } = build(file);
      expect(flatten(roots)).toHaveLength(10_000);
      expect(pathTo('e9999', byId, cut)).toHaveLength(file === entries || cut.size === 0 ? 10_000 : 9_999);
    }
  });
});

function entry(id: string, parentId: string | null, second?: number): Entry {
  const timestamp = second === undefined ? 'no time' : new Date(second * 1000).toISOString();
  return { type: 'x', id, parentId, timestamp };
}

function build(entries: readonly Entry[]) {
  const byId = new Map(entries.map((each) => [each.id, each]));
  const cut = cyclesOf(entries, byId);
  return { byId, cut, roots: treeOf(entries, byId, cut, new Map()) };
}

function flatten(roots: readonly SessionTreeNode[]): SessionTreeNode[] {
  const all = [...roots];
  for (let i = 0; i < all.length; i++) all.push(...all[i]!.children);
  return all;
}

function leadsBack(id: string, byId: ReadonlyMap<string, Entry>): boolean {
  let at = byId.get(id);
  for (let steps = 0; at && steps <= byId.size; steps++) {
    at = at.parentId === null ? undefined : byId.get(at.parentId);
    if (at?.id === id) return true;
  }
  return false;
}
