import type { CommandFact, Field } from '../shell/facts.ts';
import { dangerousWords } from './dangerous-options.ts';
import { readOnlyGit } from './read-only-git.ts';
import { secretWord } from './secret-paths.ts';

/** Programs that only read, whatever their arguments are (those `dangerousWords` objects to excepted). */
const READERS: ReadonlySet<string> = new Set(
  (
    'cat cut echo expr false grep egrep fgrep head ls nl paste pwd rev seq stat tail tr true uname which uniq wc ' +
    'basename dirname readlink realpath cmp comm fold du df tac nproc arch sort base64 find rg tree file ' +
    'printf cksum md5sum sha1sum sha256sum sha512sum b2sum diff column jq sleep date : type ' +
    'tac od hexdump strings xxd whoami groups uptime free lscpu tty getconf expand unexpand fmt join look read'
  ).split(' '),
);
/** Programs whose `--version` runs nothing of the project's. */
const VERSIONED = /^(node|npm|python3?|ruby|java|gcc|g\+\+|clang|make|cmake|git|rg|bash|jq)$/;
/** What makes a shell stricter or more talkative, and nothing else. */
const SHELL_MODE = /^([-+][euxo]{1,4}|pipefail|errexit|nounset|xtrace)$/;
const AWK = /^[gmn]?awk$/;
/** What an awk program may run, write, or read beside the files that are named as its operands. */
const AWK_REACHES_OUT =
  /\b(system|getline|close|fflush|ENVIRON|PROCINFO|ARG(V|C|IND)|SYMTAB|FUNCTAB|function|func|include|load)\b/;
/** Programs that only read with these very options. */
const LISTERS: Readonly<Record<string, RegExp>> = {
  tar: /^(-?z?j?J?tv?f|-?v?tf|--list --file) [^-\s:][^\s:]*$/,
  unzip: /^(-l|-Z1?|-lq) [^-\s]\S*$/,
  tee: /^(-a )?\/dev\/(null|stderr|stdout)$/,
  ps: /^(aux|-ef|-e|-A|-p \d+)?$/,
  hostname: /^(-[fsidI])?$/,
  node: /^-v$/,
  npm: /^-v$/,
  python3: /^-V$/,
  python: /^-V$/,
};
/** The operators of `test` that calculate nothing: calculating one can run a substitution hidden in a value. */
const TEST_WORD = /^(\[\[?|\]\]?|-[abcdefghknprstuwxzGLNOS]|!|=|==|!=|&&|\|\||\(|\)|-nt|-ot|-ef)$/;

/** Those of `[` read numbers and nothing else; `[[` would calculate. */
const NUMBER_TEST = /^-(eq|ne|lt|le|gt|ge)$/;

/**
 * Whether the command can be shown to change nothing: its name is on the list, every word is literal, and no option
 * makes it more than it seems. What is not shown is not meant to be harmful.
 */
export function provenReadOnly(fact: CommandFact): boolean {
  const [name, ...rest] = fact.words;
  if (!name || fact.assignments.length > 0 || fact.wrapper || fact.sweeping || fact.moreOperands) return false;
  const program = plainName(name);
  if (program === undefined) return false;
  if (program === '[' || program === 'test') {
    return fact.words.every((word) => isPlainTest(word) || NUMBER_TEST.test(word.value));
  }
  if (program === '[[') return fact.words.every(isPlainTest);
  if (!rest.every(({ literal }) => literal) || secretWord(fact.words)) return false;
  const values = rest.map(({ value }) => value);
  if (program === 'git') return readOnlyGit(values) && dangerousWords(fact.words).length === 0;
  if (values.length === 1 && values[0] === '--version' && VERSIONED.test(program)) return true;
  if (program === 'command') return values.length === 2 && /^-[vV]$/.test(values[0] ?? '');
  if (program === 'sed') return isPrintingSed(values);
  if (program === 'cd') return false;
  if (/^(exit|return|break|continue)$/.test(program)) return values.every((value) => /^\d{1,3}$/.test(value));
  if (program === 'set') return values.length > 0 && values.every((value) => SHELL_MODE.test(value));
  if (AWK.test(program)) return isPrintingAwk(values);
  if (LISTERS[program]?.test(values.join(' '))) return true;
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

/** `awk '{print $2}' file`: a short program that calls, pipes and writes nothing. */
function isPrintingAwk(values: readonly string[]): boolean {
  const at = values.findIndex(
    (value, index) => !/^-F./.test(value) && !/^-[Fv]$/.test(value) && !/^-[Fv]$/.test(values[index - 1] ?? ''),
  );
  const script = values[at] ?? '';
  const files = values.slice(at + 1);
  return (
    at >= 0 &&
    !script.startsWith('-') &&
    script.length < 200 &&
    /^[\w\s$,;(){}"':.!=<~+*/%^[\]-]*(?:&&[\w\s$,;(){}"':.!=<~+*/%^[\]-]*)*$/.test(script) &&
    !AWK_REACHES_OUT.test(script) &&
    files.every((file) => !file.startsWith('-') && !file.startsWith('/inet'))
  );
}

function setsSomething(program: string, values: readonly string[]): boolean {
  return values.some(
    (value) => (program === 'date' && /^\d/.test(value)) || (program === 'printf' && /^-v/.test(value)),
  );
}
