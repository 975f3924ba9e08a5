/** The shortest length, at least 8, at which the beginnings of all ids differ. */
export function shortIdLength(ids: readonly string[]): number {
  const longest = Math.max(8, ...ids.map((id) => id.length));
  for (let length = 8; length < longest; length++) {
    if (new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size) return length;
  }
  return longest;
}
