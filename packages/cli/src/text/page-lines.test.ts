import type { AnswerPage } from '@black-ide/intel';
import { describe, expect, it } from 'vitest';
import { widthOf } from './fit-width.ts';
import { pageLines } from './page-lines.ts';
import { painter } from './painter.ts';

const PAGE: AnswerPage = {
  head: {
    signature: 'saveNote(note: Note): void',
    place: 'src/store.ts:8-12',
    about: 'method NoteStore.saveNote',
    doc: 'Saves one note.',
  },
  sections: [
    {
      title: 'Called by 2',
      rows: [
        { place: 'src/main.ts:4', text: 'in main', notes: ['import'] },
        { place: 'test/store.test.ts:10', text: 'at the top of the file', notes: ['unique name', 'test'] },
      ],
      more: 3,
    },
    {
      title: 'Used in 1 place',
      rows: [{ place: 'a.ts:1', text: 'in x', notes: ['call'], code: 'save(note)' }],
      more: 0,
    },
  ],
  notes: ['5 uses in all.'],
};
const plain = painter({}, false);

describe('pageLines', () => {
  it('INT-6 puts places, what is there, and how sure it is into columns', () => {
    expect(pageLines(PAGE, Number.POSITIVE_INFINITY, plain)).toEqual([
      'saveNote(note: Note): void',
      'src/store.ts:8-12  method NoteStore.saveNote',
      'Saves one note.',
      '',
      'Called by 2',
      '  src/main.ts:4          in main                 (import)',
      '  test/store.test.ts:10  at the top of the file  (unique name, test)',
      '  … and 3 more; --limit 5 shows all',
      '',
      'Used in 1 place',
      '  a.ts:1  in x  (call)',
      '      save(note)',
      '',
      '5 uses in all.',
    ]);
  });

  it.each([1, 20, 40, 79])('INT-6 fits %s columns, coloured or not', (columns) => {
    const coloured = painter({ TERM: 'xterm' }, true);
    for (const paint of [plain, coloured]) {
      for (const line of pageLines(PAGE, columns, paint)) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    }
  });

  it('INT-6 shows what would steer the terminal, instead of sending it', () => {
    const row = { place: 'a\u001b[2J.ts:1', text: 'in \u202eevil', notes: ['\u0007'], code: '\u001b]0;title\u0007' };
    const head = { place: '\u001b[31mx', about: 'y\u009b', signature: 'f(\u001b[5m)', doc: '\u001bc' };
    const lines = pageLines(
      { head, sections: [{ title: '\u001b[H', rows: [row], more: 0 }], notes: ['\u001b'] },
      200,
      plain,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
