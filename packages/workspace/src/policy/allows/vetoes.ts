import { posix } from 'node:path';
import type { CommandContext } from '../decision.ts';
import type { CommandFact, Field } from '../shell/facts.ts';
import { ANY, isGlob, isUnknown, QUESTION, SET_OPEN, SOME, STAR, withoutMarkers } from '../shell/markers.ts';
import { UNKNOWN_FOLDER } from '../shell/shell-state.ts';
import { programName } from '../shell/wrappers.ts';
import { dangerousWords, hasDangerousOptions } from './dangerous-options.ts';
import { looksLikeSecondCommand } from './read-only-git.ts';
import { secretWord } from './secret-paths.ts';

/** Why a command that a pattern of the user allows is asked about all the same. */
export interface Veto {
  why: string;
  /** Lifts the veto when the pattern names it; undefined: nothing does. */
  token: string | undefined;
}

/** Programs that do no harm with any argument. */
const HARMLESS =
  /^(echo|printf|cat|head|tail|wc|ls|[ef]?grep|stat|basename|dirname|pwd|true|false|:|test|\[|\[\[|md5sum|sha\d+sum|realpath|readlink|cut|tr|du|df|nl|tac|rev)$/;

/** Shells that we cannot read, and the scripts and commands of such a shell. */
const FOREIGN_SHELL = /^(pwsh|powershell|cmd|wscript|cscript|mshta|rundll32)(\.exe)?$|\.(ps1|psm1|bat|cmd|vbs)$/i;
const CMDLET =
  /^(Get|Set|New|Remove|Add|Clear|Copy|Move|Rename|Invoke|Start|Stop|Restart|Out|Write|Import|Export|ConvertTo|ConvertFrom|Select|Where|ForEach|Test|Enable|Disable|Format|Register|Unregister|Install|Uninstall|Update|Expand|Compress|Read|Enter|Exit|Push|Pop|Join|Split|Sort|Measure|Resolve|Send|Wait|Unblock|Grant|Revoke)-[A-Z][A-Za-z]+$/;

/** Whether the command is one of PowerShell or `cmd`: never allowed without being asked about. */
export function isForeignShell({ words: [name] }: CommandFact): boolean {
  if (!name) return false;
  const base = posix.basename(name.value.replaceAll('\\', '/'));
  return FOREIGN_SHELL.test(base) || CMDLET.test(base);
}

/** Whether the program can get words that are not known. */
function isHarmless(fact: CommandFact): boolean {
  const [name] = fact.words;
  return name !== undefined && HARMLESS.test(programName(name));
}

/** What stands against letting a command run because a pattern of the user matches it. */
export function vetoes(
  fact: CommandFact,
  { roots, gitPrograms, linkTarget }: Omit<CommandContext, 'cwd' | 'home'> & { roots: readonly string[] },
): Veto[] {
  const [name, ...rest] = fact.words;
  if (!name) return [{ why: 'there is no command', token: undefined }];
  const found: Veto[] = [];
  const program = programName(name);
  for (const assigned of fact.assignments) {
    found.push({ why: `it sets ${assigned.name} for the command`, token: `${assigned.name}=` });
  }
  for (const { token, why } of dangerousWords(fact.words)) found.push({ why: `\`${token}\`: ${why}`, token });
  const secret = secretWord(fact.words) ?? (linkTarget && secretLink(fact, linkTarget));
  if (secret) {
    const why = secret.source === '' ? 'it may print files that hold secrets' : `\`${secret.source}\` may hold secrets`;
    found.push({ why, token: isUnknown(secret.value) ? undefined : withoutMarkers(secret.value) });
  }
  if (program === 'git' && looksLikeSecondCommand(rest.map(({ value }) => value))) {
    found.push({ why: 'its words look like a second command', token: undefined });
  }
  if (!isHarmless(fact)) found.push(...unknownWords(rest, program, fact.moreOperands));
  if (program === 'git' && gitPrograms) {
    const named = fact.cwds.map((cwd) => gitPrograms(cwd)).find((why) => why !== undefined);
    if (named) found.push({ why: named, token: undefined });
  }
  if (isUnknown(name.value) || isGlob(name.value)) found.push({ why: 'its name is not known', token: undefined });
  if (fact.cwds.some((cwd) => !isInside(cwd, roots))) {
    found.push({ why: 'it would run outside the workspace', token: undefined });
  }
  return found;
}

/** An operand that is a link to what may hold secrets. */
export function secretLink(
  fact: CommandFact,
  linkTarget: NonNullable<CommandContext['linkTarget']>,
): Field | undefined {
  for (const cwd of fact.cwds) {
    if (cwd === UNKNOWN_FOLDER) continue;
    let linked = false;
    const words = fact.words.map((word, index) => {
      const operand = index > 0 && word.literal && word.value !== '' && !word.value.startsWith('-');
      const value = operand ? linkTarget(cwd, word.value) : undefined;
      linked ||= value !== undefined;
      return value === undefined ? word : { ...word, value };
    });
    const found = linked ? secretWord(words) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Whether a folder is one of the roots or below one. */
export function isInside(folder: string, roots: readonly string[]): boolean {
  if (folder === UNKNOWN_FOLDER) return false;
  return roots.some((root) => {
    const relative = posix.relative(root, folder);
    return relative === '' || !(relative === '..' || relative.startsWith('../'));
  });
}

function unknownWords(words: readonly Field[], program: string, moreOperands: boolean): Veto[] {
  const unknown = words.find(({ value, source }) => isUnknown(value) && source !== '');
  if (unknown) return [{ why: `\`${unknown.source}\` is not known beforehand`, token: unknown.source }];
  if (moreOperands) return [{ why: 'it gets further arguments that are not known beforehand', token: undefined }];
  if (!hasDangerousOptions(program)) return [];
  // `*` may become a file name that reads like an option.
  const wild = words.find(({ value }) => [STAR, QUESTION, SET_OPEN, ANY, SOME].some((mark) => value.startsWith(mark)));
  return wild ? [{ why: `\`${wild.source}\` may become an option`, token: wild.source }] : [];
}
