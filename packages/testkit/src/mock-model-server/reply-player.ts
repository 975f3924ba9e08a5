import type { ServerResponse } from 'node:http';
import { setTimeout as delay, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Clock } from '../clock/clock.ts';
import type { Gates } from './gates.ts';
import type { Draw } from './random.ts';
import type { Turn } from './script.ts';
import { splitBytes } from './split.ts';

/**
 * Between the last byte and a cut, in milliseconds. A client throws away unread bytes when the connection ends, so that a
 * cut on their heels would look like one before them; the loop turns serve a client in the server's own process.
 */
const CUT_DELAY = 20;
const CUT_LOOP_TURNS = 3;

/** Thrown inside the player when the script says that the connection ends here. */
class Cut extends Error {}

export interface PlayerPorts {
  clock: Clock;
  gates: Gates;
  draw: Draw;
  /** Aborted when the client leaves or the server closes. */
  signal: AbortSignal;
  /** Called when nothing but the last write is left. */
  ending: () => void;
  /** Called when an event of the stream has been written. */
  sent: () => void;
}

/** Sends one reply as its turn says: dripped, gated, cut into odd writes, mixed with garbage, broken off. */
export class ReplyPlayer {
  readonly #response: ServerResponse;
  readonly #turn: Turn;
  readonly #ports: PlayerPorts;
  readonly #chunkBytes: number | 'awkward' | undefined;
  #bytesLeft: number;

  constructor(response: ServerResponse, turn: Turn, ports: PlayerPorts) {
    this.#response = response;
    this.#turn = turn;
    this.#ports = ports;
    this.#chunkBytes = turn.chunkBytes ?? (turn.split === 'awkward' ? 'awkward' : undefined);
    this.#bytesLeft = turn.cutAfterBytes ?? Infinity;
  }

  /** Streams events, each as its bytes. Resolves with whether the whole reply went out; rejects with the signal's reason when it is aborted. */
  async playEvents(events: Buffer[]): Promise<boolean> {
    return await this.#whole(async () => {
      const gate = typeof this.#turn.gate === 'string' ? { name: this.#turn.gate } : this.#turn.gate;
      this.#response.flushHeaders();
      for (const [index, event] of events.entries()) {
        if (this.#turn.cutAfterEvents === index) throw new Cut();
        if (gate && (gate.afterEvents ?? 0) === index) await this.#ports.gates.wait(gate.name, this.#ports.signal);
        if (index > 0 && this.#turn.dripMs) await this.#ports.clock.sleep(this.#turn.dripMs, this.#ports.signal);
        for (const line of this.#garbageAt(index)) await this.#write(Buffer.from(line));
        await this.#write(event);
        this.#ports.sent();
      }
      if (this.#turn.cutAfterEvents !== undefined) throw new Cut();
    });
  }

  /** Sends a whole body. */
  async playBody(body: string): Promise<boolean> {
    return await this.#whole(async () => {
      const gate = typeof this.#turn.gate === 'string' ? this.#turn.gate : this.#turn.gate?.name;
      if (gate !== undefined) await this.#ports.gates.wait(gate, this.#ports.signal);
      await this.#write(Buffer.from(body));
    });
  }

  async #whole(send: () => Promise<void>): Promise<boolean> {
    try {
      await send();
      this.#ports.ending();
      this.#response.end();
      return true;
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      await this.#cut();
      return false;
    }
  }

  #garbageAt(index: number): string[] {
    return (this.#turn.garbage ?? [])
      .map((entry) => (typeof entry === 'string' ? { at: 1, line: entry } : entry))
      .filter((entry) => entry.at === index)
      .map((entry) => `${entry.line}\n`);
  }

  async #write(bytes: Buffer): Promise<void> {
    const allowed = bytes.subarray(0, Math.min(bytes.length, this.#bytesLeft));
    for (const piece of splitBytes(allowed, this.#chunkBytes, this.#ports.draw)) {
      this.#ports.signal.throwIfAborted();
      const roomLeft = this.#response.write(piece);
      if (!roomLeft) await this.#drained();
      // A turn of the event loop between pieces, so that they leave as segments of their own.
      if (this.#chunkBytes !== undefined) await turnOfTheLoop();
    }
    this.#bytesLeft -= allowed.length;
    if (allowed.length < bytes.length || this.#bytesLeft === 0) throw new Cut();
  }

  #drained(): Promise<void> {
    const { signal } = this.#ports;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#response.off('drain', pass);
        reject(signal.reason);
      };
      const pass = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#response.once('drain', pass);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  async #cut(): Promise<void> {
    this.#ports.ending();
    await delay(CUT_DELAY);
    for (let turn = 0; turn < CUT_LOOP_TURNS; turn++) await turnOfTheLoop();
    const socket = this.#response.socket;
    if (this.#turn.cutHow === 'end') this.#response.end();
    else if (this.#turn.cutHow === 'reset') socket?.resetAndDestroy();
    else socket?.destroySoon();
  }
}
