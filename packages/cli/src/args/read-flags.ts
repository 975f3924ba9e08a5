import { parseArgs } from 'node:util';
import { COMMANDS, type CommandSpec, type FlagSpec } from './command-specs.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

export interface ReadFlags {
  /** By long name; a switch that is set holds `true`. */
  flags: ReadonlyMap<string, string | true>;
  /** The values of those that may be given several times. */
  lists: ReadonlyMap<string, readonly string[]>;
  words: readonly string[];
}

/** Reads the arguments of one command. Throws a UsageError that names the argument and what was likely meant. */
export function readFlags(spec: CommandSpec, args: readonly string[]): ReadFlags {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      spec.flags.map((flag) => [
        flag.name,
        { type: flag.value ? ('string' as const) : ('boolean' as const), ...(flag.short ? { short: flag.short } : {}) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Map<string, string | true>();
  const lists = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = spec.flags.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(spec, token.rawName);
    const value = flagValue(flag, token);
    flags.set(flag.name, value);
    if (flag.many && value !== true) lists.set(flag.name, [...(lists.get(flag.name) ?? []), value]);
  }
  if (!flags.has('help')) checkWords(spec, words);
  return { flags, lists, words };
}

function flagValue(flag: FlagSpec, token: { rawName: string; value?: string; inlineValue?: boolean }): string | true {
  const { rawName, value, inlineValue } = token;
  if (!flag.value) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return true;
  }
  if (flag.optional && value === undefined) return true;
  const looksLikeFlag = !inlineValue && value !== undefined && /^-./.test(value);
  if (value === undefined || (value === '' && !flag.mayBeEmpty) || looksLikeFlag) {
    const found = looksLikeFlag ? `; it is followed by ${value}` : '';
    throw new UsageError(
      `${rawName} needs a value (${flag.value})${found}.`,
      looksLikeFlag ? `If ${value} is the value, write ${rawName}=${value}` : undefined,
    );
  }
  if (flag.choices && !flag.choices.includes(value)) {
    const meant = nearest(value, flag.choices);
    throw new UsageError(
      `${rawName} is one of ${flag.choices.join(', ')}; not ${quoted(value)}.`,
      meant && `Did you mean ${rawName} ${meant}?`,
    );
  }
  return value;
}

function unknownFlag(spec: CommandSpec, rawName: string): UsageError {
  const command = `black ${spec.name}`.trim();
  const message = `${command} has no option ${quoted(rawName)}.`;
  const name = rawName.replace(/^-+/, '');
  const owners = COMMANDS.filter((other) => other.flags.some((flag) => flag.name === name || flag.short === name));
  const meant = nearest(
    name,
    spec.flags.map((flag) => flag.name),
  );
  if (meant) return new UsageError(message, `Did you mean --${meant}?`);
  if (owners.length > 0) {
    const names = owners.slice(0, 3).map((owner) => (owner.name ? `black ${owner.name}` : 'black -p'));
    return new UsageError(message, `It is an option of ${names.join(', ')}.`);
  }
  return new UsageError(message, `To begin a word with a dash, write -- before it. Options: ${command} --help`);
}

function checkWords(spec: CommandSpec, words: readonly string[]): void {
  const command = `black ${spec.name}`.trim();
  if (words.length < spec.words.min) {
    throw new UsageError(`${command} needs more: ${spec.usage.join(' or ')}`, `See ${command} --help`);
  }
  const extra = words[spec.words.max];
  if (extra !== undefined) {
    throw new UsageError(`${command} does not take ${quoted(extra)}: ${spec.usage.join(' or ')}`);
  }
}

/** A word of the command line, safe and short enough to be printed. */
export function quoted(word: string): string {
  const short = word.length > 60 ? `${word.slice(0, 60).toWellFormed()}…` : word;
  return JSON.stringify(short);
}
