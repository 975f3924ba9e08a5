import { Interrupts } from '../headless/interrupts.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';

/** `black host`: the engine over NDJSON on standard input and output, until the input ends or an interrupt comes. */
export async function host(io: Io): Promise<number> {
  const { world } = io;
  const interrupts = new Interrupts(world);
  const opened = await openEngine(io, { face: 'host', asks: 'wait', needsHome: false, watch: true });
  const { serveHost } = await world.loadEngine();
  const interrupted = Promise.withResolvers<void>();
  interrupts.signal.addEventListener('abort', () => interrupted.resolve(), { once: true });
  io.out.onceClosed(() => interrupts.cancel());
  try {
    await Promise.race([serveHost(opened.engine, world.stdin, world.stdout), interrupted.promise]);
    return 0;
  } finally {
    interrupts.dispose();
    await opened.dispose();
    world.stdin.destroy();
  }
}
