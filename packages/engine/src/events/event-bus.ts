import {
  type DurableEvent,
  type EngineEvent,
  type GlobalEvent,
  LIVE_OUTPUT_CHARS,
  type SessionEvent,
  type TransientEvent,
} from '@black-ide/protocol';

/** Deltas are joined to at most this many events a second. */
const DELTA_INTERVAL_MS = 1000 / 60;
/** Events a session keeps for a face that reconnects. */
const KEPT_EVENTS = 512;

type Delta = Extract<TransientEvent, { type: 'TextDelta' | 'ThinkingDelta' | 'ToolOutput' }>;

/**
 * Carries events of all sessions to any number of listeners (IDE-9). Per session `seq` counts up by one; streamed text
 * is coalesced, and whatever comes after it flushes it first, so order is never lost.
 */
export class EventBus {
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #channels = new Map<string, Channel>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(sessionId: string, event: DurableEvent | TransientEvent): void {
    const channel = this.#channel(sessionId);
    if (event.type === 'TextDelta' || event.type === 'ThinkingDelta' || event.type === 'ToolOutput') {
      this.#delta(sessionId, channel, event);
      return;
    }
    this.flush(sessionId);
    this.#send(sessionId, channel, event);
  }

  /** Sends an event of the engine as a whole. */
  emitGlobal(event: GlobalEvent): void {
    this.#tell(event);
  }

  /** Sends what streamed text is waiting. */
  flush(sessionId: string): void {
    const channel = this.#channels.get(sessionId);
    if (!channel) return;
    clearTimeout(channel.timer);
    channel.timer = undefined;
    const waiting = channel.waiting;
    channel.waiting = undefined;
    if (waiting) {
      channel.sentAt = this.#now();
      this.#send(sessionId, channel, waiting);
    }
  }

  /** The newest `seq` of a session. */
  seq(sessionId: string): number {
    return this.#channels.get(sessionId)?.seq ?? 0;
  }

  /** The events after `seq`, or undefined where some of them are no longer held. */
  since(sessionId: string, seq: number): SessionEvent[] | undefined {
    const channel = this.#channels.get(sessionId);
    if (!channel) return seq === 0 ? [] : undefined;
    if (seq > channel.seq) return undefined;
    const missing = channel.seq - seq;
    return missing <= channel.kept.length ? channel.kept.slice(channel.kept.length - missing) : undefined;
  }

  /** Forgets a closed session. */
  drop(sessionId: string): void {
    this.flush(sessionId);
    this.#channels.delete(sessionId);
  }

  #delta(sessionId: string, channel: Channel, event: Delta): void {
    const { waiting } = channel;
    if (waiting?.type === event.type && callOf(waiting) === callOf(event)) {
      channel.waiting = bounded({ ...waiting, text: waiting.text + event.text });
    } else {
      this.flush(sessionId);
      channel.waiting = bounded(event);
    }
    if (this.#now() - channel.sentAt >= DELTA_INTERVAL_MS) this.flush(sessionId);
    else channel.timer ??= setTimeout(() => this.flush(sessionId), DELTA_INTERVAL_MS);
  }

  #send(sessionId: string, channel: Channel, event: DurableEvent | TransientEvent): void {
    channel.seq += 1;
    const sent = { ...event, sessionId, seq: channel.seq } as SessionEvent;
    channel.kept.push(sent);
    if (channel.kept.length > KEPT_EVENTS) channel.kept.shift();
    this.#tell(sent);
  }

  #tell(event: EngineEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (cause) {
        // A face's fault must not stop the loop, nor the other faces: it is told on the next tick, where it is visible.
        queueMicrotask(() => process.emitWarning(cause instanceof Error ? cause : String(cause)));
      }
    }
  }

  #channel(sessionId: string): Channel {
    let channel = this.#channels.get(sessionId);
    if (!channel) {
      channel = { seq: 0, kept: [], sentAt: 0, waiting: undefined, timer: undefined };
      this.#channels.set(sessionId, channel);
    }
    return channel;
  }
}

interface Channel {
  seq: number;
  kept: SessionEvent[];
  sentAt: number;
  waiting: Delta | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Of a command's output no view shows more than its end, and events are kept for a while. */
function bounded(delta: Delta): Delta {
  if (delta.type !== 'ToolOutput' || delta.text.length <= LIVE_OUTPUT_CHARS) return delta;
  const end = delta.text.slice(-LIVE_OUTPUT_CHARS);
  // A slice would keep the whole text alive.
  return { ...delta, text: Buffer.from(end, 'utf16le').toString('utf16le') };
}

function callOf(delta: Delta): string {
  return delta.type === 'ToolOutput' ? delta.callId : '';
}
