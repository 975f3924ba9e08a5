/**
 * The first of the items in an order, best first: one pass, in which most items are compared with the last of the best only.
 * @param compare as for sorting; no two items may be equal.
 */
export function bestOf<T>(items: Iterable<T>, most: number, compare: (one: T, other: T) => number): T[] {
  const best: T[] = [];
  for (const item of items) {
    if (best.length >= most && (most === 0 || compare(item, best[most - 1]!) > 0)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(item, best[middle]!) > 0) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, item);
    if (best.length > most) best.pop();
  }
  return best;
}
