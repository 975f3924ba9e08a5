import { describe, expect, it } from 'vitest';
import { ServerMemory } from '../server-memory.ts';
import { signThinking } from '../sign-thinking.ts';
import { type AnthropicCheckOptions, validateAnthropic } from './validate-anthropic.ts';

type Json = Record<string, unknown>;

const user = { role: 'user', content: 'hi' };
const said = { role: 'assistant', content: 'yes' };
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const calls = (...ids: string[]) => ({ role: 'assistant', content: ids.map((id) => use(id)) });
const result = (id: string, more: Json = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more });
const results = (...ids: string[]) => ({ role: 'user', content: ids.map((id) => result(id)) });
const tool = { name: 'read', input_schema: { type: 'object', properties: {} } };
const image = (more: Json = {}) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=', ...more },
});
const thought = (thinking: string, signature = signThinking(thinking)) => ({ type: 'thinking', thinking, signature });

function refusal(body: Json, options?: AnthropicCheckOptions): string | undefined {
  const error = validateAnthropic({ model: 'm', max_tokens: 100, messages: [user], ...body }, options);
  if (!error) return undefined;
  expect(error).toMatchObject({ status: 400, body: { type: 'error', error: { type: 'invalid_request_error' } } });
  return (error.body as { error: { message: string } }).error.message;
}

describe('bodies that the Messages API takes', () => {
  const good: [string, Json][] = [
    ['a plain question', {}],
    ['calls and results', { tools: [tool], messages: [user, calls('a', 'b'), results('b', 'a')] }],
    [
      'text after results',
      { messages: [user, calls('a'), { role: 'user', content: [result('a'), { type: 'text', text: 'x' }] }] },
    ],
    [
      'images of a person and of a tool',
      {
        messages: [
          { role: 'user', content: [image()] },
          calls('a'),
          { role: 'user', content: [result('a', { content: [image()] })] },
        ],
      },
    ],
    ['signed thinking', { messages: [user, { role: 'assistant', content: [thought('hm'), use('a')] }, results('a')] }],
    ['a prefilled answer', { messages: [user, { role: 'assistant', content: 'The answer is' }] }],
    ['thinking with room', { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['a server tool', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'four cache marks',
      { system: [1, 2, 3, 4].map(() => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })) },
    ],
  ];
  it.each(good)('%s', (_name, body) => {
    expect(refusal(body)).toBeUndefined();
  });
});

