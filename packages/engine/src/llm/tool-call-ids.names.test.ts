import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toolName } from './tool-call-ids.ts';

it('IDE-15 a call by any name at all does not brick the conversation: every wire takes what is sent again', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    expect(toolName(name) in Object.prototype).toBe(false);
  }
  expect(toolName('read_file')).toBe('read_file');
  expect(toolName('')).toBe('unnamed');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(toolName(name)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(toolName(name) in Object.prototype).toBe(false);
      expect(toolName(toolName(name))).toBe(toolName(name));
    }),
  );
});
