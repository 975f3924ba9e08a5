import type { Entry } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownRules } from './known-rules.ts';

function log(...parts: Record<string, unknown>[]): Entry[] {
  return parts.map((part, i) => ({ id: `e${i}`, parentId: i ? `e${i - 1}` : null, timestamp: '', ...part }) as Entry);
}
const system = (text: string, path: string) => ({
  type: 'custom',
  customType: 'rules',
  data: { text, files: [{ path, version: '1' }] },
});
const later = (path: string, version: string, standing = false) => ({
  type: 'custom_message',
  customType: 'rules',
  content: '',
  display: false,
  details: { files: [{ path, version }], standing },
});
const task = { type: 'custom', customType: 'task_start', data: {} };

describe('knownRules', () => {
  it('IDE-72 the first rules of a path stay, and a task without any had none', () => {
    expect(knownRules([]).system).toBeUndefined();
    expect(knownRules(log(system('one', 'AGENTS.md'), task, system('two', 'x'))).system).toBe('one');
    expect(knownRules(log(task, system('late', 'AGENTS.md'))).system).toBe('');
  });

  it('IDE-72 the newest version counts, and what a compaction condensed is not known any more', () => {
    const path = log(system('s', 'AGENTS.md'), task, later('src/AGENTS.md', 'a'), later('AGENTS.md', '2', true));
    expect(Object.fromEntries(knownRules(path).versions)).toEqual({ 'AGENTS.md': '2', 'src/AGENTS.md': 'a' });
    expect([...knownRules(path).standing]).toEqual(['AGENTS.md']);
    const condensed = (firstKeptEntryId: string) => [
      ...path,
      {
        type: 'compaction',
        id: 'c',
        parentId: 'e3',
        timestamp: '',
        summary: '',
        tokensBefore: 0,
        firstKeptEntryId,
      } as Entry,
    ];
    expect(Object.fromEntries(knownRules(condensed('e3')).versions)).toEqual({ 'AGENTS.md': '2' });
    expect(Object.fromEntries(knownRules(condensed('gone')).versions)).toEqual({ 'AGENTS.md': '1' });
  });

  it('SES-6 takes a log of any shape', () => {
    const type = fc.constantFrom('custom', 'custom_message', 'compaction', 'message');
    const entry = fc.record({
      type,
      customType: fc.constantFrom('rules', 'task_start'),
      data: fc.jsonValue(),
      details: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        expect(knownRules(log(...entries)).versions).toBeInstanceOf(Map);
      }),
    );
  });
});
