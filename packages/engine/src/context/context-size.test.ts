import { type AssistantMessage, type Entry, zeroUsage } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../llm/to-prompt.ts';
import { contextSize } from './context-size.ts';
import { TokenMeter } from './tokens.ts';

const WINDOW = 200_000;
const FIXED = 1_000;
const question: LlmMessage = { role: 'user', content: 'q'.repeat(4_000), timestamp: 0 };
const later: LlmMessage = { role: 'user', content: 'l'.repeat(400), timestamp: 0 };

function answer(usage: object, stopReason: AssistantMessage['stopReason'] = 'stop'): AssistantMessage {
  const by = { api: 'x', provider: 'x', model: 'x', timestamp: 0 };
  const content = [{ type: 'text' as const, text: 'a'.repeat(40) }];
  return { role: 'assistant', content, ...by, usage: { ...zeroUsage(), ...usage }, stopReason };
}

function sizeOf(given: AssistantMessage, after: object[] = []): number {
  const lines = [{ type: 'message', message: question }, { type: 'message', message: given }, ...after];
  const path = lines.map((line, i) => ({ id: `e${i}`, parentId: null, timestamp: '', ...line }) as Entry);
  return contextSize(path, [question, given, later], FIXED, WINDOW, new TokenMeter());
}

const ESTIMATE = FIXED + 1_008 + 18 + 108;

describe('contextSize', () => {
  it('SES-17 is the provider’s count of the newest answer, and estimates for what came after', () => {
    expect(sizeOf(answer({ input: 500, cacheRead: 3_000, cacheWrite: 100, output: 60 }))).toBe(3_660 + 108);
  });

  it.each([
    ['missing', { input: undefined, output: undefined }],
    ['nothing', {}],
    ['no numbers', { input: Number.NaN, output: 5 }],
    ['negative', { input: -1, output: 5_000 }],
    ['more than the window', { input: 9_000_000 }],
    ['far less than was sent', { input: 12, output: 3 }],
    ['words', { input: 'many' }],
  ])('SES-17 numbers that are %s do not count', (_what, usage) => {
    expect(sizeOf(answer(usage))).toBe(ESTIMATE);
  });

  it.each([
    ['a compaction', { type: 'compaction', summary: 's', firstKeptEntryId: 'e0' }],
    ['a cut', { type: 'custom', customType: 'cut', data: { cuts: [] } }],
  ])('SES-17 an answer from before %s speaks of another conversation', (_what, entry) => {
    expect(sizeOf(answer({ input: 150_000 }), [entry])).toBe(ESTIMATE);
  });

  it('SES-17 nor does an answer that broke off', () => {
    expect(sizeOf(answer({ input: 150_000 }, 'aborted'))).toBe(ESTIMATE);
  });
});
