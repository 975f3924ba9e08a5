import { describe, expect, it } from 'vitest';
import { costLine } from './cost-line.ts';

describe('costLine', () => {
  it('IDE-24 tells mode, model, turns, tokens, money and time in one line', () => {
    const usage = { input: 200, output: 456, cacheRead: 1_000, cacheWrite: 0 };
    expect(costLine({ mode: 'Agent', model: 'a/b', turns: 3, usage, cost: 0.004, durationMs: 840 })).toBe(
      'Agent · a/b · 3 turns · 1.2k tokens in (83 % cached), 456 out · $0.0040 · 0.8 s',
    );
  });

  it('IDE-88 keeps tokens and money where the line is narrow', () => {
    const usage = { input: 3_800, output: 150, cacheRead: 0, cacheWrite: 0 };
    const facts = { mode: 'Agent', model: 'openai/gpt-5', turns: 3, usage, cost: 1.234, durationMs: 1_600 };
    expect(costLine(facts, 50)).toBe('3.8k tokens in, 150 out · $1.23 · 1.6 s');
    expect(costLine(facts, 32)).toBe('3.8k tokens in, 150 out · $1.23');
    expect(costLine(facts, 1)).toBe('$1.23');
  });

  it('does not call what has no known price free', () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    expect(costLine({ usage, cost: 0, unpriced: true })).toBe('1 tokens in, 1 out · price unknown');
    expect(costLine({ usage, cost: 0.03, unpriced: true })).toBe('1 tokens in, 1 out · ≥ $0.03');
    expect(costLine({ usage, cost: 0 })).toBe('1 tokens in, 1 out · $0.00');
  });

  it('leaves out what there is nothing of', () => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(costLine({ turns: 1, usage, cost: 0 })).toBe('1 turn · $0.00');
  });
});
