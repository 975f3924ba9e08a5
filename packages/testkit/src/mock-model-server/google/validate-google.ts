import { isRecord, type Json, recordsOf } from '../json.ts';
import type { ServerMemory } from '../server-memory.ts';
import { isSealed } from '../sign-thinking.ts';
import type { WireError } from '../wire-errors.ts';
import { googleBadField, googleInvalid } from './google-errors.ts';
import { camelCasedBody } from './google-fields.ts';
import { alwaysSigns, callKey } from './google-wire.ts';

/**
 * The checks of the Gemini API that a client can get wrong, in its words: fields after the official SDK's types,
 * messages after bodies in public issue threads (turn order, number of function responses, thought signatures).
 */

export interface GoogleCheckOptions {
  allowUnknownFields: boolean;
  allowForeignSignatures: boolean;
  memory: ServerMemory;
}

const REQUEST = [
  'cachedContent',
  'contents',
  'generationConfig',
  'labels',
  'model',
  'safetySettings',
  'serviceTier',
  'store',
  'systemInstruction',
  'toolConfig',
  'tools',
];
const CONTENT = ['parts', 'role'];
const PART_DATA = [
  'codeExecutionResult',
  'executableCode',
  'fileData',
  'functionCall',
  'functionResponse',
  'inlineData',
  'text',
  'toolCall',
  'toolResponse',
];
const PART = [...PART_DATA, 'mediaResolution', 'partMetadata', 'thought', 'thoughtSignature', 'videoMetadata'];
const FUNCTION = [
  'behavior',
  'description',
  'name',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
];
const FUNCTION_CALL = ['args', 'id', 'name'];
const FUNCTION_RESPONSE = ['id', 'name', 'parts', 'response', 'scheduling', 'willContinue'];
const GENERATION_CONFIG = [
  'audioTimestamp',
  'candidateCount',
  'enableAffectiveDialog',
  'enableEnhancedCivicAnswers',
  'frequencyPenalty',
  'imageConfig',
  'logprobs',
  'maxOutputTokens',
  'mediaResolution',
  'presencePenalty',
  'responseFormat',
  'responseJsonSchema',
  'responseLogprobs',
  'responseMimeType',
  'responseModalities',
  'responseSchema',
  'routingConfig',
  'seed',
  'speechConfig',
  'stopSequences',
  'temperature',
  'thinkingConfig',
  'topK',
  'topP',
];
/** The API's own dialect of JSON Schema; `parametersJsonSchema` takes the real one. */
const SCHEMA = [
  'anyOf',
  'default',
  'description',
  'enum',
  'example',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'nullable',
  'pattern',
  'properties',
  'propertyOrdering',
  'required',
  'title',
  'type',
];

const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** What Google's guide tells clients to put where a call comes from elsewhere. */
const SKIPPING_SIGNATURES = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];
const SIGNATURE_GUIDE = 'https://ai.google.dev/gemini-api/docs/thought-signatures';

function unknownName(value: Json, known: string[], at: string): WireError | undefined {
  const name = Object.keys(value).find((key) => !known.includes(key));
  if (name === undefined) return undefined;
  const where = at === '' ? '' : ` at '${at}'`;
  return googleBadField(at, `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`);
}

function wrongValue(at: string, type: string, value: unknown): WireError {
  return googleBadField(at, `Invalid value at '${at}' (${type}), ${JSON.stringify(value)}`);
}

/** The first refusal that a list of checks gives; later ones are not made. */
function first<T>(values: T[], check: (value: T, index: number) => WireError | undefined): WireError | undefined {
  for (const [index, value] of values.entries()) {
    const error = check(value, index);
    if (error) return error;
  }
  return undefined;
}

class GoogleCheck {
  readonly #strict: boolean;

  constructor(allowUnknownFields: boolean) {
    this.#strict = !allowUnknownFields;
  }

