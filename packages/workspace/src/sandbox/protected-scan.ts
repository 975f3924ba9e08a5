import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { protectedPath } from '../paths/protected-paths.ts';

/** What a folder tree holds that commands may not change, besides git's own (see `gitRules`). */
export interface ProtectedScan {
  /** Protected files and folders, topmost only, absolute. Links are not among them. */
  entries: string[];
  /** Protected links: a mount would follow them. */
  links: string[];
  /** Every `.git`: a folder, a file or a link. */
  gits: string[];
  /** There were more folders than are looked at. */
  cut: boolean;
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
const MAX_FOLDERS = 30_000;
/** File systems keep times this coarse, or finer. */
const COARSE_MS = 20;

/**
 * Finds what is protected (IDE-53) at any depth of a folder. A folder that has not changed since the last look is not
 * read again.
 */
export class ProtectedScanner {
  readonly #root: string;
  #known = new Map<string, Folder>();

  /** @param root real path. */
  constructor(root: string) {
    this.#root = root;
  }

  scan(): ProtectedScan {
    const known = new Map<string, Folder>();
    const found: ProtectedScan = { entries: [], links: [], gits: [], cut: false };
    const queue = [this.#root];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (known.size >= MAX_FOLDERS) {
        found.cut = true;
        break;
      }
      const folder = this.#look(path);
      if (!folder) continue;
      known.set(path, folder);
      found.entries.push(...folder.entries);
      found.links.push(...folder.links);
      found.gits.push(...folder.gits);
      queue.push(...folder.folders);
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
    for (const child of children) {
      const full = join(path, child.name);
      if (child.name === '.git') found.gits.push(full);
      else if (SUSPECT.test(child.name) || SUSPECT_BELOW.test(path)) {
        if (!protectedPath(relative(this.#root, full))) addFolder(child, full, found.folders);
        else if (child.isSymbolicLink()) found.links.push(full);
        else found.entries.push(full);
      } else addFolder(child, full, found.folders);
    }
    return found;
  }
}

/** Folders of which only some children are protected. */
const SUSPECT_BELOW = /\/\.(github|gitea|forgejo)$/i;

function addFolder(child: Dirent, full: string, folders: string[]): void {
  if (child.isDirectory() && !SKIPPED.has(child.name)) folders.push(full);
}
