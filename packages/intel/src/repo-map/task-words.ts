/** A word of a text, as it stands there. */
export interface TaskWord {
  text: string;
  /** Written as names are in code and not in prose: an inner capital, `_`, `$`, a digit behind letters. */
  isName: boolean;
}

/** A task that is pasted with a log below it: what counts stands at its beginning. */
const MOST_WORDS = 200;
const WORD = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;
const NAME = /[_$]|\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|\p{L}\p{N}/u;

/** The different words of a text, in its order. */
export function taskWords(text: string): TaskWord[] {
  const words = new Map<string, TaskWord>();
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > 1 && !words.has(word)) words.set(word, { text: word, isName: NAME.test(word) });
    if (words.size >= MOST_WORDS) break;
  }
  return [...words.values()];
}

/** The parts of a name or a path in lower case, and the whole of each component: `src/noteStore.ts` has `notestore`, `note`, `store`. */
export function pathWords(path: string): Set<string> {
  const words = new Set<string>();
  for (const component of path.split('/')) {
    const stem = component.replace(/(?<=.)\.[^.]*$/, '');
    words.add(stem.toLowerCase());
    for (const part of stem.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu) ?? [])
      words.add(part.toLowerCase());
  }
  return words;
}
