import type { AssistantMessage, ToolResultMessage } from '@black-ide/protocol';
import { zeroUsage } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APIS, PROVIDER_KINDS, type ProviderKind } from './constants.ts';
import { type LlmMessage, PromptConverter, type PromptTarget } from './to-prompt.ts';
import { toolCallId } from './tool-call-ids.ts';

function target(kind: ProviderKind, images = true): PromptTarget {
  const info = { contextWindow: 1, maxOutput: 1, images };
  return { provider: kind, modelId: 'm', kind, api: APIS[kind], info };
}

function answer(kind: ProviderKind, content: AssistantMessage['content'], model = 'm'): AssistantMessage {
  const said = { api: APIS[kind], provider: kind, model, usage: zeroUsage() };
  return { role: 'assistant', content, ...said, stopReason: 'toolUse', timestamp: 0 };
}

const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;

function result(id: string, content: ToolResultMessage['content'], isError = false): ToolResultMessage {
  return { role: 'toolResult', toolCallId: id, toolName: 'read_file', content, isError, timestamp: 0 };
}

const convert = (to: PromptTarget, messages: LlmMessage[]) => new PromptConverter(to).convert('sys', messages).slice(1);

describe('toolCallId', () => {
  it('IDE-27 fits every wire, stays where it fits, and keeps different ids different', () => {
    const id = fc.oneof(fc.string({ maxLength: 120 }), fc.stringMatching(/^[a-zA-Z0-9_-]{1,70}$/));
    fc.assert(
      fc.property(id, id, fc.constantFrom(...Object.values(APIS)), (a, b, api) => {
        const longest = api === 'openai-completions' ? 40 : 64;
        const mapped = toolCallId(a, api);
        expect(mapped).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(mapped.length).toBeLessThanOrEqual(longest);
        expect(toolCallId(a, api)).toBe(mapped);
        if (a.length <= longest && /^[A-Za-z0-9_-]+$/.test(a)) expect(mapped).toBe(a);
        if (a !== b) expect(toolCallId(b, api)).not.toBe(mapped);
      }),
    );
  });

  it('IDE-27 is the same for a call and its result', () => {
    const call = { type: 'toolCall', id: 'functions.read:0|x', name: 'read_file', arguments: {} } as const;
    const prompt = convert(target('anthropic'), [answer('openai-compatible', [call]), result(call.id, [])]);
    const ids = JSON.stringify(prompt).match(/functions_read_0_x_[0-9a-f]{16}/g);
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
  });
});

it('IDE-27 sends no text of blanks alone, which a provider refuses', () => {
  const blank = { type: 'text', text: ' \n' } as const;
  const call = { type: 'toolCall', id: 'c', name: 'read_file', arguments: {} } as const;
  for (const kind of PROVIDER_KINDS) {
    const prompt = convert(target(kind), [
      { role: 'user', content: [blank, image], timestamp: 0 },
      { role: 'user', content: ' ', timestamp: 0 },
      answer(kind, [blank, call]),
      result('c', [blank, image]),
      answer(kind, [blank]),
      result('d', [blank], true),
    ]);
    const texts = JSON.stringify(prompt).match(/"(?:text|value)":"(?:\\\\.|[^"])*"/g) ?? [];
    if (kind === 'anthropic') expect(texts.filter((each) => /:"(?:\s|\\n)*"$/.test(each))).toEqual([]);
    expect(prompt.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  }
});

describe('thinking', () => {
  const signatures: Partial<Record<ProviderKind, string>> = {
    anthropic: 'sig',
    'openai-responses': JSON.stringify({ type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] }),
    google: 'sig',
    openrouter: JSON.stringify([{ type: 'reasoning.text', text: 'hm', signature: 'sig' }]),
  };
  const thought = (kind: ProviderKind) =>
    ({ type: 'thinking', thinking: 'hm', thinkingSignature: signatures[kind] ?? 'reasoning_content' }) as const;
  const pairs = PROVIDER_KINDS.flatMap((from) => PROVIDER_KINDS.map((to) => [from, to] as const));

  it.each(pairs)('IDE-27 of %s goes to %s only where it is its own and signed', (from, to) => {
    const prompt = convert(target(to), [answer(from, [thought(from), { type: 'text', text: 'so' }])]);
    const parts = prompt.flatMap((message) => (message.role === 'assistant' ? message.content : []));
    const own = from === to && signatures[from] !== undefined;
    expect(parts.map((part) => part.type)).toEqual(own ? ['reasoning', 'text'] : ['text']);
  });

  it('IDE-27 of another model of the same provider, or with a signature that is none, is left out', () => {
    const other = answer('anthropic', [thought('anthropic'), { type: 'text', text: 'so' }], 'other');
    expect(JSON.stringify(convert(target('anthropic'), [other]))).not.toContain('hm');
    const odd = { type: 'thinking', thinking: 'hm', thinkingSignature: 'not json' } as const;
    expect(convert(target('openai-responses'), [answer('openai-responses', [odd])])).toEqual([]);
  });
});

describe('images', () => {
  const call = (id: string) => ({ type: 'toolCall', id, name: 'read_file', arguments: {} }) as const;
  const turn = [
    answer('anthropic', [call('a'), call('b')]),
    result('a', [{ type: 'text', text: 'see' }, image]),
    result('b', [{ type: 'text', text: 'plain' }]),
  ];

  it.each(PROVIDER_KINDS)(
    'IDE-27 in a tool result reach %s: inside it, or right after the results of the turn',
    (kind) => {
      const prompt = convert(target(kind), turn);
      const inside = kind === 'anthropic' || kind === 'openai-responses';
      expect(prompt.map(({ role }) => role)).toEqual(['assistant', 'tool', ...(inside ? [] : ['user'])]);
      expect(JSON.stringify(prompt).match(/AAAA/g)).toHaveLength(1);
      const text = JSON.stringify(prompt[1]);
      expect(text.includes('shown in the next message')).toBe(!inside);
    },
  );

  it('IDE-27 are replaced by a note where the model takes none', () => {
    const user: LlmMessage = { role: 'user', content: [{ type: 'text', text: 'look' }, image], timestamp: 0 };
    const said = JSON.stringify(convert(target('anthropic', false), [user, ...turn]));
    expect(said).not.toContain('AAAA');
    expect(said.match(/\[image: image\/png, left out: m takes no images\]/g)).toHaveLength(2);
  });

  it('IDE-18 keep their place as the conversation grows: what was sent stays a beginning of what is sent', () => {
    const converter = new PromptConverter(target('google'));
    const before = converter.convert('sys', turn);
    const after = converter.convert('sys', [...turn, answer('google', [{ type: 'text', text: 'ok' }])]);
    expect(after.slice(0, before.length)).toEqual(before);
  });
});
