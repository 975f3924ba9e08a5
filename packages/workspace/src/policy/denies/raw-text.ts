import type { CommandFact, Field } from '../shell/facts.ts';
import { activateGlobs } from '../shell/markers.ts';
import { isWrapper, programName } from '../shell/wrappers.ts';
import { isBlockDevice } from './block-device.ts';
import { looksLikeForkBomb } from './fork-bomb.ts';
import { type HardDeny, hardDeny } from './hard-denies.ts';

interface Place {
  cwds: readonly string[];
  home: string;
}

/** Text beyond this length is cut; nothing so long is ever run without a question. */
const MAX_TEXT = 200_000;
/** At most so many words are looked at behind a name. */
const MAX_WORDS = 200;
/** At most so many suspicious names are looked at. */
const MAX_LOOKS = 2_000;
const KEYWORD = /^(if|then|elif|else|while|until|do|for|in|case|select|function|time)$/;
const SUSPICIOUS =
  /^(g?rm|srm|rimraf|find|mkfs(\..*)?|mke2fs|g?dd|g?chmod|tee|cp|shred|wipefs|remove-item|rd|rmdir|del|erase|format|stop-computer|restart-computer)$/;

/**
 * Tries the hard denies on text that is no parsable shell: quotes and escapes fall away, every separator of the shell
 * or of a programming language ends a command, and a command may begin anywhere. Errs on the side of refusing.
 */
export function rawTextDeny(text: string, place: Place): HardDeny | undefined {
  const source = text.slice(0, MAX_TEXT);
  if (looksLikeForkBomb(source)) return { rule: 'fork-bomb', why: 'it multiplies without end' };
  const cwds = new Set(place.cwds);
  let looks = 0;
  for (const segment of plain(source, place.home).split(/[;|&\n(){}[\]`!]+/)) {
    const words = segment
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map(toField);
    if (words[0]?.value === 'cd' && words[1]) cwds.add(words[1].value);
    const target = redirectsTo(segment);
    if (target !== undefined && isBlockDevice(target, [...cwds])) {
      return { rule: 'write-device', why: 'it writes to a disk itself' };
    }
    let leads = true;
    for (let at = 0; at < words.length && looks < MAX_LOOKS; at += 1) {
      const word = words[at] as Field;
      const isRun = /^-+(exec|ok)(dir)?$/.test(words[at - 1]?.value ?? '');
      const looked = leads || isRun || SUSPICIOUS.test(programName(word));
      leads &&= isWrapper(word) || KEYWORD.test(word.value) || /^[-\w]*=|^-|^\d/.test(word.value);
      if (!looked) continue;
      looks += 1;
      const found = hardDeny(asCommand(words.slice(at, at + MAX_WORDS), [...cwds], segment), place);
      if (found) return found;
    }
  }
  return undefined;
}

/** The text without quoting and with the home's names replaced by its path. */
function plain(text: string, home: string): string {
  return (
    text
      .replace(/\\\n/g, '')
      .replace(/\\(.)/g, '$1')
      .replace(/\$\{?(HOME|IFS)\}?/g, (_whole, name: string) => (name === 'HOME' ? home : ' '))
      .replace(/["']/g, '')
      // The value of a variable may be run later.
      .replace(/(^|[\s;|&(){}])(?!if=|of=)[A-Za-z_]\w{0,64}=/g, '$1')
      .replace(/(^|[\s,;|&(){}])~(?=[/\s,;|&(){}`\]]|$)/g, `$1${home}`)
      .replace(/(^|[\s,])~root\b/g, '$1/root')
  );
}

function redirectsTo(segment: string): string | undefined {
  return />\s*([^\s>]+)/.exec(segment)?.[1];
}

function toField(word: string): Field {
  return { value: activateGlobs(word), source: word, literal: false };
}

function asCommand(words: readonly Field[], cwds: readonly string[], source: string): CommandFact {
  return {
    kind: 'command',
    words,
    assignments: [],
    cwds,
    source,
    wrapper: undefined,
    sweeping: false,
    moreOperands: false,
    speculative: false,
  };
}
