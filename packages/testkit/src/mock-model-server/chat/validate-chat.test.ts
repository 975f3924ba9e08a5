import { describe, expect, it } from 'vitest';
import { validateChat } from './validate-chat.ts';

type Json = Record<string, unknown>;

const user = { role: 'user', content: 'hi' };
const call = (id: string, args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
});
const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => call(id)) });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const tool = { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } };

function refusal(body: Json): Json | undefined {
  // Through JSON, as it comes over the wire: what is undefined is not there.
  const sent = JSON.parse(JSON.stringify({ model: 'm', messages: [user], ...body })) as Json;
  const error = validateChat(sent);
  return error && { status: error.status, ...(error.body as { error: Json }).error };
}

describe('bodies that the Chat API takes', () => {
  const good: [string, Json][] = [
    ['a plain question', {}],
    ['null for what is not given', { temperature: null, tools: null, stream_options: null }],
    ['tools and a choice', { tools: [tool], tool_choice: 'auto', parallel_tool_calls: true }],
    ['results in any order', { messages: [user, calls('a', 'b'), result('b'), result('a'), user] }],
    [
      'a developer message and content parts',
      { messages: [{ role: 'developer', content: [{ type: 'text', text: 'x' }] }, user] },
    ],
    ['neighbouring messages of one role', { messages: [user, user] }],
    [
      'an image of a person',
      {
        messages: [
          { role: 'user', content: [image('data:image/png;base64,iVBORw0KGgo='), image('https://example.com/a.png')] },
        ],
      },
    ],
    ['reasoning given back', { messages: [user, { role: 'assistant', content: 'x', reasoning_content: 'y' }, user] }],
  ];
  it.each(good)('%s', (_name, body) => {
    expect(refusal(body)).toBeUndefined();
  });
});

describe('bodies that it refuses, in its words', () => {
  const bad: [string, Json, Json][] = [
    [
      'an image without bytes',
      { messages: [{ role: 'user', content: [image('data:image/png;base64,')] }] },
      { param: 'messages[0].content[0].image_url.url' },
    ],
    [
      'an image of a tool',
      { messages: [user, calls('a'), { ...result('a'), content: [image('https://example.com/a.png')] }] },
      { message: expect.stringContaining("only allowed for messages with role 'user'") },
    ],
    [
      'a part of another wire',
      { messages: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
      { param: 'messages[0].content[0].type' },
    ],
    ['no model', { model: undefined }, { message: 'you must provide a model parameter', param: null }],
    ['an unknown argument', { foo: 1 }, { message: 'Unrecognized request argument supplied: foo' }],
    [
      'an argument named constructor',
      { constructor: 1 },
      { message: 'Unrecognized request argument supplied: constructor' },
    ],
    [
      'no messages',
      { messages: undefined },
      { message: "Missing required parameter: 'messages'.", code: 'missing_required_parameter' },
    ],
    ['an empty list', { messages: [] }, { code: 'empty_array', param: 'messages' }],
    [
      'a wrong type',
      { temperature: 'hot' },
      {
        message: "Invalid type for 'temperature': expected a decimal, but got a string instead.",
        code: 'invalid_type',
      },
    ],
    ['max_tokens 0', { max_tokens: 0 }, { code: 'integer_below_min_value', param: 'max_tokens' }],
    ['both limits', { max_tokens: 1, max_completion_tokens: 1 }, { code: 'invalid_parameter_combination' }],
    ['temperature 3', { temperature: 3 }, { code: 'decimal_above_max_value' }],
    ['stream_options without stream', { stream_options: { include_usage: true } }, { param: 'stream_options' }],
    ['an empty tool list', { tools: [] }, { code: 'empty_array', param: 'tools' }],
    ['a choice without tools', { tool_choice: 'auto' }, { param: 'tool_choice' }],
    [
      'a bad function name',
      { tools: [{ type: 'function', function: { name: 'a b' } }] },
      { code: 'invalid_value', param: 'tools[0].function.name' },
    ],
    [
      'a schema that is no object',
      { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] },
      { code: 'invalid_function_parameters' },
    ],
    [
      'an unknown role',
      { messages: [{ role: 'robot', content: 'x' }] },
      { param: 'messages[0].role', code: 'invalid_value' },
    ],
    ['no content', { messages: [{ role: 'user', content: null }] }, { param: 'messages.[0].content' }],
    [
      'a call without a result',
      { messages: [user, calls('a', 'b'), result('a'), user] },
      {
        message:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b",
        type: 'invalid_request_error',
        param: 'messages',
        code: null,
      },
    ],
    ['a call at the end without a result', { messages: [user, calls('a')] }, { param: 'messages' }],
    [
      'a result without a call',
      { messages: [user, result('a')] },
      {
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        param: 'messages.[1].role',
      },
    ],
    [
      'a result for another call',
      { messages: [user, calls('a'), result('b')] },
      {
        message: "Invalid parameter: 'tool_call_id' of 'b' not found in 'tool_calls' of previous message.",
        param: 'messages.[2].tool_call_id',
      },
    ],
    [
      'two results for one call',
      { messages: [user, calls('a'), result('a'), result('a')] },
      { param: 'messages.[3].tool_call_id' },
    ],
    [
      'a call id of another provider',
      { messages: [user, calls('x'.repeat(41)), result('x'.repeat(41))] },
      { code: 'string_above_max_length', param: 'messages[1].tool_calls[0].id' },
    ],
    [
      'arguments as an object',
      { messages: [user, { role: 'assistant', tool_calls: [call('a', {})] }, result('a')] },
      { code: 'invalid_type', param: 'messages[1].tool_calls[0].function.arguments' },
    ],
  ];
  it.each(bad)('%s', (_name, body, expected) => {
    expect(refusal(body)).toMatchObject({ status: 400, ...expected });
  });

  it('lets unknown arguments pass where that is asked for', () => {
    expect(validateChat({ model: 'm', messages: [user], foo: 1 }, { allowUnknownFields: true })).toBeUndefined();
  });
});
