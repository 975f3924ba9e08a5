import { join, relative } from 'node:path';
import type {
  DiagnosticsNews,
  DiagnosticsSource,
  DiskChanges,
  DiskTexts,
  FileAfter,
  FileBefore,
  FileEvent,
  LanguageQueries,
  LanguageServers,
  Serve,
  ServerSpec,
  WatchedWrite,
  WriteDiagnostics,
} from '@black-ide/intel';
import { BlackError, type FileChangeSummary, type LanguageServerFact } from '@black-ide/protocol';
import {
  type ChangeSet,
  type CommitResult,
  type Documents,
  decodeFile,
  type FileChange,
  foldersOfProgram,
  type ProcessRegistry,
  type SandboxLaunch,
} from '@black-ide/workspace';
import { turnMessageId } from '../changes/checkpoint-entry.ts';
import type { HostDiagnostics } from '../engine-api.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { Settings } from '../settings/settings-table.ts';
import { findImporters, nearestTo } from './find-importers.ts';
import { HostSource } from './host-diagnostics.ts';
import { lackText } from './status-text.ts';

export interface WorkspaceLanguagesOptions {
  /** The workspace: a real path. */
  root: string;
  documents: Documents;
  processes: ProcessRegistry;
  /** The files that are known to use one, as paths from the root; undefined where that is not known. */
  filesThatUse: (path: string, signal: AbortSignal) => Promise<readonly string[] | undefined>;
  /** What a server is started with; its PATH is where servers are looked for. */
  environment: () => Readonly<Record<string, string>>;
  /** Whether programs of a folder may be run. */
  trusts: (folder: string) => boolean;
  /** How a server is started so that it can change nothing; undefined where there is no sandbox. */
  contain: (options: {
    cwd: string;
    readable: readonly string[];
  }) => Promise<(() => Promise<SandboxLaunch>) | undefined>;
  isContained: () => Promise<boolean>;
  settings: () => LanguageSettings;
  /** The editor that hosts us and knows the diagnostics itself. */
  host: () => HostDiagnostics | undefined;
}

export interface LanguageSettings {
  on: boolean;
  /** How long a write may wait for diagnostics, in milliseconds. */
  waitMs: number;
  /** After so many milliseconds without need a server is ended. */
  idleMs: number;
}

/** What is loaded at the first use: a run that changes no code loads none of it. */
interface Loaded {
  servers: LanguageServers;
  queries: LanguageQueries;
  disk: DiskTexts;
  track: () => WriteDiagnostics;
}

/** A server, with all that it starts, is ended when it takes more. */
const MAX_MEMORY = 4 * 1024 ** 3;
/** So many of the last own writes are known again when they are found on the disk. */
const MAX_OWN = 1_000;
/** Nobody reads what is wrong with a larger file. */
const MAX_TEXT = 1_000_000;

/** What the settings say. */
export function languageSettings(values: Settings): LanguageSettings {
  return { on: values.lsp === 'auto', waitMs: values['lsp.waitMs'], idleMs: values['lsp.idleMinutes'] * 60_000 };
}

/** Language servers and diagnostics of one engine's workspace, and what its sessions know of them. */
export class WorkspaceLanguages {
  readonly #options: WorkspaceLanguagesOptions;
  readonly #trackers = new WeakMap<AgentSession, WriteDiagnostics>();
  readonly #live = new Set<WriteDiagnostics>();
  readonly #offered = new WeakMap<AgentSession, { trusted: boolean; offered: Promise<boolean> }>();
  /** What was written here last, as it was on the disk then. */
  readonly #own = new Map<string, string | undefined>();
  #loaded: Promise<Loaded> | undefined;

  constructor(options: WorkspaceLanguagesOptions) {
    this.#options = options;
  }

  get root(): string {
    return this.#options.root;
  }

  /** @throws BlackError `lsp_off` where the setting says so */
  async load(): Promise<Loaded> {
    if (!this.#options.settings().on) {
      throw new BlackError('lsp_off', 'Language servers are switched off.', 'Take "lsp": "off" out of the settings.');
    }
    this.#loaded ??= this.#load();
    return await this.#loaded;
  }

  /**
   * Whether the tools of a session have language servers to ask (INT-20): found out once, so that the list of tools stays
   * as it is; anew where the folder has come to be trusted.
   */
  isOffered(session: AgentSession): Promise<boolean> {
    const trusted = this.#options.trusts(this.root);
    const known = this.#offered.get(session);
    if (known?.trusted === trusted) return known.offered;
    const offered = this.#hasUsable();
    this.#offered.set(session, { trusted, offered });
    return offered;
  }

