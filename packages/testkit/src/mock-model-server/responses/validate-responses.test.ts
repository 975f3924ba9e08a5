import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { ServerMemory } from '../server-memory.ts';
import { sealThinking } from '../sign-thinking.ts';
import { type ResponsesCheckOptions, validateResponses } from './validate-responses.ts';

const user = { role: 'user', content: 'hi' };
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' });
const result = (id: string, output: unknown = 'ok') => ({ type: 'function_call_output', call_id: id, output });
const thought = (sealed: unknown = sealThinking('hm')) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: sealed,
});
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] };
const tool = { type: 'function', name: 'read', parameters: { type: 'object', properties: {} }, strict: false };
const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };

function refusal(body: Json, options: Partial<ResponsesCheckOptions> = {}): Json | undefined {
  // Through JSON, as it comes over the wire: what is undefined is not there.
  const sent = JSON.parse(JSON.stringify({ model: 'm', input: 'hi', ...body })) as Json;
  const defaults = { allowUnknownFields: false, allowForeignSignatures: false, memory: new ServerMemory() };
  const error = validateResponses(sent, { ...defaults, ...options });
  return error && { status: error.status, ...(error.body as { error: Json }).error };
}

describe('bodies that the Responses API takes', () => {
  const good: [string, Json][] = [
    ['plain text', {}],
    [
      'settings',
      { store: false, include: ['reasoning.encrypted_content'], reasoning: { effort: 'low' }, tools: [tool] },
    ],
    ['calls and results in any order', { input: [user, call('a'), call('b'), result('b'), result('a'), user] }],
    ['sealed reasoning before a call', { input: [user, thought(), call('a'), result('a')] }],
    ['sealed reasoning without an id', { input: [user, { ...thought(), id: undefined }, said, user] }],
    ['sealed reasoning before an answer', { input: [user, thought(), said, user] }],
    [
      'images of a person and of a tool',
      { input: [{ role: 'user', content: [image] }, call('a'), result('a', [image])] },
    ],
    ['a custom tool', { tools: [{ type: 'custom', name: 'patch' }] }],
    ['tools of the server', { tools: [{ type: 'web_search' }] }],
  ];
  it.each(good)('%s', (_name, body) => {
    expect(refusal(body)).toBeUndefined();
  });
});

describe('bodies that it refuses, in its words', () => {
  const bad: [string, Json, Json][] = [
    ['no model', { model: undefined }, { param: 'model', code: 'missing_required_parameter' }],
    ['no input', { input: undefined }, { message: "Missing required parameter: 'input'." }],
    ['the other API’s messages', { messages: [user] }, { message: "Unknown parameter: 'messages'." }],
    ['the other API’s limit', { max_tokens: 5 }, { code: 'unknown_parameter' }],
    ['a tiny limit', { max_output_tokens: 5 }, { code: 'integer_below_min_value' }],
    ['a tool in the other API’s shape', { tools: [{ type: 'function', function: tool }] }, { param: 'tools[0].name' }],
    ['a role that is none', { input: [{ role: 'tool', content: 'x' }] }, { param: 'input[0].role' }],
    [
      'the other API’s parts',
      { input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
      { message: expect.stringContaining("Invalid value: 'text'. Supported values are: 'input_text'") },
    ],
    [
      'what a model says in a person’s part',
      { input: [user, { role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
      { param: 'input[1].content[0].type' },
    ],
    [
      'an image without bytes',
      { input: [{ role: 'user', content: [{ ...image, image_url: 'x' }] }] },
      { param: 'input[0].content[0].image_url' },
    ],
    ['an unknown item', { input: [{ type: 'tool_use' }] }, { code: 'invalid_value', param: 'input[0]' }],
    [
      'an unknown field of an item',
      { input: [{ ...call('a'), foo: 1 }, result('a')] },
      { message: "Unknown parameter: 'input[0].foo'." },
    ],
    [
      'arguments that are no text',
      { input: [{ ...call('a'), arguments: {} }, result('a')] },
      { param: 'input[0].arguments' },
    ],
    ['a call without a result', { input: [user, call('a')] }, { message: 'No tool output found for function call a.' }],
    [
      'a result without a call',
      { input: [result('a')] },
      { message: 'No tool call found for function call output with call_id a.' },
    ],
    [
      'a result before its call',
      { input: [result('a'), call('a')] },
      { message: expect.stringContaining('No tool call found') },
    ],
    [
      'two results',
      { input: [call('a'), result('a'), result('a')] },
      { message: expect.stringContaining('Duplicate') },
    ],
    [
      'reasoning that leads nowhere',
      { input: [user, thought(), user] },
      { message: expect.stringContaining('without its required following item') },
    ],
    [
      'reasoning that is sealed by others',
      { input: [user, thought('gAAAA'), said] },
      { code: 'invalid_encrypted_content' },
    ],
    [
      'reasoning that nobody stored',
      { store: false, input: [user, thought(null), said] },
      { status: 404, message: expect.stringContaining('not persisted when `store` is set to false') },
    ],
    ['reasoning of nobody', { input: [user, { type: 'reasoning', summary: [] }, said] }, { param: 'input.id' }],
    ['a reference to nothing', { input: [{ type: 'item_reference', id: 'msg_1' }] }, { status: 404 }],
    ['an unknown response before', { previous_response_id: 'resp_1' }, { code: 'previous_response_not_found' }],
    ['stream options without a stream', { stream_options: {} }, { param: 'stream_options' }],
  ];
  it.each(bad)('%s', (_name, body, expected) => {
    expect(refusal(body)).toMatchObject({ status: 400, type: 'invalid_request_error', ...expected });
  });

  it('less where less strictness is asked for', () => {
    expect(refusal({ foo: 1 }, { allowUnknownFields: true })).toBeUndefined();
    expect(refusal({ input: [user, thought('x'), said] }, { allowForeignSignatures: true })).toBeUndefined();
    const memory = new ServerMemory();
    memory.scriptedSignatures.add('x');
    expect(refusal({ input: [user, thought('x'), said] }, { memory })).toBeUndefined();
  });
});
