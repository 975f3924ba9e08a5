import { matchesGlob } from '../shell/glob-match.ts';
import { ANY, isGlob, QUESTION, SET_CLOSE, SET_OPEN, SOME, STAR } from '../shell/markers.ts';
import { UNKNOWN_FOLDER } from '../shell/shell-state.ts';

/** Which of the two things that must never be swept away a path means. */
export type Protected = 'the root of the file system' | 'a home folder';

/** Folders at the root without which a system does not run. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(
  (
    'bin boot dev etc home lib lib32 lib64 libx32 lib.usr-is-merged proc root run sbin sys usr var ' +
    'Users System Library Applications Volumes private cores'
  ).split(' '),
);
/** A drive of Windows, or the home there as its shells write it. */
const WINDOWS_ROOT =
  /^([A-Za-z]:[\\/]*\*?|%(SystemDrive|UserProfile|HomePath)%[\\/]*\*?|\$env:(SystemDrive|UserProfile|HomePath)[\\/]*\*?)$/i;
const HOMES: ReadonlySet<string> = new Set(['home', 'Users']);

/**
 * Whether a path, in any spelling (`//`, `/.`, `/x/..`, `/*`, `/proc/self/root`, relative to a folder), is the root,
 * one of its system folders, a home, or everything in one of these. Unknown parts may be empty.
 */
export function protectedPath(path: string, place: { cwds: readonly string[]; home: string }): Protected | undefined {
  if (path === '') return undefined;
  if (WINDOWS_ROOT.test(path.replaceAll(STAR, '*'))) return 'the root of the file system';
  const home = parts(place.home);
  for (const text of new Set([path.replaceAll(ANY, ''), path.replaceAll(ANY, 'unknown')])) {
    const plain = text.replaceAll(SOME, 'unknown');
    const bases = plain.startsWith('/') ? [''] : place.cwds.filter((cwd) => cwd !== UNKNOWN_FOLDER);
    if (plain === '') continue;
    for (const base of bases) {
      const found = judge(throughProc(parts(`${base}/${plain}`), base), home);
      if (found) return found;
    }
  }
  return undefined;
}

/** The path's names with `.`, `..` and doubled slashes resolved. */
function parts(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(name);
  }
  return names;
}

/** `/proc/self/root/x` is `/x`, `/proc/self/cwd/x` is `x`. */
function throughProc(names: readonly string[], cwd: string): readonly string[] {
  if (names[0] !== 'proc' || !/^(self|thread-self|\d+)$/.test(names[1] ?? '')) return names;
  if (names[2] === 'root') return names.slice(3);
  return names[2] === 'cwd' ? [...parts(cwd), ...names.slice(3)] : names;
}

function judge(names: readonly string[], home: readonly string[]): Protected | undefined {
  const glob = names.findIndex(isGlob);
  if (glob < 0) return exact(names, home);
  const before = names.slice(0, glob);
  const pattern = names[glob] as string;
  const rest = names.slice(glob + 1);
  if (!rest.every(isBroad)) return undefined;
  if (isBroad(pattern)) return exact(before, home);
  if (before.length === 0 && [...SYSTEM_FOLDERS].some((name) => matchesGlob(pattern, name))) {
    return 'the root of the file system';
  }
  const onTheWay = before.length < home.length && before.every((name, index) => name === home[index]);
  if (onTheWay && matchesGlob(pattern, home[before.length] as string)) return 'a home folder';
  return before.length === 1 && HOMES.has(before[0] as string) ? 'a home folder' : undefined;
}

function exact(names: readonly string[], home: readonly string[]): Protected | undefined {
  if (names.length === 0) return 'the root of the file system';
  const isHomeOrAbove = names.length <= home.length && names.every((name, index) => name === home[index]);
  if (isHomeOrAbove) return 'a home folder';
  const [top = ''] = names;
  if (names.length === 1 && SYSTEM_FOLDERS.has(top)) return 'the root of the file system';
  if (names.length === 2 && HOMES.has(top)) return 'a home folder';
  // A drive of Windows under Linux.
  if (names.length === 2 && top === 'mnt' && /^[a-z]$/.test(names[1] ?? '')) return 'the root of the file system';
  return names.join('/') === 'var/root' ? 'a home folder' : undefined;
}

/** A pattern that takes (nearly) everything: nothing in it but wildcards and dots. */
function isBroad(name: string): boolean {
  if (!isGlob(name)) return false;
  const sets = new RegExp(`${SET_OPEN}[^${SET_CLOSE}]*${SET_CLOSE}`, 'g');
  const left = name.replace(sets, '').replaceAll(STAR, '').replaceAll(QUESTION, '').replaceAll('.', '');
  return left === '';
}
