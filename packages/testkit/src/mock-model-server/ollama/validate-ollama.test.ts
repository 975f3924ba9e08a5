import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { validateOllama } from './validate-ollama.ts';

const user = { role: 'user', content: 'hi' };
const calls = (...names: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
});
const result = (name: string) => ({ role: 'tool', tool_name: name, content: 'ok' });
const tool = { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } };
const MODELS = [{ id: 'small', tools: false, thinking: false }];

function refusal(body: Json, allowUnknownFields = false): unknown {
  const sent = JSON.parse(JSON.stringify({ model: 'm', messages: [user], ...body })) as Json;
  const error = validateOllama(sent, { allowUnknownFields, models: MODELS });
  if (error) expect(error.status).toBe(400);
  return error && (error.body as Json).error;
}

describe('bodies that Ollama takes', () => {
  const good: [string, Json][] = [
    ['a plain question', {}],
    ['settings', { stream: false, think: 'high', options: { num_ctx: 8192 }, keep_alive: '5m', tools: [tool] }],
    ['results by name, in any order', { messages: [user, calls('a', 'b'), result('b'), result('a'), user] }],
    ['an image', { messages: [{ ...user, images: ['iVBORw0KGgo='] }] }],
    ['a small model without its lacks', { model: 'small', think: false, tools: [] }],
  ];
  it.each(good)('%s', (_name, body) => {
    expect(refusal(body)).toBeUndefined();
  });
});

describe('bodies that it refuses', () => {
  const bad: [string, Json, string][] = [
    ['no model', { model: undefined }, 'model is required'],
    ['messages that are text', { messages: 'hi' }, 'cannot unmarshal string into Go struct field ChatRequest.messages'],
    [
      'content in parts',
      { messages: [{ role: 'user', content: [] }] },
      'cannot unmarshal array into Go struct field ChatRequest.messages.content',
    ],
    [
      'arguments that are text',
      { messages: [user, { ...calls(), tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }] },
      'cannot unmarshal string',
    ],
    ['a role of another wire', { messages: [{ role: 'developer', content: 'x' }] }, 'invalid role "developer"'],
    [
      'an image with its prefix',
      { messages: [{ ...user, images: ['data:image/png;base64,iVBO'] }] },
      'illegal base64 data',
    ],
    ['a setting in the wrong place', { temperature: 1 }, 'unknown field "temperature"'],
    [
      'a tool without a schema of an object',
      { tools: [{ type: 'function', function: { name: 'a', parameters: {} } }] },
      'type "object"',
    ],
    ['a call without a result', { messages: [user, calls('a'), user] }, 'no tool message for the call of a'],
    ['a result without a call', { messages: [user, result('a')] }, 'answers no call'],
    ['a result of another name', { messages: [user, calls('a'), result('b')] }, 'answers no call'],
    [
      'tools for a model without',
      { model: 'small', tools: [tool] },
      'registry.ollama.ai/library/small:latest does not support tools',
    ],
    ['thinking of a model without', { model: 'small:latest', think: true }, '"small:latest" does not support thinking'],
  ];
  it.each(bad)('%s', (_name, body, expected) => {
    expect(refusal(body)).toContain(expected);
  });

  it('less where less strictness is asked for', () => {
    expect(refusal({ temperature: 1 }, true)).toBeUndefined();
  });
});
