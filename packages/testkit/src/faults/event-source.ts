import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MockModelServer, ServerHappening } from '../mock-model-server/mock-model-server.ts';

/** Calls the listener at every event from now on. Returns how to stop it. */
export type EventSource = (listener: () => void) => () => void;

/** Happenings at a mock model server; by default the arrival of a request. */
export function serverEvents(server: MockModelServer, kinds: readonly ServerHappening[] = ['request']): EventSource {
  return (listener) => server.subscribe((what) => kinds.includes(what) && listener());
}

const POLL_MS = 1;

/** Complete lines in a file, or in all files of a folder whose name ends as said. What is not there has none. */
function countLines(path: string, ending: string): number {
  try {
    if (!statSync(path).isDirectory()) return readFileSync(path).filter((byte) => byte === 0x0a).length;
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .reduce((sum, name) => sum + countLines(join(path, name), ending), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * One event for each line appended to a file, or to any `.jsonl` file below a folder; neither need exist yet. Looks every
 * millisecond, so that the process may be a little further on when it is killed: `fs-steps` is exact.
 */
export function lineEvents(path: string, ending = '.jsonl'): EventSource {
  return (listener) => {
    let seen = countLines(path, ending);
    const timer = setInterval(() => {
      const count = countLines(path, ending);
      for (; seen < count; seen++) listener();
    }, POLL_MS);
    return () => clearInterval(timer);
  };
}
