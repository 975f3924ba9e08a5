import { randomBytes, randomUUID } from 'node:crypto';
import { BlackError, SESSION_VERSION, type SessionHeader, type SessionSummary } from '@black-ide/protocol';
import { realPathOf } from '@black-ide/workspace';
import { DiskSessions } from './disk-sessions.ts';
import { MemorySessions } from './memory-sessions.ts';
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

/** Begins, opens and lists sessions (SES-4). Never deletes one. */
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
    const found = name === 'latest' ? await this.#latestReference(cwd) : this.#backend.find(name, cwd);
    const [reference, another] = found;
    if (reference === undefined) throw notFound(name);
    if (another !== undefined) throw ambiguous(name, found.length);
    return this.#manage(this.#backend.open(reference, realPathOf(cwd)));
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
