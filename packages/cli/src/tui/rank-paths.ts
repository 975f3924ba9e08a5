/** The paths that fit what was typed, best first: names before folders, beginnings before middles, short before long. */
export function rankPaths(paths: readonly string[], typed: string, limit: number): string[] {
  const wanted = typed.toLowerCase();
  const ranked: { path: string; rank: number }[] = [];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) ranked.push({ path, rank });
  }
  ranked.sort((one, other) => one.rank - other.rank || one.path.length - other.path.length);
  return ranked.slice(0, limit).map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return path.replace(/\/$/, '').split('/').length;
  const name = path.slice(path.replace(/\/$/, '').lastIndexOf('/') + 1);
  if (path.startsWith(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  return inOrder(path, wanted) ? 4 : undefined;
}

/** Whether all characters occur in that order. */
function inOrder(path: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
