import type { Engine } from '@black-ide/engine';
import { BlackError, type EngineError } from '@black-ide/protocol';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';

/** What an engine of this folder answers; an error is a value, since a check tells of it. */
export async function askEngine<T>(
  io: Io,
  ask: (engine: Engine) => Promise<{ ok: true; value: T } | { ok: false; error: EngineError }>,
): Promise<{ ok: true; value: T } | { ok: false; error: EngineError }> {
  try {
    const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true });
    try {
      return await ask(opened.engine);
    } finally {
      await opened.dispose();
    }
  } catch (error) {
    return { ok: false, error: BlackError.toValue(error) };
  }
}
