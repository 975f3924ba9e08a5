import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceWhole } from '../code/occurrences.ts';
import { planReplacement, uniqueEdits } from './replacement-edits.ts';

function apply(text: string, edits: readonly { old_string: string; new_string: string }[]): string {
  return edits.reduce((now, edit) => {
    expect(now.split(edit.old_string)).toHaveLength(2);
    return now.replace(edit.old_string, () => edit.new_string);
  }, text);
}

describe('edits of a replacement', () => {
  it('IDE-28 sorts whole words from parts of longer ones', () => {
    const hits = [
      { path: 'a.ts', line: 1, text: 'note(note)' },
      { path: 'a.ts', line: 2, text: 'notes' },
    ];
    const { files, inside } = planReplacement(
      new Map([
        ['a.ts', hits],
        ['b.ts', [{ path: 'b.ts', line: 7, text: 'note' }]],
      ]),
      'note',
      'memo',
    );
    expect(files).toMatchObject([
      { path: 'a.ts', places: 2, pure: false, targets: [{ line: 1, after: 'memo(memo)', places: 2 }] },
      { path: 'b.ts', places: 1, pure: true },
    ]);
    expect(inside.map((hit) => hit.line)).toEqual([2]);
  });

  it('IDE-28 does not trust lines that may have been shortened', () => {
    const { files } = planReplacement(
      new Map([['a.ts', [{ path: 'a.ts', line: 1, text: `note ${'x'.repeat(400)}` }]]]),
      'note',
      'memo',
    );
    expect(files[0]?.pure).toBe(false);
  });

  it('IDE-28 makes each edit unique at its turn, and together they replace exactly the whole words', () => {
    const row = fc.constantFrom('note', 'notes', '  note;', 'x', '', 'note note', '}', 'memo');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
        const lines = new Map(rows.map((text, at) => [at + 1, text]));
        const edits = uniqueEdits(lines, 'note', 'memo');
        const wanted = rows.map((text) => replaceWhole(text, 'note', 'memo')).join('\n');
        expect(edits === undefined || apply(rows.join('\n'), edits) === wanted).toBe(true);
        expect(edits).toBeDefined();
      }),
    );
  });
});
