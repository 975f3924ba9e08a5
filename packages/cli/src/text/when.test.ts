import { describe, expect, it } from 'vitest';
import { when } from './when.ts';

describe('when', () => {
  it('tells a moment to the minute, and nothing of what is none', () => {
    expect(when('2026-11-30T13:44:10.000Z')).toMatch(/^2026-(11-30|12-01|11-29) \d\d:\d\d$/);
    expect(when('yesterday')).toBe('');
  });
});
