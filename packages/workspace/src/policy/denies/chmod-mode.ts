import { isUnknown } from '../shell/markers.ts';

/** Whether a mode of `chmod` takes the owner's access away (`000`, `a-rwx`, `u=`, `-x`); unknown ones may. */
export function takesAccess(mode: string): boolean {
  if (isUnknown(mode)) return true;
  const octal = /^[=+]?([0-7]{1,5})$/.exec(mode);
  if (octal) return ((Number.parseInt(octal[1] as string, 8) >> 6) & 7) === 0;
  return mode.split(',').some((clause) => {
    const match = /^([ugoa]*)([-+=])([rwxXst]*)/.exec(clause);
    if (!match) return false;
    const [, who = '', operator, bits = ''] = match;
    if (who !== '' && !/[ua]/.test(who)) return false;
    return operator === '-' ? /[rx]/.test(bits) : operator === '=' && !/[r]/.test(bits);
  });
}

/** Whether the word is a mode although it starts like an option: `-rwx`. */
export function isModeWord(word: string): boolean {
  return /^-[rwxXst]+(,|$)/.test(word) || !word.startsWith('-');
}
