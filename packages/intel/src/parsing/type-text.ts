import { isDottedName } from './chain-text.ts';
import type { LanguageSpec } from './language-spec.ts';

const MAX_LENGTH = 500;
const QUOTED = /^(['"])(.*)\1$/s;
const GENERIC = /^([\p{L}_$][\p{L}\p{N}_$.:]*)\s*(?:<(.*)>|\[(.*)\])$/su;
const ARRAY = /^(.*)\[\s*\]$/s;

type TypeRules = Pick<LanguageSpec, 'wrappers' | 'sequences' | 'nothing' | 'typePrefix' | 'normalType'>;

/**
 * The simple or dotted name of a type, as it is written: without its arguments, without what it is wrapped in, `[]` before
 * the type of elements. Of a union the first part that says something. Undefined for functions, objects, literals.
 */
export function simpleType(written: string, rules: TypeRules): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const quoted = QUOTED.exec(written.trim());
  let text = (quoted?.[2] ?? written).trim();
  if (rules.typePrefix) text = text.replace(rules.typePrefix, '').trim();
  if (rules.normalType) text = rules.normalType(text).trim();
  while (text.startsWith('(') && text.endsWith(')') && !text.includes('=>')) text = text.slice(1, -1).trim();
  if (text.endsWith('?')) text = text.slice(0, -1).trim();
  if (isDottedName(text)) return rules.nothing.has(text) ? undefined : text;
  const parts = topLevelParts(text, '|');
  if (parts.length > 1) {
    for (const part of parts) {
      const type = simpleType(part, rules);
      if (type !== undefined) return type;
    }
    return undefined;
  }
  const array = ARRAY.exec(text);
  if (array?.[1]) return elementsOf(array[1], rules);
  const generic = GENERIC.exec(text);
  if (!generic) return undefined;
  const name = (generic[1] ?? '').replaceAll('::', '.');
  const first = topLevelParts(generic[2] ?? generic[3] ?? '', ',')[0] ?? '';
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (rules.wrappers.has(last)) return simpleType(first, rules);
  if (rules.sequences.has(last)) return elementsOf(first, rules);
  return name;
}

function elementsOf(written: string, rules: TypeRules): string | undefined {
  const type = simpleType(written, rules);
  return type === undefined || type.startsWith('[]') ? undefined : `[]${type}`;
}

function topLevelParts(text: string, separator: string): string[] {
  if (!text.includes(separator)) return [text];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '(' || character === '[' || character === '{' || character === '<') depth += 1;
    else if (character === ')' || character === ']' || character === '}') depth -= 1;
    else if (character === '>' && text[at - 1] !== '=') depth -= 1;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
