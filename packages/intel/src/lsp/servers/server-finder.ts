import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type Documents, findLocalProgram, findProgram, packageOfProgram, walk } from '@black-ide/workspace';
import { KNOWN_SERVERS } from './known-servers.ts';
import type { ServerSpec } from './server-spec.ts';

/** A server that can be started: both halves are there, the marker and the program. */
export interface FoundServer {
  spec: ServerSpec;
  /** Absolute. */
  program: string;
  /** Its project: absolute. */
  root: string;
}

/** What keeps a server from being used where its marker is: the program, its version, or the folder's trust. */
export interface MissingServer {
  spec: ServerSpec;
  root: string;
  lack: 'program' | 'version' | 'trust';
  /** The program that is there, but does not serve. */
  found?: string;
}

export interface ServerSearch {
  usable: FoundServer[];
  missing: MissingServer[];
}

export interface ServerFinderOptions {
  /** The workspace: a real path. */
  root: string;
  documents: Pick<Documents, 'list'>;
  env: () => Readonly<Record<string, string | undefined>>;
  /** Whether programs of a folder, and what its configuration names, may be run. */
  trusts: (folder: string) => boolean;
  specs?: readonly ServerSpec[];
}

/** Where projects keep their own programs. */
const LOCAL_PROGRAMS = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'];
/** From what is mended most easily. */
const LACKS: readonly MissingServer['lack'][] = ['trust', 'version', 'program'];
/** How far a survey looks for markers. */
const SURVEY_DEPTH = 4;
const SURVEY_ENTRIES = 20_000;

/** Finds the servers that fit (INT-20): a marker in the checkout and a program that resolves. Nothing is run. */
export class ServerFinder {
  readonly #options: ServerFinderOptions;
  readonly #specs: readonly ServerSpec[];
  readonly #names = new Map<string, Promise<readonly string[]>>();
  readonly #programs = new Map<string, FoundServer | MissingServer>();
  /** By folder and kind of file. */
  readonly #found = new Map<string, Promise<ServerSearch>>();

  constructor(options: ServerFinderOptions) {
    this.#options = options;
    this.#specs = options.specs ?? KNOWN_SERVERS;
  }

  /** Forgets what it has seen: for a moment at which something may have been installed, made or trusted. */
  refresh(): void {
    this.#names.clear();
    this.#programs.clear();
    this.#found.clear();
  }

  /** The servers of a file, one for each role, and of the roles that have none the server that lacks least. */
  find(path: string): Promise<ServerSearch> {
    const name = basename(path);
    const kind = this.#specs.some(({ files }) => Object.hasOwn(files, name)) ? name : name.slice(name.indexOf('.'));
    const key = `${dirname(path)}\0${kind}`;
    let found = this.#found.get(key);
    if (!found) {
      found = this.#find(path);
      this.#found.set(key, found);
    }
    return found;
  }

  async #find(path: string): Promise<ServerSearch> {
    const candidates: (FoundServer | MissingServer)[] = [];
    for (const spec of this.#specs) {
      if (languageOf(spec, path) === undefined) continue;
      const root = await this.#projectOf(spec, path);
      if (root !== undefined) candidates.push(this.#look(spec, root));
    }
    return oneForEachRole(candidates);
  }

