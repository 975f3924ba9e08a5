import { BlackError, type CommandResults, type ExportFormat, foldEntries, type NewEntry } from '@black-ide/protocol';
import { type SecretMask, secretValues } from '@black-ide/workspace';
import type { AgentSession } from './agent-session.ts';
import type { SessionStore } from './session-store.ts';

export interface StoredSessionsParts {
  store: SessionStore;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  secrets: SecretMask;
  /** The sessions that are open, by id. */
  open: Map<string, AgentSession>;
}

const LONGEST_NAME = 200;

/** What can be done with sessions without working in them: reading, finding, handing on, naming, putting away (SES-24). */
export class StoredSessions {
  readonly #parts: StoredSessionsParts;

  constructor(parts: StoredSessionsParts) {
    this.#parts = parts;
  }

  async read(name: string): Promise<CommandResults['readSession']> {
    const { path, header, entries, problems } = await this.#parts.store.read(name, this.#parts.cwd);
    const view = foldEntries(header.id, entries, header.title ?? '');
    return { sessionId: header.id, ...(path ? { path } : {}), header, view, problems };
  }

  search(query: string, everywhere: boolean, limit: number): Promise<CommandResults['searchSessions']> {
    const { store, cwd } = this.#parts;
    return store.search(everywhere ? { everywhere } : { cwd }, query, limit);
  }

  async export(name: string, format: ExportFormat): Promise<CommandResults['exportSession']> {
    const { store, cwd, env, secrets } = this.#parts;
    const session = await store.read(name, cwd);
    const { exportSession } = await import('../export/export-session.ts');
    return exportSession(session, { format, known: [...secrets.known, ...secretValues(env)] });
  }

  /** Through the open session where there is one, so that its faces hear of it. */
  async rename(name: string, title: string): Promise<CommandResults['renameSession']> {
    const { store, cwd, open, secrets } = this.#parts;
    const given = title.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_NAME).toWellFormed();
    const { id } = (await store.read(name, cwd)).header;
    const entry: NewEntry = { type: 'session_info', name: secrets.text(given) };
    const session = open.get(id);
    if (session) session.append(entry);
    else {
      using manager = await store.open(name, cwd);
      manager.append(entry);
    }
    return { sessionId: id, name: given };
  }

  /** A session that is open here is closed first; not one that works. */
  async putAway(name: string): Promise<CommandResults['deleteSession']> {
    const { store, cwd, open } = this.#parts;
    const { id } = (await store.read(name, cwd)).header;
    const session = open.get(id);
    if (session?.running) {
      throw new BlackError('session_busy', 'A task runs in this session.', 'Cancel it, or wait until it is done.');
    }
    await session?.close();
    open.delete(id);
    return store.putAway(name, cwd);
  }

  takeBack(name: string): CommandResults['restoreSession'] {
    return this.#parts.store.takeBack(name);
  }
}
