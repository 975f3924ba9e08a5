import { describe, expect, it } from 'vitest';
import { visibleLine } from './visible-text.ts';

describe('visibleLine', () => {
  it('keeps what an escape sequence would have hidden', () => {
    expect(visibleLine('echo ok \u001b]0;touch PWNED;\u0007')).toBe('echo ok ␛]0;touch PWNED;␇');
  });

  it('puts text on one line without its colours', () => {
    expect(visibleLine(' \u001b[31mred\u001b[0m\n\n next\t\u0007 ')).toBe('red next ␇');
  });
});
