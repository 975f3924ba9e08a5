import { expect, it } from 'vitest';
import { literalsOf } from './literals.ts';

it('DX-10 cuts messages where the code has something else each time, the longest pieces first', () => {
  const message = 'ValueError: cannot open the note "Milk" of user 17 in /home/me/notes because the disk is full';
  expect(literalsOf([message])).toEqual([
    'cannot open the note "Milk" of user 17 in /home/me/notes because the disk is full',
    'because the disk is full',
    'cannot open the note',
  ]);
});

it('DX-10 looks for nothing that says nothing', () => {
  expect(literalsOf(['error', '12:30', 'the file', '', '""', 'Error: x'])).toEqual([]);
});
