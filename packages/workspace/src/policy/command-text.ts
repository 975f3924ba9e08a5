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
  return [...new Set([text, plain, named, assignedCommandText(fact), fact.source])];
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
