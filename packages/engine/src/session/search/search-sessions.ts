import type { FoundSession, SessionCommandResults, SessionSummary } from '@black-ide/protocol';
import { parseQuery } from './parse-query.ts';
import { SessionSearch } from './session-search.ts';

export interface SearchOptions {
  /** Newest first. */
  sessions: readonly SessionSummary[];
  query: string;
  limit: number;
  /** Calls the visitor with every line of a session until it answers false. Throws where it cannot be read. */
  readLines(session: SessionSummary, visit: (line: string) => boolean): void;
}

/**
 * Finds the sessions whose title and messages hold everything that a query asks for. One session is read at a time, and
 * one line of it held; between two of them the rest of the program gets its turn.
 * @throws BlackError `bad_query`.
 */
export async function searchSessions(options: SearchOptions): Promise<SessionCommandResults['searchSessions']> {
  const terms = parseQuery(options.query);
  const found: FoundSession[] = [];
  const problems: string[] = [];
  let searched = 0;
  for (const session of options.sessions) {
    if (found.length === options.limit) break;
    searched += 1;
    const search = new SessionSearch(terms);
    search.title(session.title);
    try {
      options.readLines(session, (line) => search.line(line));
    } catch (cause) {
      problems.push(`${session.path ?? session.id}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
    if (search.complete) found.push(foundSession(session, search));
    await new Promise((next) => setImmediate(next));
  }
  return { sessions: found, searched, truncated: searched < options.sessions.length, problems };
}

function foundSession({ id, path, cwd, title, modified }: SessionSummary, search: SessionSearch): FoundSession {
  return { id, ...(path ? { path } : {}), cwd, title, modified, matches: search.matches };
}
