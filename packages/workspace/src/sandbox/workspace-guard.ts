import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { protectedPath } from '../paths/protected-paths.ts';
import { errnoOf } from '../stores/errno.ts';
import { pathsInConfig, relativeInOwnConfig } from './git-inspect.ts';
import { type GitRules, gitRules, joined } from './git-rules.ts';
import { pathKind } from './path-kind.ts';
import { fileNumber, PlaceIdentity } from './place-identity.ts';
import { coverOf, type ProtectedScan, ProtectedScanner } from './protected-scan.ts';
import { RepositoryChanges } from './repository-changes.ts';
import { isInside, type SandboxRule } from './sandbox-policy.ts';
import { type SetAside, setAside } from './set-aside.ts';

/** What a workspace looked like before a command: what protects it, and what has to be the same afterwards. */
export interface GuardedState {
  rules: SandboxRule[];
  scan: ProtectedScan;
  /** All folders that were looked at. */
  folders: ReadonlySet<string>;
  git: GitRules;
  /** Links and pointer files: path → what it leads to. */
  leads: Map<string, string>;
  /** Texts of git configurations. */
  configs: Set<string>;
  /** What the person's own configuration names in every repository. */
  relative: readonly string[];
  /** What git takes for hooks or configuration because another one names it, and is there. */
  named: string[];
  /** What it would take, were it there. */
  missing: string[];
  /** What the rules protect: path → place (see `PlaceIdentity`). Where it is another one, a command has made it. */
  places: Map<string, string>;
  /** Numbers of what is mounted: nothing else is different where a folder above it was moved. */
  numbers: Set<string>;
}

export interface GuardReport {
  /** Protected files that the command had made: they are not in the workspace any more. */
  setAside: SetAside[];
  /** Links and pointers that were turned elsewhere and lead where they did again. */
  restored: string[];
  /** Protected files that came into being meanwhile, and are there. */
  appeared: string[];
  /** Folders that the command has made, too many to look for protected files in; read-only from now on. */
  unwatched: string[];
}

export interface WorkspaceGuardOptions {
  /** Real path. */
  root: string;
  /** Absolute path of git; undefined where there is none. */
  git: string | undefined;
  /** The person's environment, with which git finds their configuration. */
  env: Readonly<Record<string, string | undefined>>;
  /** How many folders are looked at; there is a default. */
  maxFolders?: number;
}

/** In the root of a workspace these run programs, or let them run, as soon as somebody opens it. */
const GHOSTS = ['.vscode', '.blackide', '.agents', '.mcp.json'];
/** What the agent may write below `.blackide/`; see `protectedPath`. */
const OWN_WRITABLE = [
  'knowledge',
  'mindmap',
  'plan',
  'plans',
  'artifacts',
  'features_plan.md',
  'overview.md',
  'plan.md',
];
const WHY = 'protected';

/**
 * Protects what commands may not change in a workspace (IDE-53, IDE-65): what is there is mounted read-only, the worst of
 * what is not there is kept from coming into being, and the rest is looked for when the command has ended.
 */
export class WorkspaceGuard {
  readonly #root: string;
  readonly #git: string | undefined;
  readonly #env: WorkspaceGuardOptions['env'];
  readonly #scanner: ProtectedScanner;
  #relative: Promise<string[]> | undefined;
  /** Folders that stand in for what may not be made, and how many running commands need each. */
  readonly #ghosts = new Map<string, number>();

  constructor({ root, git, env, maxFolders }: WorkspaceGuardOptions) {
    this.#root = root;
    this.#git = git;
    this.#env = env;
    this.#scanner = new ProtectedScanner(root, maxFolders);
  }

