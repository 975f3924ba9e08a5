import { compileGlob, matchesGlob } from './glob-segment.ts';

/** One line of an ignore file. */
export interface IgnoreRule {
  /** `!`: takes back what an earlier line ignores. */
  isNegated: boolean;
  /** @param path parts of the path from the ignore file's folder, at least one. */
  matches(path: readonly string[], isFolder: boolean): boolean;
}

/**
 * Reads the text of a `.gitignore` or `.blackideignore`. Format: gitignore(5), as Git's own code reads it. This is not left
 * to a package, because those at hand differ from Git (negated classes, `**` twice) and turn patterns into regular
 * expressions that a hostile file can make run for hours.
 */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => ruleOf(withoutTrailingSpaces(line.replace(/\r$/, ''))))
    .filter((rule) => rule !== undefined);
}

function ruleOf(line: string): IgnoreRule | undefined {
  const isNegated = line.startsWith('!');
  const signless = isNegated ? line.slice(1) : line;
  const onlyFolders = signless.endsWith('/');
  const pattern = onlyFolders ? signless.slice(0, -1) : signless;
  if (pattern === '') return undefined;
  const isAnchored = pattern.includes('/');
  const segments = compileGlob(pattern.startsWith('/') ? pattern.slice(1) : pattern);
  if (!segments) return undefined;
  const [only] = segments;
  const matchesPath = isAnchored
    ? (path: readonly string[]) => matchesGlob(segments, path)
    : (path: readonly string[]) => only === 'folders' || only!(path.at(-1)!);
  return { isNegated, matches: (path, isFolder) => (isFolder || !onlyFolders) && matchesPath(path) };
}

/** Spaces at the end do not count, unless after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}
