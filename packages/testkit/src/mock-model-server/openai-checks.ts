import { isRecord, type Json } from './json.ts';
import { chatError, type WireError } from './wire-errors.ts';

/** What OpenAI's two APIs say in the same words about fields that are missing or wrong. */

/** An image elsewhere, or its bytes in one of the kinds that are taken. */
export const IMAGE_URL = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$)/;

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether a value is of a kind as `PARAMETERS` tables name it. */
export function hasKind(value: unknown, expected: string): boolean {
  if (expected === 'any') return true;
  if (expected === 'an array of objects') return Array.isArray(value) && value.every(isRecord);
  if (expected === 'a decimal') return typeof value === 'number';
  return kindOf(value) === expected;
}

export function wrongType(param: string, expected: string, value: unknown): WireError {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`;
  return chatError(400, message, { param, code: 'invalid_type' });
}

export function missing(param: string): WireError {
  return chatError(400, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

export function emptyArray(param: string): WireError {
  const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return chatError(400, message, { param, code: 'empty_array' });
}

export function tooLong(param: string, maximum: number, length: number): WireError {
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${length} instead.`;
  return chatError(400, message, { param, code: 'string_above_max_length' });
}

export function belowMinimum(param: string, minimum: number, value: number): WireError {
  const message = `Invalid '${param}': integer below minimum value. Expected a value >= ${minimum}, but got ${value} instead.`;
  return chatError(400, message, { param, code: 'integer_below_min_value' });
}

export function aboveMaximum(param: string, maximum: number, value: number): WireError {
  const message = `Invalid '${param}': decimal above maximum value. Expected a value <= ${maximum}, but got ${value} instead.`;
  return chatError(400, message, { param, code: 'decimal_above_max_value' });
}

const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Checks the name and schema of a function; `at` is where the function's fields are. */
export function checkFunction(fn: Json, at: string): WireError | undefined {
  const { name, parameters } = fn;
  if (typeof name !== 'string') return missing(`${at}.name`);
  if (!FUNCTION_NAME.test(name)) {
    const message = `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    return chatError(400, message, { param: `${at}.name`, code: 'invalid_value' });
  }
  if (parameters === undefined || parameters === null || (isRecord(parameters) && parameters.type === 'object')) {
    return undefined;
  }
  const got = isRecord(parameters) ? JSON.stringify(parameters.type ?? null) : kindOf(parameters);
  const message = `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${got}'.`;
  return chatError(400, message, { param: `${at}.parameters`, code: 'invalid_function_parameters' });
}