  #names(value: Json, known: string[], at: string): WireError | undefined {
    return this.#strict ? unknownName(value, known, at) : undefined;
  }

  body(body: Json): WireError | undefined {
    const error = this.#names(body, REQUEST, '');
    if (error) return error;
    if (body.contents !== undefined && !Array.isArray(body.contents)) {
      return wrongValue('contents', 'type.googleapis.com/google.ai.generativelanguage.v1beta.Content', body.contents);
    }
    const contents = recordsOf(body.contents);
    if (contents.length === 0) return googleInvalid('* GenerateContentRequest.contents: contents is not specified');
    return (
      this.#config(body) ??
      first(contents, (content, index) => this.#content(content, index)) ??
      this.#system(body.systemInstruction) ??
      first(recordsOf(body.tools), (tool, at) =>
        first(recordsOf(tool.functionDeclarations), (fn, index) =>
          this.#function(fn, `tools[${at}].function_declarations[${index}]`),
        ),
      )
    );
  }

  #config(body: Json): WireError | undefined {
    if (body.generationConfig === undefined) return undefined;
    if (!isRecord(body.generationConfig)) {
      return wrongValue(
        'generation_config',
        'type.googleapis.com/google.ai.generativelanguage.v1beta.GenerationConfig',
        body.generationConfig,
      );
    }
    const { generationConfig: config } = body;
    const error = this.#names(config, GENERATION_CONFIG, 'generation_config');
    if (error) return error;
    if (typeof config.temperature === 'number' && (config.temperature < 0 || config.temperature > 2)) {
      const rule = `Invalid value at 'generation_config.temperature': ${config.temperature}: must be in the range [0.0, 2.0]`;
      return googleInvalid(`* GenerateContentRequest.generation_config.temperature: ${rule}`);
    }
    const thinking = config.thinkingConfig;
    if (isRecord(thinking) && thinking.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined) {
      return googleInvalid('You can only set only one of thinking budget and thinking level.');
    }
    return undefined;
  }

  #system(value: unknown): WireError | undefined {
    if (value === undefined) return undefined;
    if (!isRecord(value)) {
      return wrongValue('system_instruction', 'type.googleapis.com/google.ai.generativelanguage.v1beta.Content', value);
    }
    const at = 'system_instruction';
    return (
      this.#names(value, CONTENT, at) ??
      first(recordsOf(value.parts), (part, index) => this.#part(part, `${at}.parts[${index}]`))
    );
  }

  #content(content: Json, index: number): WireError | undefined {
    const at = `contents[${index}]`;
    const error = this.#names(content, CONTENT, at);
    if (error) return error;
    if (content.role !== undefined && !['user', 'model', 'function'].includes(String(content.role))) {
      return googleInvalid('Please use a valid role: user, model.');
    }
    const parts = recordsOf(content.parts);
    if (parts.length === 0) {
      return googleInvalid(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`);
    }
    return first(parts, (part, place) => this.#part(part, `${at}.parts[${place}]`));
  }

  #part(part: Json, at: string): WireError | undefined {
    const error = this.#names(part, PART, at);
    if (error) return error;
    const data = PART_DATA.filter((name) => part[name] !== undefined);
    if (data.length === 0) {
      const rule = "required oneof field 'data' must have one initialized field";
      return googleInvalid(`* GenerateContentRequest.${at}.data: ${rule}`);
    }
    if (data.length > 1) {
      const rule = `oneof field 'data' is already set. Cannot set '${data[1]}'`;
      return googleBadField(at, `Invalid value at '${at}' (oneof), ${rule}`);
    }
    if (part.text !== undefined && typeof part.text !== 'string')
      return wrongValue(`${at}.text`, 'TYPE_STRING', part.text);
    if (isRecord(part.functionCall)) {
      return (
        this.#names(part.functionCall, FUNCTION_CALL, `${at}.function_call`) ??
        this.#struct(part.functionCall, 'args', `${at}.function_call`)
      );
    }
    if (isRecord(part.functionResponse)) {
      const response = part.functionResponse;
      const wrong = this.#names(response, FUNCTION_RESPONSE, `${at}.function_response`);
      if (wrong) return wrong;
      if (response.response === undefined) {
        const rule = 'Name cannot be empty.';
        if (response.name === undefined)
          return googleInvalid(`* GenerateContentRequest.${at}.function_response.name: ${rule}`);
      }
      return this.#struct(response, 'response', `${at}.function_response`);
    }
    return isRecord(part.inlineData) ? this.#inlineData(part.inlineData, `${at}.inline_data`) : undefined;
  }

  /** Arguments and results are objects, and belong to a named function. */
  #struct(value: Json, field: string, at: string): WireError | undefined {
    if (typeof value.name !== 'string' || value.name === '') {
      return googleInvalid(`* GenerateContentRequest.${at}.name: Name cannot be empty.`);
    }
    if (value[field] === undefined || isRecord(value[field])) return undefined;
    return wrongValue(`${at}.${field}`, 'type.googleapis.com/google.protobuf.Struct', value[field]);
  }

  #inlineData(data: Json, at: string): WireError | undefined {
    if (typeof data.mimeType !== 'string' || data.mimeType === '') {
      return googleInvalid('Unsupported MIME type: ');
    }
    if (typeof data.data !== 'string' || !BASE64.test(data.data)) {
      return googleBadField(
        `${at}.data`,
        `Invalid value at '${at}.data' (TYPE_BYTES), Base64 decoding failed for ${JSON.stringify(data.data)}`,
      );
    }
    return data.data === '' ? googleInvalid('Unable to process input image. Please retry or report.') : undefined;
  }

  #function(fn: Json, at: string): WireError | undefined {
    const error = this.#names(fn, FUNCTION, at);
    if (error) return error;
    if (typeof fn.name !== 'string' || !FUNCTION_NAME.test(fn.name)) {
      const rule =
        'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.';
      return googleInvalid(`* GenerateContentRequest.${at}.name: ${rule}`);
    }
    if (fn.parameters !== undefined && fn.parametersJsonSchema !== undefined) {
      return googleInvalid(
        `* GenerateContentRequest.${at}: parameters and parameters_json_schema are mutually exclusive.`,
      );
    }
    return isRecord(fn.parameters) ? this.#schema(fn.parameters, `${at}.parameters`) : undefined;
  }

  #schema(schema: Json, at: string): WireError | undefined {
    const error = this.#names(schema, SCHEMA, at);
    if (error) return error;
    const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
    return (
      first(properties, ([, value], index) =>
        isRecord(value) ? this.#schema(value, `${at}.properties[${index}].value`) : undefined,
      ) ??
      (isRecord(schema.items) ? this.#schema(schema.items, `${at}.items`) : undefined) ??
      first(recordsOf(schema.anyOf), (value, index) => this.#schema(value, `${at}.any_of[${index}]`))
    );
  }
}

function partsWith(content: Json | undefined, name: string): Json[] {
  return recordsOf(content?.parts).flatMap((part) => (isRecord(part[name]) ? [part[name]] : []));
}

/** A turn of calls follows a user's turn and is answered whole in the next. */
function checkTurns(contents: Json[]): WireError | undefined {
  return first(contents, (content, index) => {
    const calls = partsWith(content, 'functionCall');
    const results = partsWith(content, 'functionResponse');
    const before = contents[index - 1];
    if (calls.length > 0) {
      if (content.role !== 'model' || before === undefined || before.role === 'model') {
        return googleInvalid(
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        );
      }
      const answers = partsWith(contents[index + 1], 'functionResponse');
      const same = answers.length === calls.length && calls.every((call) => answered(call, calls, answers));
      if (!same) {
        return googleInvalid(
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        );
      }
    }
    if (results.length > 0 && partsWith(before, 'functionCall').length === 0) {
      return googleInvalid('Please ensure that function response turn comes immediately after a function call turn.');
    }
    return undefined;
  });
}

/** By its id where both sides have ids, otherwise by as many results of its name. */
function answered(call: Json, calls: Json[], answers: Json[]): boolean {
  if (typeof call.id === 'string' && answers.every((answer) => typeof answer.id === 'string')) {
    return answers.some((answer) => answer.id === call.id && answer.name === call.name);
  }
  const named = (list: Json[]) => list.filter((each) => each.name === call.name).length;
  return named(calls) === named(answers);
}

/** Signatures must be ours; the first call of every reply in the current turn must have the one it came with. */
function checkSignatures(contents: Json[], model: string, options: GoogleCheckOptions): WireError | undefined {
  if (options.allowForeignSignatures) return undefined;
  const isText = (part: Json) => typeof part.text === 'string';
  const turnAt = contents.findLastIndex((content) => content.role !== 'model' && recordsOf(content.parts).some(isText));
  return first(contents, (content, index) => {
    const parts = recordsOf(content.parts);
    for (const part of parts) {
      const signature = part.thoughtSignature;
      if (signature === undefined || SKIPPING_SIGNATURES.includes(String(signature))) continue;
      if (typeof signature === 'string' && (isSealed(signature) || options.memory.scriptedSignatures.has(signature))) {
        continue;
      }
      return googleInvalid('Thought signature is not valid.');
    }
    const at = parts.findIndex((part) => isRecord(part.functionCall));
    const part = parts[at];
    if (index < turnAt || !part || !isRecord(part.functionCall) || part.thoughtSignature !== undefined)
      return undefined;
    const { name, args } = part.functionCall;
    if (!alwaysSigns(model) && !options.memory.signedCalls.has(callKey(String(name), args))) return undefined;
    const rule =
      'This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.';
    const data = `Additional data, function call \`default_api:${String(name)}\` , position ${index + 1}.`;
    return googleInvalid(
      `Function call is missing a thought_signature in functionCall parts. ${rule} ${data} Please refer to ${SIGNATURE_GUIDE} for more details.`,
    );
  });
}

/** The refusal a body deserves, or undefined when the API would take it. */
export function validateGoogle(sent: Json, model: string, options: GoogleCheckOptions): WireError | undefined {
  const body = camelCasedBody(sent);
  const error = new GoogleCheck(options.allowUnknownFields).body(body);
  if (error) return error;
  const contents = recordsOf(body.contents);
  return checkTurns(contents) ?? checkSignatures(contents, model, options);
}
