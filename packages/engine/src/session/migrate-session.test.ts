import { isEntry } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrateSession } from './migrate-session.ts';

const header = { type: 'session', id: 's', timestamp: 't', cwd: '/w' };
const say = (role: string, content: string) => ({ type: 'message', timestamp: 't', message: { role, content } });

const line = fc.oneof(
  fc.constantFrom('user', 'hookMessage', 'assistant').map((role) => say(role, 'x')),
  fc.nat(12).map((firstKeptEntryIndex) => ({ type: 'compaction', timestamp: 't', summary: 's', firstKeptEntryIndex })),
  fc.record({ type: fc.constant('of_another'), anything: fc.jsonValue() }),
  fc.constant({ type: 'message', message: null }),
);
const session = fc.array(line, { maxLength: 12 }).map((lines) => [header, ...lines] as Record<string, unknown>[]);

describe('migrateSession', () => {
  it('SES-5 v1 → v2 → v3 gives ids and parents in file order, keeps by id, and renames the role', () => {
    const compaction = {
      type: 'compaction',
      timestamp: 't',
      summary: 'so far',
      firstKeptEntryIndex: 2,
      tokensBefore: 9,
    };
    const lines = [header, say('user', 'a'), say('hookMessage', 'b'), compaction, say('assistant', 'c')];
    const migrated = migrateSession(lines, 1);
    expect(migrated).toEqual([
      { ...header, version: 3 },
      { ...say('user', 'a'), id: '00000001', parentId: null },
      { ...say('custom', 'b'), id: '00000002', parentId: '00000001' },
      {
        type: 'compaction',
        timestamp: 't',
        summary: 'so far',
        tokensBefore: 9,
        id: '00000003',
        parentId: '00000002',
        firstKeptEntryId: '00000002',
      },
      { ...say('assistant', 'c'), id: '00000004', parentId: '00000003' },
    ]);
  });

  it('SES-5 v2 → v3 leaves ids alone', () => {
    const two = { ...say('hookMessage', 'b'), id: 'abcdefgh', parentId: null };
    expect(migrateSession([{ ...header, version: 2 }, two], 2)[1]).toEqual({
      ...two,
      message: { role: 'custom', content: 'b' },
    });
  });

  it('SES-5 is pure, gives a well-formed chain, and has nothing to do the second time', () => {
    fc.assert(
      fc.property(session, fc.constantFrom(1, 2), (lines, version) => {
        const before = JSON.stringify(lines);
        const migrated = migrateSession(lines, version);
        expect(JSON.stringify(lines)).toBe(before);
        expect(migrateSession(lines, version)).toEqual(migrated);
        expect(migrateSession(migrated, 3)).toBe(migrated);
        expect(JSON.stringify(migrated)).not.toContain('hookMessage');
        expect(migrated[0]).toEqual({ ...header, version: 3 });
        if (version === 2) return;
        const entries = migrated.slice(1);
        expect(entries.every(isEntry)).toBe(true);
        expect(entries.map((entry) => entry.parentId)).toEqual(
          [null, ...entries.map((entry) => entry.id)].slice(0, -1),
        );
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
        expect(JSON.stringify(migrated)).not.toContain('firstKeptEntryIndex');
      }),
    );
  });

  it('SES-5 leaves the current version and later ones untouched', () => {
    const lines = [
      { ...header, version: 4 },
      { ...say('hookMessage', 'b'), id: 'x', parentId: null },
    ];
    expect(migrateSession(lines, 4)).toBe(lines);
    expect(migrateSession(lines, 3)).toBe(lines);
  });
});
