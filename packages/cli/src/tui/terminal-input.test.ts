import { expect, it } from 'vitest';
import { keyOf } from './terminal-input.ts';

it('knows Home and End however a terminal spells them', () => {
  for (const sent of ['\u001b[H', '\u001bOH', '\u001b[1~', '\u001b[7~']) expect(keyOf(sent).name).toBe('home');
  for (const sent of ['\u001b[F', '\u001bOF', '\u001b[4~', '\u001b[8~']) expect(keyOf(sent).name).toBe('end');
  // For the editor too, which reads what was sent.
  expect(keyOf('\u001b[4~').data).toBe('\u001b[F');
});

it('tells text from keys', () => {
  expect(keyOf('é')).toEqual({ data: 'é', text: 'é' });
  expect(keyOf('\u0003')).toEqual({ data: '\u0003', name: 'ctrl+c' });
});
