import { BlackError } from '@black-ide/protocol';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Whether the stored sessions can be read. */
export async function checkSessions({ io, home }: DoctorFacts): Promise<Check> {
  const name = 'Sessions';
  if (!home) return { name, state: 'warn', detail: 'none, without a state folder' };
  try {
    const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere: true });
    try {
      const { sessions } = unwrap(await opened.engine.execute({ type: 'listSessions', everywhere: true }));
      return { name, state: 'ok', detail: sessions.length === 0 ? 'none yet' : `${sessions.length} stored` };
    } finally {
      await opened.dispose();
    }
  } catch (error) {
    const { message, next } = BlackError.toValue(error);
    return { name, state: 'fail', detail: message, fix: next ?? `ls -la ${home}` };
  }
}
