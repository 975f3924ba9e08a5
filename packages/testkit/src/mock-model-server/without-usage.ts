import { isRecord } from './json.ts';

/** Where the wires tell tokens. */
const USAGE = ['usage', 'usageMetadata', 'prompt_eval_count', 'eval_count'];
/** What holds a whole message with its usage. */
const HOLDERS = ['message', 'response'];

/** A reply, or an event of one, that tells no tokens. */
export function withoutUsage(value: object): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !USAGE.includes(name))
      .map(([name, field]) => [name, HOLDERS.includes(name) && isRecord(field) ? withoutUsage(field) : field]),
  );
}
