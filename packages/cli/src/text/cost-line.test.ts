import { describe, expect, it } from 'vitest';
import { costLine } from './cost-line.ts';

describe('costLine', () => {
  it('IDE-24 tells mode, model, turns, tokens, money and time in one line', () => {
    const usage = { input: 200, output: 456, cacheRead: 1_000, cacheWrite: 0 };
    expect(costLine({ mode: 'Agent', model: 'a/b', turns: 3, usage, cost: 0.004, durationMs: 840 })).toBe(
      'Agent · a/b · 3 turns · 1.2k tokens in (83 % cached), 456 out · $0.0040 · 0.8 s',
    );
  });

  it('leaves out what there is nothing of', () => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(costLine({ turns: 1, usage, cost: 0 })).toBe('1 turn · $0.00');
  });
});
