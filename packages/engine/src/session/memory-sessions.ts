import { BlackError, type Entry, type SessionHeader, type SessionSummary } from '@black-ide/protocol';
import { realPathOf } from '@black-ide/workspace';
import type { OpenedSession } from './open-session-file.ts';
import type { ReadSession } from './read-session-file.ts';
import type { SessionBackend } from './session-backend.ts';
import { sessionText } from './session-file.ts';
import type { SessionLog } from './session-log.ts';
import { summariseSession } from './summarise-session.ts';

interface Kept {
  header: SessionHeader;
  entries: Entry[];
  open: boolean;
}

/** Sessions that end with the process. The same as on disk, without paths. */
export class MemorySessions implements SessionBackend {
  readonly #kept = new Map<string, Kept>();
  readonly #putAway = new Map<string, Kept>();

  create(header: SessionHeader): SessionLog {
    return new MemoryLog(this.#kept, { header, entries: [], open: true });
  }

  open(reference: string): OpenedSession {
    const kept = this.#get(reference);
    const { header, entries } = kept;
    const found = { header, entries: [...entries], problems: [] };
    if (!kept.open) {
      kept.open = true;
      return { ...found, log: new MemoryLog(this.#kept, kept) };
    }
    const message = 'This session is open already.';
    const readOnly = { reason: 'held' as const, message, next: 'Close it there first.' };
    return { ...found, readOnly, log: new MemoryLog(this.#kept, { header, entries, open: false }) };
  }

  read(reference: string): ReadSession {
    const { header, entries } = this.#get(reference);
    return { header, entries: [...entries], problems: [] };
  }

  readLines(reference: string, visit: (line: string) => boolean): void {
    for (const entry of this.#get(reference).entries) if (!visit(JSON.stringify(entry))) return;
  }

  putAway(reference: string): undefined {
    const kept = this.#get(reference);
    if (kept.open) throw new BlackError('session_held', 'This session is open.', 'Close it first.');
    this.#kept.delete(reference);
    this.#putAway.set(reference, kept);
  }

  findPutAway(name: string): string[] {
    return [...this.#putAway.keys()].filter((id) => id.startsWith(name));
  }

  takeBack(reference: string): string {
    this.#kept.set(reference, this.#putAway.get(reference)!);
    this.#putAway.delete(reference);
    return reference;
  }

  find(name: string): string[] {
    return this.#kept.has(name) ? [name] : [...this.#kept.keys()].filter((id) => id.startsWith(name));
  }

  list(cwd?: string): Promise<SessionSummary[]> {
    const summaries = [...this.#kept.values()]
      .filter(({ header }) => cwd === undefined || realPathOf(header.cwd) === realPathOf(cwd))
      .map(({ header, entries }) => {
        const head = sessionText(header, entries);
        return summariseSession('', { size: head.length, modified: 0, head, tail: '' }).summary;
      });
    return Promise.resolve(summaries);
  }

  #get(reference: string): Kept {
    const kept = this.#kept.get(reference);
    if (kept) return kept;
    throw new BlackError('session_not_found', `There is no session ${reference}.`);
  }
}

class MemoryLog implements SessionLog {
  readonly path = undefined;
  readonly #sessions: Map<string, Kept>;
  readonly #session: Kept;

  constructor(sessions: Map<string, Kept>, session: Kept) {
    this.#sessions = sessions;
    this.#session = session;
  }

  append(entry: Entry): void {
    this.#session.entries.push(entry);
    this.#sessions.set(this.#session.header.id, this.#session);
  }

  branch(header: SessionHeader, entries: readonly Entry[]): SessionLog {
    const session = { header, entries: [...entries], open: true };
    this.#sessions.set(header.id, session);
    return new MemoryLog(this.#sessions, session);
  }

  dispose(): void {
    this.#session.open = false;
  }
}
