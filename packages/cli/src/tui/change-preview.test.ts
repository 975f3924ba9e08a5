import { expect, it } from 'vitest';
import { widthOf } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { changePreview } from './change-preview.ts';

const paint = painter({}, false);

it('shows the first changed lines with their numbers, of every file and hunk', () => {
  const diff = [
    '--- a/x.ts',
    '+++ b/x.ts',
    '@@ -9,3 +9,3 @@',
    ' same',
    '-\told',
    '+\tnew \u202e',
    ' same',
    '@@ -99 +99,2 @@ function',
    '-gone',
    '\\ No newline at end of file',
    '+come',
    '+--- too',
    '--- a/y',
    '+++ b/y',
    '@@ -0,0 +1 @@',
    '+first',
  ].join('\n');
  expect(changePreview({ diff }, 40, paint)).toEqual([
    '     10 -     old',
    '     10 +     new <U+202E>',
    '     99 - gone',
    '     99 + come',
    '    100 + --- too',
    '      1 + first',
  ]);
});

it('stays short and within the width', () => {
  const diff = ['@@ -0,0 +1,30 @@', ...Array.from({ length: 30 }, () => `+${'wide '.repeat(20)}`)].join('\n');
  const lines = changePreview({ diff }, 40, paint);
  expect(lines).toHaveLength(9);
  expect(lines.at(-1)).toBe('    … 22 more · Ctrl+O shows all');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
  expect(changePreview({}, 40, paint)).toEqual([]);
  expect(changePreview(undefined, 40, paint)).toEqual([]);
});