describe('bodies that it refuses, in its words', () => {
  const bad: [string, Json, string][] = [
    [
      'an image of an unknown kind',
      { messages: [{ role: 'user', content: [image({ media_type: 'image/bmp' })] }] },
      "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ],
    [
      'an empty image of a tool',
      { messages: [user, calls('a'), { role: 'user', content: [result('a', { content: [image({ data: '' })] })] }] },
      'messages.2.content.0.tool_result.content.0.image.source.base64.data: image cannot be empty',
    ],
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['max_tokens 0', { max_tokens: 0 }, 'max_tokens: Input should be greater than or equal to 1'],
    ['max_tokens as text', { max_tokens: '5' }, 'max_tokens: Input should be a valid integer'],
    ['no model', { model: undefined }, 'model: Field required'],
    ['an unknown field', { foo: 1 }, 'foo: Extra inputs are not permitted'],
    ['a field named constructor', { constructor: 1 }, 'constructor: Extra inputs are not permitted'],
    ['a wrong type', { stream: 'yes' }, 'stream: Input should be a valid boolean'],
    ['no messages', { messages: [] }, 'messages: at least one message is required'],
    ['a named message', { messages: [{ ...user, name: 'x' }] }, 'messages.0.name: Extra inputs are not permitted'],
    ['a system message', { messages: [{ role: 'system', content: 'x' }] }, 'messages: Unexpected role "system".'],
    ['an assistant first', { messages: [said] }, 'messages: first message must use the "user" role'],
    [
      'two user messages in a row',
      { messages: [user, user] },
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ],
    [
      'two assistant messages in a row',
      { messages: [user, said, said, user] },
      'messages: roles must alternate between "user" and "assistant", but found multiple "assistant" roles in a row',
    ],
    [
      'empty text',
      { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      'messages: text content blocks must be non-empty',
    ],
    [
      'text of blanks',
      { messages: [{ role: 'user', content: [{ type: 'text', text: ' \n' }] }] },
      'messages: text content blocks must contain non-whitespace text',
    ],
    [
      'empty content',
      { messages: [{ role: 'user', content: '' }] },
      'messages.0: all messages must have non-empty content',
    ],
    [
      'trailing space',
      { messages: [user, { role: 'assistant', content: 'x ' }] },
      'messages: final assistant content cannot end with trailing whitespace',
    ],
    [
      'an unknown block',
      { messages: [{ role: 'user', content: [{ type: 'foo' }] }] },
      "messages.0.content.0: Input tag 'foo' found using 'type'",
    ],
    [
      'calls without results',
      { messages: [user, calls('a', 'b'), results('a')] },
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
    ['a call at the end', { messages: [user, calls('a')] }, 'messages.1: `tool_use` ids were found without'],
    [
      'text before results',
      { messages: [user, calls('a'), { role: 'user', content: [{ type: 'text', text: 'x' }, result('a')] }] },
      'messages.1: `tool_use` ids were found without',
    ],
    [
      'a result without a call',
      { messages: [user, said, results('a')] },
      'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    ],
    [
      'two results for one call',
      { messages: [user, calls('a'), results('a', 'a')] },
      'messages.2.content.1: each tool_use must have a single result.',
    ],
    [
      'one id twice',
      { messages: [user, calls('a'), results('a'), calls('a'), results('a')] },
      'messages.3.content.0: `tool_use` ids must be unique',
    ],
    [
      'an id of another provider',
      { messages: [user, calls('a|b'), results('a|b')] },
      'messages.1.content.0.tool_use.id: String should match pattern',
    ],
    [
      'input as text',
      { messages: [user, { role: 'assistant', content: [use('a', '{}')] }, results('a')] },
      'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    ],
    [
      'an empty failure',
      { messages: [user, calls('a'), { role: 'user', content: [result('a', { content: '', is_error: true })] }] },
      'messages.2.content.0: content cannot be empty if `is_error` is true',
    ],
    [
      'thinking without a signature',
      { messages: [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] }, user] },
      'messages.1.content.0.thinking.signature: Field required',
    ],
    [
      'thinking with a foreign signature',
      { messages: [user, { role: 'assistant', content: [thought('x', 'abc')] }, user] },
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [
      'a cache mark on thinking',
      { messages: [user, { role: 'assistant', content: [{ ...thought('x'), cache_control: {} }] }, user] },
      'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    ],
    ['a tool without a schema', { tools: [{ name: 'a' }] }, 'tools.0.custom.input_schema: Field required'],
    ['a bad tool name', { tools: [{ ...tool, name: 'a b' }] }, 'tools.0.custom.name: String should match pattern'],
    ['a tool twice', { tools: [tool, tool] }, 'tools: Tool names must be unique.'],
    ['temperature 2', { temperature: 2 }, 'temperature: range: 0..1'],
    [
      'a small budget',
      { thinking: { type: 'enabled', budget_tokens: 5 } },
      'thinking.enabled.budget_tokens: Input should be greater',
    ],
    [
      'a budget over max_tokens',
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    ],
    [
      'five cache marks',
      { system: [1, 2, 3, 4, 5].map(() => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })) },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
  ];
  it.each(bad)('%s', (_name, body, expected) => {
    expect(refusal(body)).toContain(expected);
  });

  it('a call that came after thinking, given back without it while thinking is on', () => {
    const body = {
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [user, calls('a'), results('a')],
    };
    expect(refusal(body)).toBeUndefined();
    const memory = new ServerMemory();
    memory.callsAfterThinking.add('a');
    expect(refusal(body, { memory })).toContain('Expected `thinking` or `redacted_thinking`');
  });

  it('less where less strictness is asked for', () => {
    expect(refusal({ foo: 1 }, { allowUnknownFields: true })).toBeUndefined();
    expect(refusal({ messages: [user, user] }, { allowConsecutiveRoles: true })).toBeUndefined();
    const foreign = [user, { role: 'assistant', content: [thought('x', 'abc')] }, user];
    expect(refusal({ messages: foreign }, { allowForeignSignatures: true })).toBeUndefined();
    const memory = new ServerMemory();
    memory.scriptedSignatures.add('abc');
    expect(refusal({ messages: foreign }, { memory })).toBeUndefined();
  });
});
