/** More stars than this in one part of a pattern, or `**` in one pattern, make matching slow beyond reason. */
const MAX_STARS = 3;
/** Characters that mean something in a pattern, wherever they stand. */
const SPECIAL = /[\\*?[\]!# ]/g;

/**
 * The patterns of an ignore file as patterns of a folder above it, so that the rules of all folders are one list in
 * which the last match wins, as in Git: `*.log` in `a/b` becomes `/a/b/**\/*.log`, `/out` becomes `/a/b/out`.
 *
 * A part with very many stars is cut after the third and ends in a star: it matches more then, and cannot stall us. Who
 * writes the file may not be a friend.
 * @param folder from where the patterns shall hold to where the file lies, with `/` at its end; empty for the same folder.
 */
export function patternsBelow(folder: string, text: string): string[] {
  const prefix = `/${folder.replaceAll(SPECIAL, '\\$&')}`;
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => below(prefix, line));
}

function below(prefix: string, line: string): string {
  const sign = line.startsWith('!') ? '!' : '';
  const pattern = tame(withoutTrailingSpace(line.slice(sign.length)));
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  return `${sign}${prefix}${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}

/** Spaces at the end count only after a backslash. */
function withoutTrailingSpace(pattern: string): string {
  const end = pattern.replace(/ +$/, '').length;
  return pattern[end - 1] === '\\' && (/\\+$/.exec(pattern.slice(0, end))?.[0].length ?? 0) % 2 === 1
    ? pattern.slice(0, end + 1)
    : pattern.slice(0, end);
}

function tame(pattern: string): string {
  if (pattern.split('*').length <= MAX_STARS + 1) return pattern;
  let doubles = 0;
  return pattern
    .split('/')
    .map((part) => (part.split(/\*+/).length <= MAX_STARS + 1 ? part : `${firstStars(part)}*`))
    .filter((part) => part !== '**' || ++doubles <= MAX_STARS)
    .join('/');
}

function firstStars(part: string): string {
  return part.split(/\*+/).slice(0, MAX_STARS).join('*');
}
