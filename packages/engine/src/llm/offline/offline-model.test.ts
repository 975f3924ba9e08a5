import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { createOfflineModel } from './offline-model.ts';

function asks(
  text: string,
  names: string[] = ['grep_search'],
  more: Partial<LanguageModelV4CallOptions> = {},
): LanguageModelV4CallOptions {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'You are Black.' },
    { role: 'user', content: [{ type: 'text', text }] },
  ];
  const tools = names.map((name) => ({ type: 'function' as const, name, inputSchema: { type: 'object' as const } }));
  return { prompt, tools, ...more };
}

async function streamed(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await createOfflineModel({ newCallId: () => 'id' }).doStream(options);
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('createOfflineModel', () => {
  it('IDE-28 is a language model like any other, as far as its interface goes', () => {
    expect(createOfflineModel()).toMatchObject({
      specificationVersion: 'v4',
      provider: 'offline',
      modelId: 'offline',
      supportedUrls: {},
    });
  });

  it('IDE-28 streams a call with its input, and no tokens used', async () => {
    const parts = await streamed(asks('who uses saveNote'));
    const input = '{"pattern":"\\\\bsaveNote\\\\b"}';
    expect(parts).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'tool-input-start', id: 'id', toolName: 'grep_search' },
      { type: 'tool-input-delta', id: 'id', delta: input },
      { type: 'tool-input-end', id: 'id' },
      { type: 'tool-call', toolCallId: 'id', toolName: 'grep_search', input },
      expect.objectContaining({ type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool-calls' } }),
    ]);
    expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } } });
  });

  it('IDE-28 streams a text in pieces that are together what doGenerate answers', async () => {
    const parts = await streamed(asks('help'));
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []));
    const { content, finishReason } = await createOfflineModel().doGenerate(asks('help'));
    expect(deltas.length).toBeGreaterThan(1);
    expect(content).toEqual([{ type: 'text', text: deltas.join('') }]);
    expect(finishReason.unified).toBe('stop');
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } });
  });

  it('IDE-28 gives each call an id of its own', async () => {
    const { content } = await createOfflineModel().doGenerate(asks('where is the note title validated?'));
    const ids = content.map((part) => (part.type === 'tool-call' ? part.toolCallId : ''));
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('IDE-28 stops when it is aborted, before and within the stream', async () => {
    const aborted = AbortSignal.abort(new Error('stopped'));
    await expect(createOfflineModel().doStream(asks('help', [], { abortSignal: aborted }))).rejects.toThrow('stopped');
    const controller = new AbortController();
    const { stream } = await createOfflineModel().doStream(asks('help', [], { abortSignal: controller.signal }));
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new Error('stopped'));
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('stopped');
  });

  it.each<[says: string, names: string[], words: RegExp]>([
    ['where is X', [], /mode does not have that tool/],
    ['replace a with b', ['read_file'], /mode does not have that tool/],
    ['run the tests', ['read_file'], /mode does not have that tool/],
    ['write a poem', ['grep_search'], /takes a language model.*ANTHROPIC_API_KEY/],
    ['help', [], /no language model/],
    ['hello', [], /no language model/],
    ['are you an AI?', [], /no language model/],
    ['how do I add a model?', [], /OPENAI_BASE_URL=.*--model/],
    ['thanks', [], /welcome/],
    ['go on', [], /nothing to go on with/],
    ['replace foo', [], /quotes/],
  ])('IDE-28 answers %j with what it cannot do, not with a call', async (says, names, words) => {
    const { content } = await createOfflineModel().doGenerate(asks(says, names));
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(words) }]);
  });

  it('IDE-28 says in two sentences what it cannot do and how to add a model', async () => {
    const { content } = await createOfflineModel().doGenerate(asks('Write me a poem about notes'));
    const text = content[0]?.type === 'text' ? content[0].text : '';
    expect(text.split(/[.!?](?:\s|$)/).filter((sentence) => sentence !== '')).toHaveLength(2);
  });

  it('IDE-28 calls nothing where calls are forbidden, and warns of what it cannot honour', async () => {
    const none = await createOfflineModel().doGenerate(
      asks('who uses x', ['grep_search'], { toolChoice: { type: 'none' } }),
    );
    expect(none.finishReason.unified).toBe('stop');
    const json = await createOfflineModel().doGenerate(asks('help', [], { responseFormat: { type: 'json' } }));
    expect(json.warnings).toMatchObject([{ type: 'unsupported', feature: 'responseFormat' }]);
  });

  it('IDE-28 answers an empty prompt', async () => {
    const { content } = await createOfflineModel().doGenerate({ prompt: [] });
    expect(content).toMatchObject([{ type: 'text' }]);
  });
});
