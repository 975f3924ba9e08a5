import { TooComplex } from './too-complex.ts';

/** More combinations of words are not told apart. */
const MAX_LISTS = 64;

/** Every list with every choice behind it. One choice alone is the rule, and must not cost a copy. @throws TooComplex */
export function combined<T>(lists: T[][], choices: readonly (readonly T[])[]): T[][] {
  const [only] = choices;
  if (choices.length === 1 && only) {
    for (const list of lists) for (const item of only) list.push(item);
    return lists;
  }
  if (lists.length * choices.length > MAX_LISTS) throw new TooComplex();
  return lists.flatMap((list) => choices.map((choice) => [...list, ...choice]));
}
