import { type Io, warn } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';
import { type OpenedEngine, type OpenOptions, openEngine } from './open-engine.ts';
import { openForWork, type SessionUse } from './open-for-work.ts';

/**
 * Opens a session in the folder in which it began, wherever the person stands now: that folder's files are meant.
 * `said` tells it where they stand elsewhere.
 */
export async function openWhereBegun(
  options: OpenOptions,
  session: string,
  io: Io,
  said: (folder: string) => string,
  use: SessionUse = {},
): Promise<OpenedEngine & { sessionId: string }> {
  const here = await openEngine(io, { ...options, anywhere: true });
  try {
    const { sessionId, began } = await openForWork(here, session, io, use);
    if (!began || began === here.cwd) return { ...here, sessionId };
    await here.dispose();
    warn(io, said(visibleLine(began)));
    const there = await openEngine(io, { ...options, cwd: began });
    try {
      return { ...there, ...(await openForWork(there, sessionId, io, use)) };
    } catch (error) {
      await there.dispose();
      throw error;
    }
  } catch (error) {
    await here.dispose();
    throw error;
  }
}
