import type { Clock } from '../engine-api.ts';
import type { SessionPort } from './session-port.ts';

/** Appends what was sent meanwhile; it steers the next turn (IDE-21). @returns whether there was anything. */
export function deliverQueued(port: SessionPort, clock: Clock): boolean {
  const queued = port.takeQueued();
  for (const { text, images } of queued) {
    const content = images?.length ? [{ type: 'text' as const, text }, ...images] : text;
    port.append({ type: 'message', message: { role: 'user', content, timestamp: clock.now() } });
  }
  return queued.length > 0;
}
