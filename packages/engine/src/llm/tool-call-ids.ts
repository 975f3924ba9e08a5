import { createHash } from 'node:crypto';

/** How long a call's id may be on each wire; Ollama and compatible servers go by OpenAI's older one. */
const LONGEST: Readonly<Record<string, number>> = { 'openai-completions': 40 };
const LONGEST_ELSEWHERE = 64;

/**
 * The id of a tool call as a wire takes it: letters, digits, `_` and `-`, of limited length. One that fits stays; any
 * other always becomes the same new one, and two never become one.
 */
export function toolCallId(id: string, api: string): string {
  const longest = LONGEST[api] ?? LONGEST_ELSEWHERE;
  if (id.length <= longest && /^[A-Za-z0-9_-]+$/.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  const readable = id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, longest - hash.length - 1);
  return `${readable}_${hash}`;
}

/**
 * The name of a tool as every wire takes it. A model may call a tool that does not exist by any name at all, and the
 * whole conversation would be refused for it from then on; names of `Object.prototype` trip a look-up in the providers'
 * library.
 */
export function toolName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60) || 'unnamed';
  return plain in Object.prototype ? `${plain}_tool` : plain;
}
