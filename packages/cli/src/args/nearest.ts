/**
 * The candidate that a mistyped word most likely meant, or undefined when none is near: one that the word begins, or
 * one within a third of the word's length in edits.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  const most = Math.max(1, Math.floor(typed.length / 3));
  let best: { candidate: string; rank: number } | undefined;
  for (const candidate of candidates) {
    const distance = typed.length >= 2 && candidate.startsWith(typed) ? 0 : edits(typed, candidate);
    if (distance > most) continue;
    // Of two that are equally near, the one of the same length is a swap or a slip, the other lacks a letter.
    const rank = distance + Math.abs(candidate.length - typed.length) / 100;
    if (!best || rank < best.rank) best = { candidate, rank };
  }
  return best?.candidate;
}

/** Edits between two words, swapped neighbours counting one (optimal string alignment distance). */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
