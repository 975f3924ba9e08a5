import type { ObjectPreview, PropertyPreview, RemoteObject } from './cdp-types.ts';

/** So many characters of one value; what is longer can be asked for by evaluating a part of it. */
export const MAX_VALUE = 1_000;

/** A value of the program as one line, bounded. */
export function valueText(value: RemoteObject): string {
  return cut(textOf(value), MAX_VALUE);
}

/** What was thrown, with its stack where it is an error. */
export function thrownText({ description, ...value }: RemoteObject): string {
  return cut(
    value.type === 'object' && description !== undefined ? description : textOf({ description, ...value }),
    4_000,
  );
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

function textOf({ type, subtype, className, value, unserializableValue, description, preview }: RemoteObject): string {
  if (type === 'string') return JSON.stringify(value);
  if (type === 'undefined') return 'undefined';
  if (type === 'function') return functionText(description ?? '');
  if (type !== 'object' || subtype === 'null') return unserializableValue ?? description ?? String(value);
  if (subtype === 'error') return firstLine(description ?? className ?? 'Error');
  return preview ? previewText(preview) : (description ?? className ?? 'Object');
}

function previewText({ type, subtype, description = '', overflow, properties, entries }: ObjectPreview): string {
  if (subtype === 'null') return 'null';
  if (type === 'string') return JSON.stringify(description);
  if (/^(date|regexp|error|promise|proxy|weakmap|weakset|generator)$/.test(subtype ?? '')) {
    return firstLine(description);
  }
  const more = overflow ? ['…'] : [];
  if (entries) {
    const shown = entries.map(({ key, value }) =>
      key ? `${previewText(key)} => ${previewText(value)}` : previewText(value),
    );
    return `${description} {${[...shown, ...more].join(', ')}}`;
  }
  // The preview of a primitive is its description.
  if (subtype === undefined && properties.length === 0 && !/^[A-Z_$][\w$]*$/.test(description)) return description;
  if (/^(array|typedarray)$/.test(subtype ?? '')) {
    // What is shown whole needs no length.
    const isPlain = !overflow && /^Array\(\d+\)$/.test(description);
    return `${isPlain ? '' : `${description} `}[${[...properties.map(propertyText), ...more].join(', ')}]`;
  }
  const fields = properties.map((property) => `${property.name}: ${propertyText(property)}`);
  return `${description === 'Object' ? '' : `${description} `}{${[...fields, ...more].join(', ')}}`;
}

function propertyText({ type, subtype, value = '', valuePreview }: PropertyPreview): string {
  if (type === 'string') return JSON.stringify(value);
  if (type === 'function') return 'ƒ';
  if (type === 'accessor') return '(…)';
  if (valuePreview) return previewText(valuePreview);
  return subtype === 'null' ? 'null' : value || '{…}';
}

function functionText(description: string): string {
  return firstLine(description).startsWith('class ')
    ? firstLine(description).replace(/\s*\{.*$/, '')
    : `ƒ ${firstLine(description)
        .replace(/^(async )?function\s*/, '$1')
        .replace(/\s*\{.*$/, '')}`;
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}
