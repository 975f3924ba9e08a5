import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { protectedPath } from '../paths/protected-paths.ts';

/** What a folder tree holds that commands may not change, besides git's own (see `gitRules`). */
export interface ProtectedScan {
  /** Protected files and folders, topmost only, absolute. Links are not among them. */
  entries: string[];
  /** Protected links: a mount would follow them. */
  links: string[];
  /** Every `.git` (a folder, a file or a link), and every folder that git takes for a repository without one. */
  gits: string[];
  /** Folders that were not looked at, topmost only, because there are too many. */
  unseen: string[];
}

interface Folder {
  modified: number;
  changed: number;
  /** It was read long enough after its last change for a later one to show in its time. */
  settled: boolean;
  folders: string[];
  entries: string[];
  links: string[];
  gits: string[];
}

/** What is installed there is not looked through: it is large, and nobody works in it. */
const SKIPPED = new Set([
  'node_modules',
  '.venv',
  'venv',
  '.tox',
  '__pycache__',
  '.gradle',
  '.next',
  'bower_components',
]);
/** Names worth the closer look of `protectedPath`, which is slow for ten thousand of them. */
const SUSPECT =
  /^\.|~\d|[^\x20-\x7e]|[. ]$|:|\.(code-workspace|sublime-project)$|^(lefthook|appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|wercker|jenkinsfile)/i;
const MAX_FOLDERS = 100_000;
/** Most of these are leaves. */
const NONE: string[] = [];
/** File systems keep times this coarse, or finer. */
const COARSE_MS = 20;

/**
 * Finds what is protected (IDE-53) at any depth of a folder. A folder that has not changed since the last look is not
 * read again.
 */
export class ProtectedScanner {
  readonly #root: string;
  #known = new Map<string, Folder>();

  readonly #maxFolders: number;

  /**
   * @param root real path
   * @param maxFolders how many are looked at
   */
  constructor(root: string, maxFolders = MAX_FOLDERS) {
    this.#root = root;
    this.#maxFolders = maxFolders;
  }

  /** All that the last look was at. */
  get folders(): ReadonlySet<string> {
    return new Set(this.#known.keys());
  }

  scan(): ProtectedScan {
    const known = new Map<string, Folder>();
    const found: ProtectedScan = { entries: [], links: [], gits: [], unseen: [] };
    // What was looked at before has the precedence: whoever makes many folders hides none of these.
    const queues = { old: [this.#root], fresh: [] as string[] };
    let [old, fresh] = [0, 0];
    const next = (): string | undefined => queues.old[old++] ?? queues.fresh[fresh++];
    for (let path = next(); path !== undefined; path = next()) {
      if (known.size >= this.#maxFolders) {
        found.unseen.push(path);
        continue;
      }
      const folder = this.#look(path);
      if (!folder) continue;
      known.set(path, folder);
      found.entries.push(...folder.entries);
      found.links.push(...folder.links);
      found.gits.push(...folder.gits);
      for (const each of folder.folders) (this.#known.has(each) ? queues.old : queues.fresh).push(each);
    }
    this.#known = known;
    return found;
  }

  #look(path: string): Folder | undefined {
    try {
      const { mtimeMs, ctimeMs } = lstatSync(path);
      const before = this.#known.get(path);
      if (before?.settled && before.modified === mtimeMs && before.changed === ctimeMs) return before;
      const settled = Date.now() - Math.max(mtimeMs, ctimeMs) > COARSE_MS;
      return {
        modified: mtimeMs,
        changed: ctimeMs,
        settled,
        ...this.#sort(path, readdirSync(path, { withFileTypes: true })),
      };
    } catch {
      // Gone, or a folder that we may not enter: a command of ours may not either.
      return undefined;
    }
  }

  #sort(path: string, children: readonly Dirent[]): Pick<Folder, 'folders' | 'entries' | 'links' | 'gits'> {
    const found = { folders: [] as string[], entries: [] as string[], links: [] as string[], gits: [] as string[] };
    const names = new Set<string>();
    for (const child of children) {
      if (GIT_NAMES.has(child.name)) names.add(child.name);
      const full = join(path, child.name);
      if (child.name === '.git') found.gits.push(full);
      else if (SUSPECT.test(child.name) || SUSPECT_BELOW.test(path)) {
        if (!protectedPath(relative(this.#root, full))) addFolder(child, full, found.folders);
        else if (child.isSymbolicLink()) found.links.push(full);
        else found.entries.push(full);
      } else addFolder(child, full, found.folders);
    }
    if (isGitFolder(names)) found.gits.push(path);
    const lean = (each: string[]): string[] => (each.length === 0 ? NONE : each);
    return {
      folders: lean(found.folders),
      entries: lean(found.entries),
      links: lean(found.links),
      gits: lean(found.gits),
    };
  }
}

/**
 * Folders that hold all of these, as few as can be mounted: those themselves, or what lies above them.
 * @param folders below the root
 * @param most how many there may be
 */
export function coverOf(folders: readonly string[], root: string, most = 100): string[] {
  let cover = new Set(folders);
  while (cover.size > most) {
    const above = (path: string): string => (path === root ? root : dirname(path));
    const counts = new Map<string, number>();
    for (const path of cover) counts.set(above(path), (counts.get(above(path)) ?? 0) + 1);
    // The crowded ones first, so that a lonely folder is not given up for what lies above it.
    const crowded = [...counts.values()].reduce((most, count) => Math.max(most, count), 0) / 2;
    cover = new Set([...cover].map((path) => (counts.get(above(path))! >= crowded ? above(path) : path)));
  }
  return [...cover];
}

const GIT_NAMES = new Set(['HEAD', 'objects', 'refs', 'commondir']);

/** What git looks for in a folder to take it for a repository. */
function isGitFolder(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

/** Folders of which only some children are protected. */
const SUSPECT_BELOW = /\/\.(github|gitea|forgejo)$/i;

function addFolder(child: Dirent, full: string, folders: string[]): void {
  if (child.isDirectory() && !SKIPPED.has(child.name)) folders.push(full);
}
