import { randomBytes, randomUUID } from 'node:crypto';
import {
  BlackError,
  SESSION_VERSION,
  type SessionCommandResults,
  type SessionHeader,
  type SessionSummary,
} from '@black-ide/protocol';
import { realPathOf } from '@black-ide/workspace';
import { DiskSessions } from './disk-sessions.ts';
import { MemorySessions } from './memory-sessions.ts';
import type { ReadSession } from './read-session-file.ts';
import { searchSessions } from './search/search-sessions.ts';
import type { SessionBackend } from './session-backend.ts';
import { newSessionId, type RandomHex } from './session-ids.ts';
import { SessionManager } from './session-manager.ts';

export interface SessionStoreOptions {
  /** The state folder, normally `~/.blackide`. */
  home: string;
  /** Nothing is written: sessions end with the process. */
  inMemory?: boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
  randomHex?: RandomHex;
}

/** Begins, opens, reads, lists, searches and puts away sessions (SES-4, SES-24). Never deletes one. */
export class SessionStore {
  readonly #now: () => number;
  readonly #randomHex: RandomHex;
  readonly #backend: SessionBackend;

  constructor({ home, inMemory = false, now, randomHex = randomHexOf }: SessionStoreOptions) {
    this.#now = now;
    this.#randomHex = randomHex;
    this.#backend = inMemory ? new MemorySessions() : new DiskSessions({ home, now, randomHex });
  }

  /**
   * Begins a session for a folder, whose real path it keeps. On disk it appears with its first entry.
   * @param options.parentSession the session that it continues: a path or an id.
   */
  create(options: { cwd: string; parentSession?: string; title?: string }): SessionManager {
    const { cwd, ...more } = options;
    const header: SessionHeader = {
      type: 'session',
      version: SESSION_VERSION,
      id: newSessionId(this.#randomHex),
      timestamp: new Date(this.#now()).toISOString(),
      cwd: realPathOf(cwd),
      ...more,
    };
    return this.#manage({ header, entries: [], log: this.#backend.create(header) });
  }

  /**
   * Opens a session by its id, an unambiguous beginning of it, its file's path, or `latest` for the newest one of the
   * folder. Where it cannot be written the manager is `readOnly` and says why.
   * @param cwd the folder that relative paths and `latest` count from.
   * @throws BlackError `session_not_found`, `session_ambiguous`, `session_unreadable`, `not_a_session`.
   */
  async open(name: string, cwd: string): Promise<SessionManager> {
    return this.#manage(this.#backend.open(await this.#reference(name, cwd), realPathOf(cwd)));
  }

  /**
   * Reads a session, named as for `open`, without opening it: no lock is taken and nothing is written.
   * @throws BlackError as `open`.
   */
  async read(name: string, cwd: string): Promise<ReadSession> {
    return this.#backend.read(await this.#reference(name, cwd));
  }

  /** Searches titles and messages, the newest session first. @throws BlackError `bad_query`. */
  async search(
    where: { cwd: string } | { everywhere: true },
    query: string,
    limit: number,
  ): Promise<SessionCommandResults['searchSessions']> {
    const sessions = await this.list(where);
    const readLines = (session: SessionSummary, visit: (line: string) => boolean): void =>
      this.#backend.readLines(session.path ?? session.id, visit);
    return searchSessions({ sessions, query, limit, readLines });
  }

  /**
   * Moves a session, named as for `open`, to the trash.
   * @throws BlackError as `open`, `not_ours`, `session_held`, `in_the_way`, `session_not_moved`.
   */
  async putAway(name: string, cwd: string): Promise<{ sessionId: string; trashed?: string }> {
    const reference = await this.#reference(name, cwd);
    const { id } = this.#backend.read(reference).header;
    const trashed = this.#backend.putAway(reference);
    return { sessionId: id, ...(trashed ? { trashed } : {}) };
  }

  /** Takes a session back from the trash. @param name its id, or an unambiguous beginning. @throws BlackError */
  takeBack(name: string): { sessionId: string; path?: string } {
    const found = this.#backend.findPutAway(name);
    const [reference, another] = found;
    if (reference === undefined) throw new BlackError('session_not_found', `There is no session ${name} in the trash.`);
    if (another !== undefined) throw ambiguous(name, found.length);
    const { header, path } = this.#backend.read(this.#backend.takeBack(reference));
    return { sessionId: header.id, ...(path ? { path } : {}) };
  }

  /** The session of a folder in which somebody spoke last; undefined where there is none. */
  async latest(cwd: string): Promise<SessionSummary | undefined> {
    const sessions = await this.list({ cwd });
    return sessions.find((session) => session.problem === undefined);
  }

  /** The sessions of a folder, or of all folders, the newest first. Of each file only the two ends are read. */
  async list(where: { cwd: string } | { everywhere: true }): Promise<SessionSummary[]> {
    const sessions = await this.#backend.list('cwd' in where ? where.cwd : undefined);
    return sessions.sort((a, b) => Date.parse(b.modified) - Date.parse(a.modified));
  }

  /** What a backend knows a session by that a person named. */
  async #reference(name: string, cwd: string): Promise<string> {
    const found = name === 'latest' ? await this.#latestReference(cwd) : this.#backend.find(name, cwd);
    const [reference, another] = found;
    if (reference === undefined) throw notFound(name);
    if (another !== undefined) throw ambiguous(name, found.length);
    return reference;
  }

  async #latestReference(cwd: string): Promise<string[]> {
    const latest = await this.latest(cwd);
    return latest ? [latest.path ?? latest.id] : [];
  }

  #manage(session: Omit<ConstructorParameters<typeof SessionManager>[0], 'now' | 'randomHex'>): SessionManager {
    return new SessionManager({ ...session, now: this.#now, randomHex: this.#randomHex });
  }
}

/** Entry ids are made for every line: Node draws the randomness of UUIDs ahead, and their first eight digits are all random. */
function randomHexOf(bytes: number): string {
  return bytes <= 4 ? randomUUID().slice(0, bytes * 2) : randomBytes(bytes).toString('hex');
}

function notFound(name: string): BlackError {
  return name === 'latest'
    ? new BlackError('session_not_found', 'There is no session in this folder yet.', 'Start one with a prompt.')
    : new BlackError('session_not_found', `There is no session ${name}.`, '`black sessions list --all` shows them.');
}

function ambiguous(name: string, count: number): BlackError {
  return new BlackError('session_ambiguous', `${count} sessions begin with ${name}.`, 'Give more of the id.');
}
