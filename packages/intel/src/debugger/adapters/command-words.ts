import { BlackError } from '@black-ide/protocol';

/** A command line that starts one program, taken apart as a shell would. */
export interface PlainCommand {
  program: string;
  args: string[];
  /** What stands before the program: `NAME=value`. */
  env: Record<string, string>;
}

/** What a shell does more with than to start a program. */
const OPERATORS = /[|&;<>()`$*?[\]{}~\n]/;

/**
 * Takes a command line apart; undefined where it needs a shell: several commands, redirections, variables, patterns.
 * Quotes and backslashes mean what they mean in a shell.
 * @throws BlackError `no_command` where there is none
 */
export function plainCommand(line: string): PlainCommand | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === "'" || char === '"') {
      const end = closingQuote(line, at);
      if (end < 0) return undefined;
      const inside = line.slice(at + 1, end);
      if (char === '"' && /[$`]/.test(inside)) return undefined;
      word = (word ?? '') + (char === '"' ? inside.replaceAll(/\\(["\\])/g, '$1') : inside);
      at = end;
    } else if (char === '\\') {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (OPERATORS.test(char) || (char === '#' && word === undefined)) return undefined;
    else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  const env: Record<string, string> = {};
  while (words[0] !== undefined && /^[A-Za-z_]\w*=/.test(words[0])) {
    const [assignment = ''] = words.splice(0, 1);
    const equals = assignment.indexOf('=');
    env[assignment.slice(0, equals)] = assignment.slice(equals + 1);
  }
  const [program, ...args] = words;
  if (program === undefined) throw new BlackError('no_command', 'There is no command to debug.');
  return { program, args, env };
}

function closingQuote(line: string, open: number): number {
  const quote = line[open]!;
  for (let at = open + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === '\\') at += 1;
    else if (line[at] === quote) return at;
  }
  return -1;
}

/** Words as one command line that a shell reads as just these words. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
