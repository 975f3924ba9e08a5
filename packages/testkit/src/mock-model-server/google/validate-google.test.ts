import { describe, expect, it } from 'vitest';
import type { Json } from '../json.ts';
import { ServerMemory } from '../server-memory.ts';
import { sealThinking } from '../sign-thinking.ts';
import { callKey } from './google-wire.ts';
import { type GoogleCheckOptions, validateGoogle } from './validate-google.ts';

const user = { role: 'user', parts: [{ text: 'hi' }] };
const said = { role: 'model', parts: [{ text: 'x' }] };
const sealed = sealThinking('hm');
const call = (name: string, extra: Json = {}) => ({ functionCall: { name, args: {} }, ...extra });
const calls = (...names: string[]) => ({ role: 'model', parts: names.map((name) => call(name)) });
const results = (...names: string[]) => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: { output: 'ok' } } })),
});
const declare = (fn: Json) => ({ tools: [{ functionDeclarations: [fn] }] });

function refusal(body: Json, options: Partial<GoogleCheckOptions> = {}, model = 'gemini-2.5'): string | undefined {
  const sent = JSON.parse(JSON.stringify({ contents: [user], ...body })) as Json;
  const defaults = { allowUnknownFields: false, allowForeignSignatures: false, memory: new ServerMemory() };
  const error = validateGoogle(sent, model, { ...defaults, ...options });
  if (!error) return undefined;
  expect(error.status).toBe(400);
  const inner = (error.body as { error: Json }).error;
  expect(inner).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  return String(inner.message);
}

describe('bodies that the Gemini API takes', () => {
  const good: [string, Json][] = [
    ['a plain question', {}],
    ['neighbouring turns of one role', { contents: [user, user] }],
    [
      'names in either case',
      { system_instruction: { parts: [{ text: 'x' }] }, generationConfig: { max_output_tokens: 5 } },
    ],
    ['calls and results', { contents: [user, calls('a', 'b'), results('b', 'a'), said, user] }],
    [
      'a signed call',
      { contents: [user, { role: 'model', parts: [call('a', { thoughtSignature: sealed })] }, results('a')] },
    ],
    [
      'an image',
      { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] }] },
    ],
    [
      'its own schema',
      declare({ name: 'a', parameters: { type: 'OBJECT', properties: { x: { type: 'STRING', nullable: true } } } }),
    ],
    ['a real schema', declare({ name: 'a', parametersJsonSchema: { type: 'object', additionalProperties: false } })],
  ];
  it.each(good)('%s', (_name, body) => {
    expect(refusal(body)).toBeUndefined();
  });
});

describe('bodies that it refuses, in its words', () => {
  const order = 'function call turn comes immediately after a user turn or after a function response turn';
  const number = 'number of function response parts is equal to the number of function call parts';
  const bad: [string, Json, string][] = [
    ['an unknown field', { foo: 1 }, 'Unknown name "foo": Cannot find field.'],
    [
      'an unknown field of a part',
      { contents: [{ role: 'user', parts: [{ text: 'x', foo: 1 }] }] },
      `Unknown name "foo" at 'contents[0].parts[0]'`,
    ],
    ['an unknown setting', { generationConfig: { maxTokens: 5 } }, `Unknown name "maxTokens" at 'generation_config'`],
    [
      'a real schema in the place of its own',
      declare({ name: 'a', parameters: { type: 'OBJECT', additionalProperties: false } }),
      'Unknown name "additionalProperties"',
    ],
    [
      'a schema deep inside',
      declare({ name: 'a', parameters: { properties: { x: { items: { $ref: '#' } } } } }),
      'Unknown name "$ref"',
    ],
    ['no contents', { contents: undefined }, 'contents is not specified'],
    ['an empty turn', { contents: [{ role: 'user', parts: [] }] }, 'contents.parts must not be empty'],
    [
      'an empty part',
      { contents: [{ role: 'user', parts: [{}] }] },
      "required oneof field 'data' must have one initialized field",
    ],
    [
      'a part of two kinds',
      { contents: [{ role: 'user', parts: [{ text: 'x', ...call('a') }] }] },
      "oneof field 'data' is already set",
    ],
    [
      'a role of another wire',
      { contents: [user, { ...said, role: 'assistant' }] },
      'Please use a valid role: user, model.',
    ],
    ['a name that is none', declare({ name: '1a' }), 'Invalid function name'],
    [
      'a result that is text',
      { contents: [user, calls('a'), { role: 'user', parts: [{ functionResponse: { name: 'a', response: 'x' } }] }] },
      'type.googleapis.com/google.protobuf.Struct',
    ],
    [
      'a result without a name',
      { contents: [user, calls('a'), { role: 'user', parts: [{ functionResponse: { response: {} } }] }] },
      'Name cannot be empty',
    ],
    [
      'a broken image',
      { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: '%' } }] }] },
      'Base64 decoding failed',
    ],
    ['a call at the beginning', { contents: [calls('a'), results('a')] }, order],
    ['a call after the model’s own words', { contents: [user, said, calls('a'), results('a')] }, order],
    ['a call without a result', { contents: [user, calls('a')] }, number],
    ['fewer results than calls', { contents: [user, calls('a', 'b'), results('a')] }, number],
    ['a result of another name', { contents: [user, calls('a'), results('b')] }, number],
    [
      'a result without a call',
      { contents: [user, results('a')] },
      'function response turn comes immediately after a function call turn',
    ],
    [
      'a signature of others',
      { contents: [user, { role: 'model', parts: [{ text: 'x', thoughtSignature: 'abc' }] }, user] },
      'Thought signature is not valid.',
    ],
  ];
  it.each(bad)('%s', (_name, body, expected) => {
    expect(refusal(body)).toContain(expected);
  });

  it('a call of the current turn without the signature it came with', () => {
    const body = { contents: [user, calls('a'), results('a')] };
    const later = { contents: [...body.contents, said, user] };
    const memory = new ServerMemory();
    memory.signedCalls.add(callKey('a', {}));
    const missing = 'Function call is missing a thought_signature';
    expect(refusal(body)).toBeUndefined();
    expect(refusal(body, { memory })).toContain(missing);
    expect(refusal(body, {}, 'gemini-3-pro')).toContain(missing);
    expect(refusal(later, { memory }, 'gemini-3-pro')).toBeUndefined();
    const skipping = { role: 'model', parts: [call('a', { thoughtSignature: 'skip_thought_signature_validator' })] };
    expect(refusal({ contents: [user, skipping, results('a')] }, { memory }, 'gemini-3-pro')).toBeUndefined();
  });

  it('less where less strictness is asked for', () => {
    expect(refusal({ foo: 1 }, { allowUnknownFields: true })).toBeUndefined();
    const body = { contents: [user, { role: 'model', parts: [call('a', { thoughtSignature: 'abc' })] }, results('a')] };
    expect(refusal(body, { allowForeignSignatures: true })).toBeUndefined();
  });
});
