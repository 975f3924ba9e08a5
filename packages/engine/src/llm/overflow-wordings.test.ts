import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { classifyFailure } from './failure.ts';

describe('context overflow', () => {
  it.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'the request exceeds the available context size. try increasing the context size',
    'Please reduce the length of the messages or completion.',
    'Input is too long for requested model.',
  ])('IDE-20 is known by its words, refused or in mid-stream: %s', (message) => {
    const refused = new APICallError({ message, url: 'http://x', requestBodyValues: {}, statusCode: 400 });
    expect(classifyFailure(refused, 'x', 0).kind).toBe('overflow');
    expect(classifyFailure(new Error(message), 'x', 0).kind).toBe('overflow');
  });

  it.each(['Invalid value for `temperature`', 'The tool name is too long', 'Unknown model'])(
    'IDE-20 other refusals are none: %s',
    (message) => {
      const refused = new APICallError({ message, url: 'http://x', requestBodyValues: {}, statusCode: 400 });
      expect(classifyFailure(refused, 'x', 0).kind).toBe('invalid');
    },
  );
});
