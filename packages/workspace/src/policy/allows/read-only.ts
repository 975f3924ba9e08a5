import type { CommandFact, Field } from '../shell/facts.ts';
import { dangerousWords } from './dangerous-options.ts';
import { readOnlyGit } from './read-only-git.ts';
import { secretWord } from './secret-paths.ts';

/** Programs that only read, whatever their arguments are (those `dangerousWords` objects to excepted). */
const READERS: ReadonlySet<string> = new Set(
  (
    'cat cut echo expr false grep egrep fgrep head ls nl paste pwd rev seq stat tail tr true uname which uniq wc ' +
    'basename dirname readlink realpath cmp comm fold du df tac nproc arch sort base64 find rg tree file ' +
    'printf cksum md5sum sha1sum sha256sum sha512sum b2sum diff column jq sleep date : type'
  ).split(' '),
);
/** Programs whose `--version` runs nothing of the project's. */
const VERSIONED = /^(node|npm|python3?|ruby|java|gcc|g\+\+|clang|make|cmake|git|rg|bash|jq)$/;
/** The operators of `test` that calculate nothing: calculating one can run a substitution hidden in a value. */
const TEST_WORD = /^(\[\[?|\]\]?|-[abcdefghknprstuwxzGLNOS]|!|=|==|!=|&&|\|\||\(|\)|-nt|-ot|-ef)$/;

/**
 * Whether the command can be shown to change nothing: its name is on the list, every word is literal, and no option
 * makes it more than it seems. What is not shown is not meant to be harmful.
 */
export function provenReadOnly(fact: CommandFact): boolean {
  const [name, ...rest] = fact.words;
  if (!name || fact.assignments.length > 0 || fact.wrapper || fact.sweeping || fact.moreOperands) return false;
  const program = plainName(name);
  if (program === undefined) return false;
  if (program === '[' || program === '[[' || program === 'test') return fact.words.every(isPlainTest);
  if (!rest.every(({ literal }) => literal) || secretWord(fact.words)) return false;
  const values = rest.map(({ value }) => value);
  if (program === 'git') return readOnlyGit(values) && dangerousWords(fact.words).length === 0;
  if (values.length === 1 && values[0] === '--version' && VERSIONED.test(program)) return true;
  if (program === 'command') return values.length === 2 && /^-[vV]$/.test(values[0] ?? '');
  if (program === 'sed') return isPrintingSed(values);
  if (program === 'cd') return false;
  return READERS.has(program) && dangerousWords(fact.words).length === 0 && !setsSomething(program, values);
}

/** The name of a program that is found in the system's folders; undefined for one that lies anywhere else. */
function plainName(name: Field): string | undefined {
  const match = /^(?:\/(?:usr\/)?bin\/)?([A-Za-z0-9_.+:[-]+)$/.exec(name.value);
  return name.literal || /^\[\[?$/.test(name.value) ? match?.[1] : undefined;
}

function isPlainTest(word: Field): boolean {
  return TEST_WORD.test(word.value) || !/^-/.test(word.value);
}

/** `sed -n 10,20p file`: prints lines by number and does nothing else. */
function isPrintingSed(values: readonly string[]): boolean {
  const [option, script, ...files] = values;
  return (
    option === '-n' && /^(\d+|\$)(,(\d+|\$))?p$/.test(script ?? '') && files.every((file) => !file.startsWith('-'))
  );
}

function setsSomething(program: string, values: readonly string[]): boolean {
  return values.some(
    (value) => (program === 'date' && /^\d/.test(value)) || (program === 'printf' && /^-v/.test(value)),
  );
}
