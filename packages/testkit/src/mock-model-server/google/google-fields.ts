import { isRecord, type Json } from '../json.ts';

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Values that belong to the client and whose names are its own. */
const OPAQUE = [
  'args',
  'response',
  'parametersJsonSchema',
  'responseJsonSchema',
  'responseSchema',
  'parameters',
  'labels',
];

/** Protobuf's JSON takes `snake_case` for every `camelCase` name: the same message with the latter alone. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const key = camel(name);
      return [key, OPAQUE.includes(key) ? field : camelCased(field)];
    }),
  );
}

export function camelCasedBody(body: Json): Json {
  return camelCased(body) as Json;
}