  /** Whether anything here can be served. Looks at few folders, and stops at the first that can. */
  async hasUsable(): Promise<boolean> {
    for await (const { spec, root } of this.#marked(2)) {
      if ('program' in this.#look(spec, root)) return true;
    }
    return false;
  }

  /** What can be served in the whole workspace and what cannot, by the files that are there. */
  async survey(): Promise<ServerSearch> {
    const present = new Set<ServerSpec>();
    const marked = new Map<ServerSpec, string>();
    for await (const found of this.#marked(SURVEY_DEPTH, (name) => {
      for (const spec of this.#specs) if (languageOf(spec, name) !== undefined) present.add(spec);
    })) {
      if (!marked.has(found.spec)) marked.set(found.spec, found.root);
    }
    const candidates = this.#specs.filter((spec) => present.has(spec) && marked.has(spec));
    return oneForEachRole(candidates.map((spec) => this.#look(spec, marked.get(spec)!)));
  }

  /** The files of the workspace that a usable server serves, as absolute paths. */
  async *files(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const { root } = this.#options;
    let seen = 0;
    for await (const { path, kind } of walk({ root, signal })) {
      if (++seen > SURVEY_ENTRIES) return;
      const absolute = join(root, path);
      if (kind === 'file' && (await this.find(absolute)).usable.length > 0) yield absolute;
    }
  }

  /** Folders with a marker, and whose they are: the workspace itself first. */
  async *#marked(depth: number, onFile: (name: string) => void = () => undefined) {
    const { root } = this.#options;
    const names = await this.#namesIn(root);
    for (const spec of this.#specs) if (hasMarker(names, spec.markers)) yield { spec, root };
    let seen = 0;
    for await (const { name, path, kind } of walk({ root, depth })) {
      if (++seen > SURVEY_ENTRIES) return;
      if (kind === 'file') onFile(name);
      if (!path.includes('/')) continue;
      for (const spec of this.#specs) {
        const isMarked = hasMarker([name], spec.markers);
        if (isMarked) yield { spec, root: spec.root === 'workspace' ? root : join(root, dirname(path)) };
      }
    }
  }

  /** The folder of the project that a file belongs to; undefined where it is in none. */
  async #projectOf(spec: ServerSpec, path: string): Promise<string | undefined> {
    let found: string | undefined;
    for (const folder of foldersAbove(path, this.#options.root)) {
      const names = await this.#namesIn(folder);
      if (spec.unless && hasMarker(names, spec.unless)) return undefined;
      if (!hasMarker(names, spec.markers)) continue;
      if (spec.root === 'nearest') return folder;
      found = spec.root === 'workspace' ? this.#options.root : folder;
    }
    return found;
  }

  #namesIn(folder: string): Promise<readonly string[]> {
    let names = this.#names.get(folder);
    if (!names) {
      names = this.#options.documents
        .list(folder)
        .then((listed) => (listed.ok ? listed.entries.map(({ name }) => name) : []));
      this.#names.set(folder, names);
    }
    return names;
  }

  #look(spec: ServerSpec, root: string): FoundServer | MissingServer {
    const key = `${spec.id}\0${root}`;
    let found = this.#programs.get(key);
    if (!found) {
      found = this.#search(spec, root);
      this.#programs.set(key, found);
    }
    return found;
  }

  #search(spec: ServerSpec, root: string): FoundServer | MissingServer {
    const { root: workspace, env, trusts } = this.#options;
    const isTrusted = trusts(root);
    const folders = foldersAbove(join(root, 'x'), workspace).flatMap((folder) =>
      LOCAL_PROGRAMS.map((place) => join(folder, place)),
    );
    const local = findLocalProgram(spec.program, folders);
    const global = findProgram(spec.program, { env: env(), workspace });
    const allowed = [isTrusted ? local : undefined, global].filter((path) => path !== undefined);
    const program = allowed.find((path) => isRightVersion(spec, path));
    if (program !== undefined && (isTrusted || spec.safe)) return { spec, program, root };
    if (program !== undefined || (local !== undefined && !isTrusted)) {
      return { spec, root, lack: 'trust', found: (program ?? local)! };
    }
    const [found] = allowed;
    return found === undefined ? { spec, root, lack: 'program' } : { spec, root, lack: 'version', found };
  }
}

/** The id of a file's language as this server knows it; undefined where it does not serve such files. */
export function languageOf({ files }: ServerSpec, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf(sep) + 1);
  if (Object.hasOwn(files, name)) return files[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const ending = name.slice(dot).toLowerCase();
    if (Object.hasOwn(files, ending)) return files[ending];
  }
  return undefined;
}

function oneForEachRole(candidates: readonly (FoundServer | MissingServer)[]): ServerSearch {
  const usable = new Map<string, FoundServer>();
  for (const each of candidates) {
    if ('program' in each && !usable.has(each.spec.role)) usable.set(each.spec.role, each);
  }
  const lacking = candidates.filter((each): each is MissingServer => 'lack' in each && !usable.has(each.spec.role));
  lacking.sort((a, b) => LACKS.indexOf(a.lack) - LACKS.indexOf(b.lack));
  const missing = [...Map.groupBy(lacking, ({ spec }) => spec.role).values()].map(([first]) => first!);
  return { usable: [...usable.values()], missing };
}

function hasMarker(names: readonly string[], markers: readonly string[]): boolean {
  return markers.some((marker) =>
    marker.startsWith('*') ? names.some((name) => name.endsWith(marker.slice(1))) : names.includes(marker),
  );
}

function isRightVersion(spec: ServerSpec, program: string): boolean {
  if (!spec.package) return true;
  const own = packageOfProgram(program);
  return own?.name === spec.package.name && Number.parseInt(own.version, 10) >= spec.package.atLeast;
}

/** The folders above a file up to the workspace, the nearest first; none where it lies outside. */
function foldersAbove(path: string, workspace: string): string[] {
  const inside = relative(workspace, dirname(path));
  if (inside.startsWith('..') || isAbsolute(inside)) return [];
  const folders = [dirname(path)];
  while (folders.at(-1) !== workspace) folders.push(dirname(folders.at(-1)!));
  return folders;
}
