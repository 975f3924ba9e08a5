import type { StoppedEvent } from './read-dap.ts';
import type { SessionMember } from './session-member.ts';

/** A thread that stands still, and why. */
export interface Stop {
  member: SessionMember;
  /** The adapter's number. */
  threadId: number;
  event: StoppedEvent;
}

/** Which threads of a session stand still, the one that stopped first at the head. */
export class SessionStops {
  #stops: Stop[] = [];

  get all(): readonly Stop[] {
    return this.#stops;
  }

  /** The one that a person looks at. */
  get current(): Stop | undefined {
    return this.#stops[0];
  }

  of(member: SessionMember, threadId: number): Stop | undefined {
    return this.#stops.find((stop) => stop.member === member && stop.threadId === threadId);
  }

  add(stop: Stop): void {
    this.#stops = [...this.#stops.filter((each) => !isSame(each, stop)), stop];
  }

  /** A thread goes on, or all of its member. @returns what stood still of it */
  remove(member: SessionMember, threadId?: number): Stop[] {
    const gone = this.#stops.filter(
      (stop) => stop.member === member && (threadId === undefined || stop.threadId === threadId),
    );
    this.#stops = this.#stops.filter((stop) => !gone.includes(stop));
    return gone;
  }

  /** They stand still after all. */
  restore(stops: readonly Stop[]): void {
    this.#stops = [...stops, ...this.#stops.filter((each) => !stops.some((stop) => isSame(each, stop)))];
  }

  clear(): void {
    this.#stops = [];
  }
}

function isSame(a: Stop, b: Stop): boolean {
  return a.member === b.member && a.threadId === b.threadId;
}
