import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black sessions rename`: the name that lists show. */
export async function renameSession(
  { session, name, json }: { session: string; name: string; json: boolean },
  io: Io,
): Promise<number> {
  const anywhere = session !== 'latest';
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere });
  try {
    const renamed = unwrap(await opened.engine.execute({ type: 'renameSession', session, name }));
    if (json) io.out.line(JSON.stringify(renamed, undefined, 2));
    else if (renamed.name === '') io.out.line(`${renamed.sessionId} has no name any more.`);
    else io.out.line(`${renamed.sessionId} is now called ${visibleLine(renamed.name)}.`);
    return 0;
  } finally {
    await opened.dispose();
  }
}
