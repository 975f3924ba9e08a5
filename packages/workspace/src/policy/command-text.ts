import { posix } from 'node:path';
import type { CommandFact, Field } from './shell/facts.ts';
import { isUnknown, withoutMarkers } from './shell/markers.ts';

/**
 * A command as patterns see it: one space between the words, quotes only where a word needs them, variables replaced by
 * what they stand for where that is known. `g"i"t  'status'` reads `git status`.
 */
export function commandText(fact: CommandFact): string {
  return texts(fact.words).join(' ');
}

/** Words that only stand for what comes by standard input are none of the text. */
function texts(words: readonly Field[], as: (word: Field) => string = wordText): string[] {
  return words.filter(({ source }) => source !== '').map(as);
}

/** The same with the assignments before it. */
export function assignedCommandText(fact: CommandFact): string {
  const assigned = fact.assignments.map(({ name, values }) => `${name}=${quote(values[0] ?? '')}`);
  return [...assigned, commandText(fact)].join(' ');
}

/** Every text a deny pattern is tried on: a command must not slip by for how it is written. */
export function deniedTexts(fact: CommandFact): string[] {
  const text = commandText(fact);
  const [name, ...rest] = fact.words;
  const plain = texts(fact.words, ({ value }) => withoutMarkers(value)).join(' ');
  const named = name ? [posix.basename(withoutMarkers(name.value)), ...texts(rest)].join(' ') : text;
  return [...new Set([text, plain, named, ...bareTexts(fact.words), assignedCommandText(fact), fact.source])];
}

/** Programs that are commands of another one: `git-push` is `git push`. */
const COMMAND_OF = /^(git|docker|cargo|kubectl)-(.+)$/;
/** Options, and values of options, before a word that says what is done: so many are looked behind. */
const MAX_LEADING = 12;
/** So many characters in all, so that a long line takes no longer than its length. */
const MAX_BARE = 20_000;

/**
 * The command without what stands between the program's name and the words that say what it does: `git -C . --no-pager
 * push`, `npm --prefix x publish` and `/usr/lib/git-core/git-push` read `git push` and `npm publish`. Whether an option
 * takes the next word as its value is not known for every program, so that both readings are told.
 */
function bareTexts([name, ...rest]: readonly Field[]): string[] {
  if (!name) return [];
  const base = posix.basename(withoutMarkers(name.value)).replace(/\.exe$/i, '');
  const [, outer, inner] = COMMAND_OF.exec(base) ?? [];
  const names = outer === undefined ? [base] : [base, `${outer} ${inner}`];
  const words = rest.filter(({ source }) => source !== '');
  const first = afterOptions(words, 0);
  if (outer === undefined && first.length === 1 && afterOptions(words, 1).length === 1) return [];
  const texts = words.map(wordText);
  const found: string[] = [];
  let length = 0;
  for (const at of first) {
    for (const next of afterOptions(words, at + 1)) {
      for (const each of names) {
        const bare = [each, ...texts.slice(at, at + 1), ...texts.slice(next)].join(' ');
        length += bare.length;
        if (length > MAX_BARE && found.length > 0) return found;
        found.push(bare);
      }
    }
  }
  return found;
}

/** Where the words could go on that are neither an option from here on nor the value of one; the last one first. */
function afterOptions(words: readonly Field[], from: number): number[] {
  const found: number[] = [from];
  for (let at = from; at < words.length && at < from + MAX_LEADING; at += 1) {
    const isOption = /^[-+]./.test(words[at]?.value ?? '');
    const isValue = at > from && /^-./.test(words[at - 1]?.value ?? '');
    if (!isOption && !isValue) break;
    found.unshift(at + 1);
  }
  return found;
}

function wordText(field: Field): string {
  if (isUnknown(field.value)) return field.source;
  const plain = withoutMarkers(field.value);
  // Active globs stay as they are; the same characters in quotes keep them.
  return plain === field.value ? quote(plain) : plain;
}

function quote(text: string): string {
  if (text !== '' && !/[\s'"`$\\;&|<>(){}*?[\]!#~]/.test(text)) return text;
  // A character that is harmless inside a word needs no quotes there.
  if (/^[\w./:=@%+,^~{}#!-]+$/.test(text) && !/^[~#]/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A pattern that allows exactly this command: what "always allow" saves. */
export function exactPattern(text: string): string {
  return `^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}
