import type { Field } from './facts.ts';
import { programName } from './wrappers.ts';

/** Options whose value is a program text. */
const OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(python|pypy)[0-9.]*$/, /^-[a-zA-Z]*c$/],
  [/^(perl|ruby)[0-9.]*$/, /^-[a-zA-Z0-9]*[eE]$/],
  [/^(node|nodejs|bun|deno|tsx)$/, /^(-e|-p|-pe|--eval|--print|eval)$/],
  [/^(php[0-9.]*|Rscript|lua[0-9.]*|julia|elixir|osascript|groovy|scala|swift|tclsh)$/i, /^(-r|-e|--eval|-l)$/],
  [/^(vim|vi|nvim|ex|view|gdb|lldb|expect|emacs)$/, /^(-c|--cmd|-ex|--eval|--eval-command|-o)$/],
];
/** Programs all of whose words may hold a program text. */
const ANYWHERE = /^(awk|gawk|mawk|nawk|vim|vi|nvim|ex|osascript|psql|mysql|sqlite3)$/;
/** Shells of Windows: their words are one line of theirs. */
const WINDOWS_SHELL = /^(pwsh|powershell|cmd)(\.exe)?$/;
const TAKES_INPUT = /^((python|pypy|perl|ruby|php|lua)[0-9.]*|node|nodejs|bun|deno|tclsh|osascript|pwsh|powershell)$/;

/** The texts in other languages that the command would run, from its words and its known input. */
export function foreignCode(words: readonly Field[], stdin: readonly string[] | undefined): string[] {
  const [name, ...rest] = words;
  if (!name) return [];
  const program = programName(name);
  const values = rest.map(({ value }) => value);
  const texts = OPTIONS.filter(([names]) => names.test(program)).flatMap(([, option]) =>
    values.flatMap((value, index) => {
      if (option.test(value)) return values.slice(index + 1, index + 2);
      const attached = /^(?:--[a-z]+=|-[cerE])([\s\S]{4,})$/.exec(value)?.[1];
      return attached ? [attached] : [];
    }),
  );
  if (ANYWHERE.test(program)) texts.push(...values.filter((value) => value.length > 3));
  if (WINDOWS_SHELL.test(program)) texts.push(values.join(' '));
  if (TAKES_INPUT.test(program)) texts.push(...(stdin ?? []));
  return texts.filter((text) => text.length > 0);
}