  /** Any file that a server serves; undefined where there is none. */
  async anyFile(signal: AbortSignal): Promise<string | undefined> {
    for await (const path of (await this.load()).servers.finder.files(signal)) return path;
    return undefined;
  }

  /** Which servers could serve the workspace, and what the others lack. */
  async listServers(): Promise<LanguageServerFact[]> {
    if (!this.#options.settings().on) return [];
    const { servers } = await this.load();
    const { usable, missing } = await servers.finder.survey();
    const fact = ({ spec, root }: { spec: ServerSpec; root: string }) => ({
      title: spec.title,
      program: spec.program,
      folder: root === this.root ? '' : root.slice(this.root.length + 1),
    });
    return [
      ...usable.map((server) => ({ ...fact(server), program: server.program })),
      ...missing.map((server) => ({ ...fact(server), lack: lackText(server) })),
    ];
  }

  /** What is trusted or installed may be another than before. */
  async refresh(): Promise<void> {
    if (this.#loaded) await (await this.#loaded).servers.refresh();
  }

  /**
   * Makes a change set real by `commit`, and learns what that broke (INT-16). Whatever goes wrong with the latter is told,
   * and the write is as good without.
   */
  async watched<T extends CommitResult>(
    session: AgentSession,
    set: ChangeSet,
    signal: AbortSignal,
    commit: () => Promise<T>,
  ): Promise<T> {
    const watched = await this.#begin(session, set, signal);
    let committed: T;
    try {
      committed = await commit();
    } catch (cause) {
      watched?.abandon();
      throw cause;
    }
    if (!committed.ok) watched?.abandon();
    else {
      try {
        await this.#recordOwn(committed.changes);
        await watched?.written(await Promise.all(committed.changes.map(afterOf)));
      } catch (cause) {
        warn(session, cause);
      }
    }
    return committed;
  }

  /** What a result of this session is to tell now; undefined where that is nothing. */
  news(session: AgentSession): DiagnosticsNews | undefined {
    return this.#trackers.get(session)?.take();
  }

  /** A command, or somebody else, has changed files; paths from the workspace. */
  async changedOutside(session: AgentSession, files: readonly Pick<FileChangeSummary, 'path' | 'kind' | 'from'>[]) {
    const events = files.flatMap((file) => eventsOf(file, this.root));
    const tracker = this.#trackers.get(session);
    if (tracker) tracker.changedOutside(events);
    else if (this.#loaded) (await this.#loaded).servers.noticed(events);
  }

  /** A look at the disk has found changes: of others, or our own, which the servers know of. */
  async foundOnDisk({ added, changed, removed }: DiskChanges): Promise<void> {
    const loaded = await this.#loaded?.catch(() => undefined);
    if (!loaded) return;
    const { servers, disk } = loaded;
    const eventsFor = (paths: readonly string[], type: FileEvent['type']): FileEvent[] =>
      paths.map((path) => ({ path: join(this.root, path), type }));
    const isOwn = async ({ path }: FileEvent): Promise<boolean> =>
      this.#own.has(path) && this.#own.get(path) === (await disk.stamp(path));
    const others: FileEvent[] = [];
    for (const event of [
      ...eventsFor(added, 'created'),
      ...eventsFor(changed, 'changed'),
      ...eventsFor(removed, 'deleted'),
    ]) {
      if (!(await isOwn(event))) others.push(event);
    }
    if (others.length === 0) return;
    servers.noticed(others);
    for (const tracker of this.#live) tracker.changedOutside();
  }

  /** The session is closed. */
  close(session: AgentSession): void {
    const tracker = this.#trackers.get(session);
    if (!tracker) return;
    tracker.dispose();
    this.#live.delete(tracker);
    this.#trackers.delete(session);
  }

  async dispose(): Promise<void> {
    for (const tracker of this.#live) tracker.dispose();
    await (await this.#loaded)?.servers.dispose();
  }

  async #hasUsable(): Promise<boolean> {
    if (!this.#options.settings().on) return false;
    const { root, documents, environment, trusts } = this.#options;
    const { ServerFinder } = await import('@black-ide/intel/detection');
    return await new ServerFinder({ root, documents, env: environment, trusts }).hasUsable();
  }

  async #begin(session: AgentSession, set: ChangeSet, signal: AbortSignal): Promise<WatchedWrite | undefined> {
    if (!this.#options.settings().on) return undefined;
    try {
      const tracker = await this.#tracker(session);
      const before = await this.#before(set, signal);
      return await tracker.begin(turnMessageId(session.path()), before, signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      warn(session, cause);
      return undefined;
    }
  }

  async #tracker(session: AgentSession): Promise<WriteDiagnostics> {
    const { track } = await this.load();
    let tracker = this.#trackers.get(session);
    if (!tracker) {
      tracker = track();
      this.#trackers.set(session, tracker);
      this.#live.add(tracker);
    }
    return tracker;
  }

  async #load(): Promise<Loaded> {
    const intel = await import('@black-ide/intel');
    const { root, documents, environment, trusts, isContained, settings, host } = this.#options;
    const servers = new intel.LanguageServers({
      root,
      documents,
      env: environment,
      trusts,
      serve: this.#serve,
      isContained,
      idleMs: () => settings().idleMs,
    });
    const disk = intel.diskTexts(documents);
    const editors = new Map<HostDiagnostics, DiagnosticsSource>();
    const sourcesOf = async (path: string): Promise<readonly DiagnosticsSource[]> => {
      const editor = host();
      if (!editor) return await servers.serversOf(path);
      const source = editors.get(editor) ?? new HostSource(editor);
      editors.set(editor, source);
      return [source];
    };
    const track = (): WriteDiagnostics =>
      new intel.WriteDiagnostics({
        root,
        sourcesOf,
        importersOf: (path, limit, signal) => this.#importersOf(path, limit, signal),
        refresh: () => servers.refresh(),
        notice: (events) => servers.noticed(events),
        disk,
        waitMs: () => settings().waitMs,
      });
    return { servers, queries: new intel.LanguageQueries(servers, disk), disk, track };
  }

  readonly #serve: Serve = async (start) => {
    const { processes, environment, contain } = this.#options;
    const sandbox = await contain({ cwd: start.cwd, readable: foldersOfProgram(start.program) });
    const bounds = { maxMemory: MAX_MEMORY, env: environment() };
    return await processes.serve({ ...start, ...bounds, ...(sandbox ? { sandbox } : {}) });
  };

  async #recordOwn(changes: readonly FileChange[]): Promise<void> {
    if (!this.#loaded) return;
    const { disk } = await this.#loaded;
    const paths = changes.flatMap(({ real, from }) => (from ? [real, from.real] : [real]));
    for (const path of paths) {
      this.#own.delete(path);
      this.#own.set(path, await disk.stamp(path));
    }
    for (const path of this.#own.keys()) {
      if (this.#own.size <= MAX_OWN) return;
      this.#own.delete(path);
    }
  }

  /** What the code graph knows is surer than what a search for names finds. */
  async #importersOf(path: string, limit: number, signal: AbortSignal): Promise<string[]> {
    const { root, processes, filesThatUse } = this.#options;
    const known = await filesThatUse(relative(root, path).replaceAll('\\', '/'), signal);
    if (!known) return await findImporters({ root, path, limit, signal, processes });
    return nearestTo(
      path,
      known.map((each) => join(root, each)),
      limit,
    );
  }

  /** The files of a change set as they are now. */
  async #before(set: ChangeSet, signal: AbortSignal): Promise<FileBefore[]> {
    const read = async (path: string): Promise<FileBefore[]> => {
      const outcome = await this.#options.documents.read(path, signal);
      const text = outcome.ok ? outcome.document.text : null;
      return text !== null && text.length > MAX_TEXT ? [] : [{ path, text }];
    };
    return (await Promise.all(set.stagedPaths().map(read))).flat();
  }
}

function warn(session: AgentSession, cause: unknown): void {
  const message = `Diagnostics are missing: ${BlackError.toValue(cause).message}`;
  session.emit({ type: 'DiagnosticReported', level: 'warning', message });
}

async function afterOf({ real, kind, from, after }: FileChange): Promise<FileAfter> {
  const decoded = after ? await decodeFile(after.bytes) : undefined;
  const text = decoded?.kind === 'text' ? decoded.text : null;
  return { path: real, kind, text, ...(from ? { from: from.real } : {}) };
}

function eventsOf({ path, kind, from }: Pick<FileChangeSummary, 'path' | 'kind' | 'from'>, root: string): FileEvent[] {
  const at = (name: string): string => `${root}/${name}`;
  const type = kind === 'modified' ? 'changed' : kind === 'deleted' ? 'deleted' : 'created';
  const own: FileEvent = { path: at(path), type };
  return from === undefined ? [own] : [{ path: at(from), type: 'deleted' }, own];
}
