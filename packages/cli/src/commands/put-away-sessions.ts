import type { Engine } from '@black-ide/engine';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';

type PutAway = { command: 'sessions rm' | 'sessions restore'; sessions: readonly string[]; json: boolean };

/** `black sessions rm` and `restore`: to the trash folder and back. Nothing is deleted. */
export async function putAwaySessions({ command, sessions, json }: PutAway, io: Io): Promise<number> {
  const anywhere = !sessions.includes('latest');
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere });
  try {
    const done: object[] = [];
    for (const session of sessions) {
      done.push(await (command === 'sessions rm' ? putAway : takeBack)(opened.engine, session, io, json));
    }
    if (json) io.out.line(JSON.stringify(done, undefined, 2));
    return 0;
  } finally {
    await opened.dispose();
  }
}

async function putAway(engine: Engine, session: string, io: Io, json: boolean): Promise<object> {
  const done = unwrap(await engine.execute({ type: 'deleteSession', session }));
  if (!json) {
    io.out.line(`${done.sessionId} is in the trash${done.trashed ? `: ${done.trashed}` : '.'}`);
    io.out.line(`    black sessions restore ${done.sessionId}   takes it back`);
  }
  return done;
}

async function takeBack(engine: Engine, session: string, io: Io, json: boolean): Promise<object> {
  const done = unwrap(await engine.execute({ type: 'restoreSession', session }));
  if (!json) io.out.line(`${done.sessionId} is back${done.path ? `: ${done.path}` : '.'}`);
  return done;
}