  /** The rules for a command that is about to start. Each call is followed by one of `after` or `release`. */
  async before(): Promise<GuardedState> {
    const scan = this.#scan();
    const folders = this.#scanner.folders;
    const git = this.#gitRules(scan.gits);
    this.#relative ??= relativeInOwnConfig(this.#root, this.#env, this.#git);
    const relative = await this.#relative;
    const inside = await this.#named(git, relative);
    const named = inside.filter((path) => pathKind(path) !== undefined);
    const entries = [...scan.entries, ...named];
    const missing = inside.filter((path) => pathKind(path) === undefined);
    const ghosts = GHOSTS.map((name) => join(this.#root, name)).filter((path) => pathKind(path) === undefined);
    // Those of commands that still run are needed for as long as this one does, too.
    const absent = [...ghosts, ...[...this.#ghosts.keys()].filter((path) => pathKind(path) === 'folder')];
    const rules: SandboxRule[] = [
      { access: 'write', path: this.#root },
      ...git.rules,
      ...entries.map((path): SandboxRule => ({ access: 'read', path })),
      ...entries.flatMap(ownWritable),
      // Nobody knows what is in there, so nothing is changed there.
      ...coverOf(scan.unseen, this.#root).map((path): SandboxRule => ({ access: 'read', path })),
      ...absent.map((path): SandboxRule => ({ access: 'absent', path })),
    ];
    for (const path of absentIn(rules)) this.#ghosts.set(path, (this.#ghosts.get(path) ?? 0) + 1);
    const leads = new Map<string, string>();
    for (const path of [...git.pointers, ...scan.links]) {
      const lead = leadOf(path);
      if (lead !== undefined) leads.set(path, lead);
    }
    const configs = new Set(git.configs.map(({ path }) => textOf(path)).filter((text) => text !== undefined));
    const gits = [...scan.gits, ...git.folders, ...git.deciding];
    const identity = new PlaceIdentity(this.#root);
    const places = new Map<string, string>();
    for (const path of [...entries, ...gits]) {
      const place = identity.of(path);
      if (place !== undefined) places.set(path, place);
    }
    const mounts = rules.map(({ path }) => path).filter((path) => path !== this.#root && pathKind(path) !== 'link');
    const numbers = new Set(mounts.map(fileNumber).filter((number) => number !== undefined));
    return { rules, scan, folders, git, leads, configs, relative, named, missing, places, numbers };
  }

  /**
   * Makes the stand-ins of a command that is about to start, so that what is in their place afterwards can be told from
   * them. To be called when it is noted where they will be.
   */
  hold({ rules, places }: GuardedState): void {
    const identity = new PlaceIdentity(this.#root);
    for (const path of absentIn(rules)) {
      try {
        mkdirSync(path);
      } catch (cause) {
        // Another command's is there already, or the sandbox will say itself that it cannot be made.
        if (errnoOf(cause) === undefined) throw cause;
      }
      const place = pathKind(path) === 'folder' ? identity.of(path) : undefined;
      if (place !== undefined) places.set(path, place);
    }
  }

  /** Where the stand-ins of running commands are: to be removed after a kill. */
  get ghosts(): string[] {
    return [...this.#ghosts.keys()];
  }

  /** Takes the stand-ins of a command away again. */
  release({ rules }: GuardedState): void {
    for (const path of absentIn(rules)) {
      const left = (this.#ghosts.get(path) ?? 1) - 1;
      if (left > 0) this.#ghosts.set(path, left);
      else {
        this.#ghosts.delete(path);
        removeGhost(path);
      }
    }
  }

  /**
   * Looks at what a command has left, and takes back what it may not keep.
   * @param kept where to put it
   * @param background a person may have made it meanwhile: only what lets git run programs is taken, the rest is told
   */
  async after(before: GuardedState, kept: string, background = false): Promise<GuardReport> {
    const folder = background ? undefined : kept;
    this.release(before);
    const report: GuardReport = { setAside: [], restored: [], appeared: [], unwatched: [] };
    for (const [path, lead] of before.leads) {
      if (pathKind(path) === undefined || leadOf(path) === lead) continue;
      if (!this.#take(path, WHY, folder, { ...report, setAside: [] })) continue;
      writeLead(path, lead);
      report.restored.push(path);
    }
    const now = this.#scan();
    const identity = new PlaceIdentity(this.#root);
    const isKnown = (path: string): boolean => before.places.get(path) === identity.of(path);
    // What is in a stand-in, somebody else has put there; what is in its place came when another engine took it away.
    const replaced = [...absentIn(before.rules)].filter((path) => pathKind(path) !== undefined);
    const fresh = [...new Set([...now.entries, ...replaced])].filter((path) => !isKnown(path));
    for (const path of [...fresh, ...now.links.filter((link) => !before.leads.has(link))]) {
      this.#take(path, protectedPath(relative(this.#root, path))?.why ?? WHY, folder, report);
    }
    if (before.scan.unseen.length === 0) this.#takeUnseen(now.unseen, before, folder, report);
    const changes = new RepositoryChanges({ before, isKnown, root: this.#root, git: this.#git });
    const reasons = await changes.find(now.gits);
    // A person adds files for their editor beside a server, but seldom hooks for what a command has made.
    for (const [path, why] of reasons) if (pathKind(path) !== undefined) this.#take(path, why, kept, report);
    return report;
  }

  /** A command that makes more folders than can be looked at keeps none of those that are all new. */
  #takeUnseen(unseen: readonly string[], before: GuardedState, folder: string | undefined, report: GuardReport): void {
    const made = new Set(unseen.map((path) => this.#topmostNew(path, before.folders)));
    for (const path of coverOf([...made], this.#root)) {
      const isNew = !before.folders.has(path);
      if (isNew && this.#take(path, 'too many folders to look through', folder, { ...report, appeared: [] })) continue;
      report.unwatched.push(path);
    }
  }

  #topmostNew(path: string, old: ReadonlySet<string>): string {
    let top = path;
    while (top !== this.#root && !old.has(dirname(top))) top = dirname(top);
    return top;
  }

  /** @returns whether it is out of the workspace now; where not, it is told that it is there. */
  #take(path: string, why: string, folder: string | undefined, report: GuardReport): boolean {
    if (folder !== undefined) {
      try {
        report.setAside.push(setAside(path, this.#root, folder, why));
        return true;
      } catch {
        // A folder that cannot be written, a full disk: told below, as what is there.
      }
    }
    report.appeared.push(path);
    return false;
  }

  /** What the configurations of repositories name in the workspace, whether it is there or not. */
  async #named(git: GitRules, relative: readonly string[]): Promise<string[]> {
    const named = await Promise.all(git.configs.map((config) => pathsInConfig(config, this.#git, relative)));
    return [...new Set(named.flat())].filter((path) => isInside(path, this.#root));
  }

  #scan(): ProtectedScan {
    const scan = this.#scanner.scan();
    return { ...scan, entries: scan.entries.filter((path) => !this.#ghosts.has(path)) };
  }

  #gitRules(gits: readonly string[]): GitRules {
    return joined(gits.map((dotGit) => gitRules(dotGit, [this.#root])));
  }
}

/** Removes a stand-in where it is still the empty folder that it was. */
export function removeGhost(path: string): void {
  try {
    rmdirSync(path);
  } catch (cause) {
    // Somebody has made something of it, or taken it away: both are fine.
    if (!['ENOENT', 'ENOTEMPTY', 'ENOTDIR', 'EEXIST', 'EBUSY'].includes(errnoOf(cause) ?? '')) throw cause;
  }
}

/** Each path once: the rules of two repositories may name the same. */
function absentIn(rules: readonly SandboxRule[]): Set<string> {
  return new Set(rules.filter(({ access }) => access === 'absent').map(({ path }) => path));
}

function ownWritable(entry: string): SandboxRule[] {
  if (!/\/\.blackide$/i.test(entry)) return [];
  const places = OWN_WRITABLE.map((name) => join(entry, name));
  return places
    .filter((path) => ['file', 'folder'].includes(pathKind(path) ?? ''))
    .map((path) => ({ access: 'write', path }));
}

function writeLead(path: string, lead: string): void {
  if (lead.startsWith('link:')) symlinkSync(lead.slice('link:'.length), path);
  else writeFileSync(path, lead.slice('text:'.length), { flag: 'wx' });
}

function leadOf(path: string): string | undefined {
  switch (pathKind(path)) {
    case 'link':
      return `link:${readlinkSync(path)}`;
    case 'file':
      return lstatSync(path).size > 65_536 ? undefined : `text:${readFileSync(path, 'utf8')}`;
    default:
      return undefined;
  }
}

function textOf(path: string): string | undefined {
  return pathKind(path) === 'file' ? readFileSync(path, 'utf8') : undefined;
}
