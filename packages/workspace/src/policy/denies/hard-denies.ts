import { posix } from 'node:path';
import type { CommandFact, Field, RedirectFact } from '../shell/facts.ts';
import { findScope } from '../shell/find-scope.ts';
import { isUnknown } from '../shell/markers.ts';
import { programName } from '../shell/wrappers.ts';
import { isBlockDevice } from './block-device.ts';
import { isModeWord, takesAccess } from './chmod-mode.ts';
import { protectedPath } from './protected-path.ts';

/** A command that is never run, whatever the settings say. */
export interface HardDeny {
  /** Stable name of the rule. */
  rule: string;
  /** For a person. */
  why: string;
}

interface Place {
  home: string;
}

const WRITERS =
  /^(tee|cp|mv|ln|install|dd|ddrescue|dcfldd|dc3dd|shred|wipefs|blkdiscard|s?gdisk|c?fdisk|sfdisk|parted|truncate|badblocks|hdparm|nvme|sponge|rsync|scp|curl|wget|tar|cpio|pv|sed|xxd|cryptsetup|pvcreate|vgcreate|mdadm|zpool|diskutil|asr|newfs.*|split|unzip|gzip|openssl|perl|python[0-9.]*|vim|vi|ex|ed|nano)$/;
const POWER_VERB =
  /^(poweroff|reboot|halt|kexec|soft-reboot|(poweroff|reboot|halt|shutdown|kexec|runlevel[06])\.target)$/;

/** The rules of IDE-63 for one command; the first that holds. */
export function hardDeny(fact: CommandFact, place: Place): HardDeny | undefined {
  const [name, ...words] = fact.words;
  if (!name) return undefined;
  const program = programName(name);
  return (
    removal(program, words, fact, place) ??
    format(program, words) ??
    copy(program, words, fact) ??
    device(program, words, fact) ??
    power(program, words, fact) ??
    access(program, words, fact, place)
  );
}

/** The rules of IDE-63 for a redirection. */
export function hardDenyRedirect(fact: RedirectFact): HardDeny | undefined {
  if (!fact.operator.includes('>')) return undefined;
  for (const { value } of fact.targets) {
    if (isBlockDevice(value, fact.cwds)) return { rule: 'write-device', why: 'it writes to a disk itself' };
    if (posix.join('/', value) === '/proc/sysrq-trigger') return { rule: 'power', why: 'it stops the machine' };
  }
  return undefined;
}

function removal(program: string, words: readonly Field[], fact: CommandFact, place: Place): HardDeny | undefined {
  const targets = removalTargets(program, words, fact);
  for (const { value } of targets) {
    const what = protectedPath(value, { cwds: fact.cwds, home: place.home });
    if (what) return { rule: 'remove-root-or-home', why: `it deletes ${what}` };
  }
  if (
    targets.every(({ source }) => source === '') &&
    program === 'rm' &&
    fact.moreOperands &&
    isRecursive(words, 'rR', 'recursive')
  ) {
    const here = protectedPath('.', { cwds: fact.cwds, home: place.home });
    if (here) return { rule: 'remove-root-or-home', why: `it deletes what is in ${here}` };
  }
  return undefined;
}

/** The operands that a command deletes with all that is below them. */
function removalTargets(program: string, words: readonly Field[], fact: CommandFact): readonly Field[] {
  if (/^(g?rm|srm|rimraf|trash|trash-put|unlink)$/.test(program)) {
    const recursive =
      /^(rimraf|trash|trash-put)$/.test(program) || fact.sweeping || isRecursive(words, 'rR', 'recursive');
    return recursive ? operands(words) : [];
  }
  if (/^(rmdir|shred|truncate)$/.test(program) && fact.sweeping) return operands(words);
  if (/^(remove-item|ri)$/.test(program)) {
    return words.some(({ value }) => /^-r/i.test(value)) ? operands(words) : [];
  }
  if (/^(rd|rmdir|del|erase)$/.test(program) && words.some(({ value }) => /^\/s$/i.test(value))) {
    return words.filter(({ value }) => !/^\/[a-z?]$/i.test(value));
  }
  if (program === 'rsync' && words.some(({ value }) => /^--(del|remove-source)/.test(value))) {
    return operands(words).slice(-1);
  }
  if (program === 'find' || program === 'gfind') {
    if (!words.some(({ value }) => /^-+delete$/.test(value))) return [];
    const { roots, sweeping } = findScope(words);
    return sweeping ? roots : [];
  }
  return [];
}

