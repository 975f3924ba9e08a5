import { describe, expect, it } from 'vitest';
import { type BranchSummaryEntry, customData, type Entry, isEntry, isFromExtension, isHeader } from './entries.ts';

const place = { id: 'a1b2c3d4', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };

describe('entries', () => {
  it('SES-2 an entry is any line with a type, an id and a place, whatever else it holds', () => {
    expect(isEntry({ ...place, type: 'of_the_future', more: 1 })).toBe(true);
    expect(isEntry({ ...place, type: 'message', parentId: 'b2c3d4e5' })).toBe(true);
    for (const line of [null, [], 'x', {}, { ...place, type: 'session' }, { ...place, type: 'x', id: 5 }]) {
      expect(isEntry(line)).toBe(false);
    }
    expect(isEntry({ type: 'x', id: 'a' })).toBe(false);
  });

  it('SES-1 a header is a line of type session with an id, of any version', () => {
    expect(isHeader({ type: 'session', id: 's' })).toBe(true);
    expect(isHeader({ type: 'session', version: 9, id: 's', title: 'T' })).toBe(true);
    for (const line of [null, {}, { type: 'session' }, { type: 'message', id: 's' }])
      expect(isHeader(line)).toBe(false);
  });

  it('SES-3 a summary by an extension is known by our name of the field and by pi’s', () => {
    const summary: BranchSummaryEntry = { ...place, type: 'branch_summary', fromId: 'root', summary: 's' };
    expect(isFromExtension(summary)).toBe(false);
    expect(isFromExtension({ ...summary, fromExtension: true })).toBe(true);
    expect(isFromExtension({ ...summary, fromHook: true } as BranchSummaryEntry)).toBe(true);
  });

  it('SES-2 custom data is given by its own type only, and only where there is some', () => {
    const entry: Entry = { ...place, type: 'custom', customType: 'leaf', data: {} };
    expect(customData(entry, 'leaf')).toEqual({});
    expect(customData(entry, 'cut')).toBe(undefined);
    expect(customData({ ...entry, data: null }, 'leaf')).toBe(undefined);
    expect(customData({ ...place, type: 'message', customType: 'leaf', data: {} }, 'leaf')).toBe(undefined);
  });
});
