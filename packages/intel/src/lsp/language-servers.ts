import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { type Documents, findLocalProgram } from '@black-ide/workspace';
import type { Serve } from './client/language-client.ts';
import type { FileEvent } from './diagnostics/diagnostics-source.ts';
import { type DiskTexts, diskTexts } from './disk-texts.ts';
import { ManagedServer, type ServerStatus } from './managed-server.ts';
import { type FoundServer, ServerFinder, type ServerSearch } from './servers/server-finder.ts';
import type { ServerFacts, ServerSpec } from './servers/server-spec.ts';

export interface LanguageServersOptions {
  /** The workspace: a real path. */
  root: string;
  documents: Documents;
  env: () => Readonly<Record<string, string | undefined>>;
  /** Whether programs of a folder, and what its configuration names, may be run. */
  trusts: (folder: string) => boolean;
  serve: Serve;
  /** Whether `serve` contains what it starts. */
  isContained: () => Promise<boolean>;
  /** A server is ended when nobody has needed it for so many milliseconds. */
  idleMs: () => number;
  specs?: readonly ServerSpec[];
  /** See `ManagedServer`. */
  backoffMs?: readonly number[];
  startMs?: number;
}

/** So many run at the same time; the one that was not used for longest makes room. */
const MAX_RUNNING = 8;
/** What is installed is looked at so often at most. */
const STAMP_MS = 250;
const VIRTUAL_ENVIRONMENTS = ['.venv/bin', 'venv/bin'];

/** The language servers of one workspace, each made when a file first needs it. */
export class LanguageServers {
  readonly finder: ServerFinder;
  readonly #options: LanguageServersOptions;
  readonly #disk: DiskTexts;
  /** In the order of their use. */
  readonly #servers = new Map<string, ManagedServer>();
  readonly #stamps = new Map<string, { stamp: string; at: number }>();
  #disposed = false;

  constructor(options: LanguageServersOptions) {
    this.#options = options;
    this.#disk = diskTexts(options.documents);
    this.finder = new ServerFinder(options);
  }

  /** The servers of a file. None of them is started by that. @throws BlackError `disposed` */
  async serversOf(path: string): Promise<ManagedServer[]> {
    const { usable } = await this.finder.find(path);
    if (this.#disposed) throw new BlackError('disposed', 'The session has ended.');
    const servers = usable.map((found) => this.#serverOf(found));
    for (const server of servers) await this.#checkStamps(server);
    await this.#makeRoom(servers);
    return servers;
  }

  /** What can serve a file, and what keeps others from it. */
  search(path: string): Promise<ServerSearch> {
    return this.finder.find(path);
  }

  /** Those that were needed so far. */
  get known(): ManagedServer[] {
    return [...this.#servers.values()];
  }

  status(): ServerStatus[] {
    return this.known.map((server) => server.status);
  }

  /** Looks anew at what is installed, marked and trusted; ends servers whose folder is not trusted any more. */
  async refresh(): Promise<void> {
    this.finder.refresh();
    const withdrawn = this.known.filter(({ spec, root }) => !spec.safe && !this.#options.trusts(root));
    await Promise.all(withdrawn.map((server) => server.stop()));
  }

  /** Files have changed on the disk. */
  noticed(events: readonly FileEvent[]): void {
    // A marker may have come or gone.
    if (events.some(({ type }) => type !== 'changed')) this.finder.refresh();
    for (const server of this.#servers.values()) server.noticed(events);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all(this.known.map((server) => server.dispose()));
  }

  #serverOf(found: FoundServer): ManagedServer {
    const { serve, idleMs, backoffMs, startMs } = this.#options;
    const key = `${found.spec.id}\0${found.root}\0${found.program}`;
    const server =
      this.#servers.get(key) ??
      new ManagedServer({
        found,
        disk: this.#disk,
        serve,
        idleMs,
        facts: () => this.#facts(found),
        ...(backoffMs ? { backoffMs } : {}),
        ...(startMs === undefined ? {} : { startMs }),
      });
    this.#servers.delete(key);
    this.#servers.set(key, server);
    return server;
  }

  async #facts({ root }: FoundServer): Promise<ServerFacts> {
    const folders = VIRTUAL_ENVIRONMENTS.map((folder) => join(root, folder));
    const python = this.#options.trusts(root) ? findLocalProgram('python', folders) : undefined;
    return { contained: await this.#options.isContained(), ...(python === undefined ? {} : { python }) };
  }

  /** A server keeps in mind what it has found installed: where that has changed it has to begin anew. */
  async #checkStamps(server: ManagedServer): Promise<void> {
    const { stamps = [] } = server.spec;
    const known = this.#stamps.get(server.id);
    if (stamps.length === 0 || (known && performance.now() - known.at < STAMP_MS)) return;
    const all = await Promise.all(stamps.map((name) => this.#disk.stamp(join(server.root, name))));
    const stamp = all.join();
    this.#stamps.set(server.id, { stamp, at: performance.now() });
    if (known !== undefined && known.stamp !== stamp) await server.stop();
  }

  async #makeRoom(wanted: readonly ManagedServer[]): Promise<void> {
    const running = this.known.filter(({ state }) => state === 'ready' || state === 'starting');
    const others = running.filter((server) => !wanted.includes(server) && !server.isUsed);
    await Promise.all(others.slice(0, Math.max(0, running.length - MAX_RUNNING)).map((server) => server.stop()));
  }
}
