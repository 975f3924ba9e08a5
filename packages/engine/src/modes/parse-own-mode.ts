import { BlackError } from '@black-ide/protocol';
import type { Mode } from './mode.ts';

/** What the front matter of the product's own modes may hold, and how each value is written. */
const KEYS: Readonly<Record<string, (value: string) => unknown>> = {
  name: String,
  description: String,
  icon: String,
  maxIterations: Number,
  tools: () => [],
  commands: String,
  selectable: (value) => value === 'true',
};

/**
 * Reads one of the product's own mode files. They are plain (words, numbers, one list of names), and one is read with
 * every task: a whole YAML parser would cost more than all the rest of the start. A test holds this to what YAML says.
 * @throws BlackError `bad_mode`.
 */
export function parseOwnMode(text: string, file: string): Mode {
  const match = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replaceAll('\r\n', '\n'));
  if (!match) throw new BlackError('bad_mode', `${file} has no front matter.`);
  const keys: Record<string, unknown> = {};
  let list: string[] = [];
  for (const line of match[1]!.split('\n').filter((each) => each.trim() !== '')) {
    const [, item, key = '', value = ''] = /^(?:- (\S+)|(\w+):(?: (.+))?)$/.exec(line) ?? [];
    const read = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (item !== undefined) list.push(item);
    else if (read) keys[key] = read(value);
    else throw new BlackError('bad_mode', `${file} has a line that is no key: ${line}`);
    if (key === 'tools') list = keys.tools as string[];
  }
  const { commands, selectable, ...rest } = keys as Partial<Mode> & { commands?: string };
  return {
    name: '',
    description: '',
    maxIterations: Number.NaN,
    ...rest,
    ...(commands === 'read-only' ? { readOnly: true } : {}),
    ...(selectable === false ? { selectable } : {}),
    body: match[2]!.trim(),
  };
}
