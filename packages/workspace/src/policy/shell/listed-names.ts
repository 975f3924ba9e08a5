import type { Field } from './facts.ts';
import { foundItems } from './find-scope.ts';
import { isGlob, isUnknown, SOME, STAR, withGlobs } from './markers.ts';
import { programName } from './wrappers.ts';

/**
 * What a program that lists files prints, as patterns in place of names: one item a line. `find /` is `/`, `/*` and
 * something below `/`, so that `find / | xargs rm -rf` is seen for what it is. Undefined for every other program.
 */
export function listedNames(words: readonly Field[], stdin: readonly string[] | undefined): string | undefined {
  const [name, ...rest] = words;
  if (!name) return undefined;
  const values = rest.map(({ value }) => withGlobs(value));
  switch (programName(name)) {
    case 'find':
    case 'gfind':
      return foundNames(rest);
    case 'ls':
      return lines(listing(values));
    case 'fd':
    case 'fdfind':
      return lines(
        values.some((value) => /^-[A-Za-z]*[HuI]|^--(hidden|no-ignore|unrestricted)/.test(value)) ? ALL : PLAIN,
      );
    case 'rg':
      if (!values.some((value) => /^-[A-Za-z]*l$|^--files/.test(value))) return filtered(values, stdin);
      return lines(
        values.some((value) => /^-[A-Za-z]*[.u]|^--(hidden|no-ignore|unrestricted)/.test(value)) ? ALL : PLAIN,
      );
    case 'grep':
    case 'egrep':
    case 'fgrep':
      return values.some((value) => /^-[A-Za-z]*[rR]|^--(recursive|dereference-recursive)/.test(value))
        ? lines(ALL)
        : filtered(values, stdin);
    case 'git':
      return trackedNames(values);
    case 'head':
    case 'tail':
    case 'sort':
    case 'uniq':
      return filtered(values, stdin);
    default:
      return undefined;
  }
}

/** Names as a shell's `*` gives them: none that begins with a dot. */
const PLAIN: readonly string[] = [STAR];
/** Any name at any depth. */
const ALL: readonly string[] = [STAR, `.${STAR}`, SOME];

function lines(items: readonly string[]): string {
  return items.map((item) => `${item}\n`).join('');
}

/** A filter leaves over some of the names that it gets; of other text it is not known what. */
function filtered(values: readonly string[], stdin: readonly string[] | undefined): string | undefined {
  const operands = values.filter((value) => !/^-/.test(value) && !/^[+\d]/.test(value));
  const [only] = stdin ?? [];
  if (operands.length > 1 || stdin?.length !== 1 || only === undefined) return undefined;
  return isGlob(only) || isUnknown(only) ? only : undefined;
}

function listing(values: readonly string[]): readonly string[] {
  const operands = values.filter((value) => !value.startsWith('-'));
  const itself = values.some((value) => /^-[A-Za-z]*d|^--directory/.test(value));
  const hidden = values.some((value) => /^-[A-Za-z]*[aAf]|^--(all|almost-all)/.test(value));
  const within = itself ? [] : hidden ? [STAR, `.${STAR}`] : [STAR];
  return [...operands.filter((operand) => itself || isGlob(operand)), ...within];
}

function trackedNames(values: readonly string[]): string | undefined {
  const [sub] = values;
  if (sub === 'ls-files') {
    return lines(values.some((value) => /^-[A-Za-z]*[oi]|^--(others|ignored)/.test(value)) ? ALL : PLAIN);
  }
  const names = values.some((value) => /^(--name-only|-l|--files-with-matches)$/.test(value));
  return names && /^(diff|grep|show|log|ls-tree)$/.test(sub ?? '') ? lines(PLAIN) : undefined;
}

const FIND_PRINTS = /^-+(printf|fprintf|fprint|fprint0|fls|ls|exec|execdir|ok|okdir|delete)$/;

function foundNames(words: readonly Field[]): string | undefined {
  return words.some(({ value }) => FIND_PRINTS.test(value)) ? undefined : lines(foundItems(words));
}
