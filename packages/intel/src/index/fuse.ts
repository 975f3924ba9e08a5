import type { FileId } from '../files/file-table.ts';
import { type Found, TopHits } from './top-hits.ts';

/** As in the paper: how little the first places differ. */
const K = 60;

/** A chunk in one list or both. */
export interface Fused extends Found {
  inWords: boolean;
  inMeaning: boolean;
}

/**
 * One list of two, by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a chunk counts `1 / (K + rank)` for
 * each list that it is in.
 * @param weight of the second list; that of the first is 1.
 */
export function fuse(
  words: readonly Found[],
  meaning: readonly Found[],
  { weight, limit }: { weight: number; limit: number },
): Fused[] {
  const all = new Map<string, Fused>();
  const nameOf = ({ file, row }: { file: FileId; row: number }) => `${file}:${row}`;
  words.forEach((found, i) => {
    all.set(nameOf(found), { ...found, score: 1 / (K + i + 1), inWords: true, inMeaning: false });
  });
  meaning.forEach((found, i) => {
    const score = weight / (K + i + 1);
    const known = all.get(nameOf(found));
    if (known) Object.assign(known, { score: known.score + score, inMeaning: true });
    else all.set(nameOf(found), { ...found, score, inWords: false, inMeaning: true });
  });
  const top = new TopHits<Fused>(limit);
  for (const found of all.values()) top.offer(found);
  return top.found;
}
