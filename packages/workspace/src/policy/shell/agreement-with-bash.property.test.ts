import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLines } from '../fixtures/read-lines.ts';
import type { Fact } from './facts.ts';
import { matchesGlob } from './glob-match.ts';
import { ShellInterpreter } from './interpreter.ts';
import { ANY, SOME } from './markers.ts';
import { ShellParser } from './shell-parser.ts';
import { TooComplex } from './too-complex.ts';

const run = promisify(execFile);
const parser = new ShellParser();
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'black-agreement-'));
  await parser.load();
});
afterAll(() => {
  parser.dispose();
  rmSync(folder, { recursive: true, force: true });
});

// The names are no programs: with an empty PATH bash hands each to the handler, which notes its words.
const name = fc.constantFrom(...readLines('agreement/names.txt'));
const word = fc.constantFrom(...readLines('agreement/words.txt'));
const simple = fc.tuple(name, fc.array(word, { maxLength: 3 })).map(([first, words]) => [first, ...words].join(' '));
const setting = fc.constantFrom(...readLines('agreement/settings.txt'));

const { line } = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: simple },
    { weight: 4, arbitrary: setting },
    {
      weight: 3,
      arbitrary: fc.tuple(tie('line'), fc.constantFrom('\n', ' && ', ' || '), tie('line')).map((parts) => group(parts)),
    },
    { weight: 3, arbitrary: fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a}\n${b}`) },
    tie('line').map((text) => `{ ${text}\n}`),
    tie('line').map((text) => `( ${text}\n)`),
    tie('line').map((text) => `{ ${text}\n} | cat_it`),
    tie('line').map((text) => `for V in ${'a "b c" $X'}; do ${text}\naa "$V"\ndone`),
    tie('line').map((text) => `while bb; do ${text}\ndone`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `if aa t; then ${a}\nelse ${b}\nfi`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `case $X in aa) ${a}\n;; *) ${b}\n;; esac`),
    tie('line').map((text) => `g() { ${text}\n}\ng 1 2`),
    tie('line').map((text) => `aa "$( ${text}\n)"`),
    tie('line').map((text) => `eval '${text.replaceAll("'", "'\\''")}'`),
  ),
}));

function group([a, operator, b]: [string, string, string]): string {
  return `{ ${a}\n}${operator}{ ${b}\n}`;
}

/** What bash hands to programs that it does not find: the words of every command it comes to run. */
async function executed(text: string): Promise<string[][]> {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const handler = 'command_not_found_handle() { printf "%s\\0" "$#" "$@" >> "$LOG"; [ "$1" != bb ]; }; eval "$1"; wait';
  const env = { PATH: '/nowhere', LOG: log, HOME: '/home/ann' };
  await run('/bin/bash', ['-c', `__line=$1; set --; ${handler.replace('$1"; wait', '$__line"; wait')}`, 'bash', text], {
    env,
    cwd: folder,
    timeout: 20_000,
  }).catch((error: { killed?: boolean }) => {
    if (error.killed) throw error;
  });
  const parts = readFileSync(log, 'utf8').split('\0');
  const commands: string[][] = [];
  for (let at = 0; at + 1 < parts.length; ) {
    const count = Number(parts[at]);
    commands.push(parts.slice(at + 1, at + 1 + count));
    at += count + 1;
  }
  return commands;
}

/** Words as one pattern; a word that is not known may also be several, or none. */
function patternOf(words: readonly string[]): string {
  const unknown = new RegExp(`(^|\u0001)[${ANY}${SOME}]+(?=\u0001|$)`, 'g');
  return anyPath(words.join('\u0001').replaceAll(SOME, ANY).replace(unknown, ANY));
}

/** The path of a process substitution has a number that does not matter. */
function anyPath(text: string): string {
  return text.replace(/\/dev\/fd\/\d+/g, '/dev/fd/0');
}

/** What the interpreter says may be run; undefined where it says that it cannot tell. */
function foreseen(text: string): readonly Fact[] | undefined {
  const syntax = parser.parse(text);
  if (!syntax.sound) return undefined;
  const interpreter = new ShellInterpreter(parser);
  try {
    interpreter.run(syntax, { cwd: folder, home: '/home/ann', env: { HOME: '/home/ann' } });
  } catch (error) {
    if (error instanceof TooComplex) return undefined;
    throw error;
  }
  return interpreter.facts.some(({ kind }) => kind === 'unreadable') ? undefined : interpreter.facts;
}

it('IDE-62 every command that bash runs was foreseen, with its words', async () => {
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(line, async (text) => {
      const facts = foreseen(text);
      if (!facts) return;
      judged += 1;
      const patterns = facts.flatMap((fact) =>
        fact.kind === 'command' ? [patternOf(fact.words.map(({ value }) => value))] : [],
      );
      for (const words of await executed(text)) {
        const joined = anyPath(words.join('\u0001'));
        const seen = patterns.some((pattern) => matchesGlob(pattern, joined));
        expect(seen, `${JSON.stringify(text)} runs ${JSON.stringify(words)}, foreseen: ${patterns.join(' | ')}`).toBe(
          true,
        );
      }
    }),
    { examples: readLines('agreement/found.txt').map((found): [string] => [found]) },
  );
  expect(judged).toBeGreaterThan(0);
});
