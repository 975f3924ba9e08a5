import { describe, expect, it } from 'vitest';
import { shortIdLength } from './short-ids.ts';

describe('shortIdLength', () => {
  it('is the shortest length that tells all ids apart, at least 8', () => {
    expect(shortIdLength([])).toBe(8);
    expect(shortIdLength(['aaaaaaaaaa', 'bbbbbbbbbb'])).toBe(8);
    expect(shortIdLength(['aaaaaaaa-1', 'aaaaaaaa-2'])).toBe(10);
    expect(shortIdLength(['same', 'same'])).toBe(8);
  });
});
