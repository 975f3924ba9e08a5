import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, readWorkspaceEdit } from './workspace-edit.ts';

const range = (a: number, b: number, c: number, d: number) => ({
  start: { line: a, character: b },
  end: { line: c, character: d },
});

describe('readWorkspaceEdit', () => {
  it('INT-15 reads edits by file, and steps in their order', () => {
    const edit = { range: range(0, 1, 0, 2), newText: 'x' };
    expect(readWorkspaceEdit({ changes: { 'file:///a%20b': [edit] } })).toEqual([
      { kind: 'edit', path: '/a b', edits: [edit] },
    ]);
    const documentChanges = [
      { kind: 'rename', oldUri: 'file:///a', newUri: 'file:///b' },
      { kind: 'create', uri: 'file:///c' },
      { textDocument: { uri: 'file:///b', version: null }, edits: [{ ...edit, annotationId: 'n' }] },
      { kind: 'delete', uri: 'file:///d' },
    ];
    expect(readWorkspaceEdit({ documentChanges, changes: {} })).toEqual([
      { kind: 'rename', path: '/a', to: '/b' },
      { kind: 'create', path: '/c' },
      { kind: 'edit', path: '/b', edits: [edit] },
      { kind: 'delete', path: '/d' },
    ]);
    expect(readWorkspaceEdit({})).toEqual([]);
  });

  it.each([
    null,
    [],
    { changes: { 'untitled:x': [] } },
    { changes: { 'file:///a': [{ newText: 'x' }] } },
    { changes: { 'file:///a': {} } },
    { documentChanges: [{ kind: 'move', uri: 'file:///a' }] },
    { documentChanges: [null] },
  ])('INT-15 refuses one of which a part makes no sense: %j', (value) => {
    expect(readWorkspaceEdit(value)).toBeUndefined();
  });
});

describe('applyEdits', () => {
  it('INT-15 applies edits that speak of the text before, whatever their order', () => {
    const text = 'one\r\ntwo\nthree';
    const edits = [
      { range: range(2, 0, 2, 5), newText: '3' },
      { range: range(0, 0, 0, 0), newText: 'a' },
      { range: range(0, 0, 0, 0), newText: 'b' },
      { range: range(0, 3, 1, 0), newText: ' ' },
      { range: range(9, 0, 9, 0), newText: '!' },
    ];
    expect(applyEdits(text, edits)).toBe('abone two\n3!');
  });

  it('INT-15 refuses edits that overlap', () => {
    const edits = [
      { range: range(0, 0, 0, 2), newText: 'x' },
      { range: range(0, 1, 0, 3), newText: 'y' },
    ];
    expect(() => applyEdits('abcd', edits)).toThrowError(expect.objectContaining({ code: 'overlapping_edits' }));
    expect(() => applyEdits('abcd', [{ range: range(0, 2, 0, 1), newText: '' }])).toThrowError('overlap');
  });

  it('INT-15 gives what replacing from the end gives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '🦊'), maxLength: 30 });
    const cut = fc.tuple(fc.nat({ max: 31 }), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(text, fc.array(cut, { maxLength: 6 }), (before, cuts) => {
        const offsets = [...new Set(cuts.map(([at]) => Math.min(at, before.length)))].sort((a, b) => a - b);
        const place = (offset: number) => {
          const lines = before.slice(0, offset).split('\n');
          return { line: lines.length - 1, character: lines.at(-1)!.length };
        };
        const edits = [];
        let expected = before;
        for (let index = offsets.length - 2; index >= 0; index -= 2) {
          const [start, end, newText] = [offsets[index]!, offsets[index + 1]!, cuts[index]![1]];
          edits.push({ range: { start: place(start), end: place(end) }, newText });
          expected = expected.slice(0, start) + newText + expected.slice(end);
        }
        expect(applyEdits(before, edits)).toBe(expected);
      }),
    );
  });
});