function format(program: string, words: readonly Field[]): HardDeny | undefined {
  const isDrive = program === 'format' && words.some(({ value }) => /^[a-z]:$/i.test(value));
  return isDrive || /^(mkfs(\..*)?|mke2fs|mkdosfs|mkntfs|mkreiserfs|newfs(_.*)?)$/.test(program)
    ? { rule: 'mkfs', why: 'it formats a disk' }
    : undefined;
}

function copy(program: string, words: readonly Field[], fact: CommandFact): HardDeny | undefined {
  if (!/^(g?dd|dcfldd|dc3dd)$/.test(program)) return undefined;
  if (words.some(({ value }) => /^if=/.test(value))) return { rule: 'dd', why: '`dd if=` can overwrite a disk' };
  const target = words.find(({ value }) => value.startsWith('of=') && isBlockDevice(value.slice(3), fact.cwds));
  return target && { rule: 'write-device', why: 'it writes to a disk itself' };
}

function device(program: string, words: readonly Field[], fact: CommandFact): HardDeny | undefined {
  if (!WRITERS.test(program)) return undefined;
  if (/^(c?fdisk|sfdisk|parted)$/.test(program) && words.some(({ value }) => /^(-l|--list)$/.test(value)))
    return undefined;
  const candidates = /^(cp|mv|ln|install|rsync|scp)$/.test(program) ? copyTargets(words) : words;
  const written = candidates.some(({ value }) => {
    const after = /^-{1,2}[A-Za-z-]*=?(?=\/)|^[a-z]+=/.exec(value)?.[0].length ?? 0;
    return isBlockDevice(value, fact.cwds) || (after > 0 && isBlockDevice(value.slice(after), fact.cwds));
  });
  return written ? { rule: 'write-device', why: 'it writes to a disk itself' } : undefined;
}

/** Where `cp` and its like write: the last operand, or the value of `-t`. */
function copyTargets(words: readonly Field[]): readonly Field[] {
  const named = words.filter(
    ({ value }, index) =>
      /^(-t|--target-directory)$/.test(words[index - 1]?.value ?? '') || value.startsWith('--target'),
  );
  return [...named, ...operands(words).slice(-1)];
}

function power(program: string, words: readonly Field[], fact: CommandFact): HardDeny | undefined {
  if (fact.speculative) return undefined;
  const verbs = words.map(({ value }) => value);
  const stops =
    /^(shutdown|reboot|halt|poweroff|stop-computer|restart-computer)$/.test(program) ||
    (/^(init|telinit)$/.test(program) && verbs.some((verb) => /^[06]$/.test(verb))) ||
    (/^(systemctl|loginctl|openrc-shutdown)$/.test(program) && verbs.some((verb) => POWER_VERB.test(verb))) ||
    (program === 'kexec' && verbs.some((verb) => /^(-e|--exec)$/.test(verb)));
  return stops ? { rule: 'power', why: 'it stops the machine' } : undefined;
}

function access(program: string, words: readonly Field[], fact: CommandFact, place: Place): HardDeny | undefined {
  if (!/^g?chmod$/.test(program)) return undefined;
  const recursive = fact.sweeping || isRecursive(words, 'R', 'recursive');
  const [mode, ...targets] = words.filter(({ value }) => isModeWord(value));
  if (!recursive || !mode || !takesAccess(mode.value)) return undefined;
  for (const { value } of targets) {
    const what = protectedPath(value, { cwds: fact.cwds, home: place.home });
    if (what) return { rule: 'lock-out', why: `it takes all access to ${what}` };
  }
  return undefined;
}

/** Whether a flag is among the words, also shortened (`--rec`) or behind a word that is not known. */
function isRecursive(words: readonly Field[], letters: string, long: string): boolean {
  const end = words.findIndex(({ value }) => value === '--');
  return (end < 0 ? words : words.slice(0, end)).some(({ value }) => {
    if (isUnknown(value[0] ?? '')) return true;
    if (/^--./.test(value)) return long.startsWith(value.slice(2));
    return /^-/.test(value) && [...letters].some((letter) => value.includes(letter));
  });
}

/** The words that are no options. */
function operands(words: readonly Field[]): readonly Field[] {
  const end = words.findIndex(({ value }) => value === '--');
  const before = end < 0 ? words : words.slice(0, end);
  return [...before.filter(({ value }) => !/^-./.test(value)), ...(end < 0 ? [] : words.slice(end + 1))];
}
