import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLines } from '../fixtures/read-lines.ts';
import type { CommandFact } from './facts.ts';
import { ShellInterpreter } from './interpreter.ts';
import { isUnknown, withoutMarkers } from './markers.ts';
import { ShellParser } from './shell-parser.ts';

const rows: { line: string; words: string[] }[] = readLines('words.jsonl').map((row) => JSON.parse(row));
const parser = new ShellParser();
beforeAll(() => parser.load());
afterAll(() => parser.dispose());

/** The words of the last command of a line; what is not known reads `?`. */
function words(line: string): string[] {
  const syntax = parser.parse(line);
  if (!syntax.sound) throw new Error(syntax.why);
  const interpreter = new ShellInterpreter(parser);
  const env = { HOME: '/home/ann', LANG: 'C' };
  interpreter.run(syntax, { cwd: '/w/app', home: '/home/ann', env });
  const last = interpreter.facts.filter((fact): fact is CommandFact => fact.kind === 'command').at(-1);
  return last?.words.map(({ value }) => (isUnknown(value) ? '?' : withoutMarkers(value))) ?? [];
}

describe('words as a program gets them', () => {
  it.each(rows)('IDE-62 $line', ({ line, words: expected }) => {
    expect(words(line)).toEqual(expected);
  });
});
