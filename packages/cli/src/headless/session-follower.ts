import type { Engine } from '@black-ide/engine';
import {
  type EngineError,
  type EngineEvent,
  emptyView,
  reduce,
  type SessionEvent,
  type View,
} from '@black-ide/protocol';
import { unwrap } from '../failure.ts';

/** Hears each event after the view has taken it in. */
export type FollowListener = (event: EngineEvent, view: View) => void;

/** A session's view, kept up to date by its events. */
export class SessionFollower {
  readonly sessionId: string;
  #view: View;
  #engineError: EngineError | undefined;
  #listener: FollowListener | undefined;
  readonly #idle = Promise.withResolvers<void>();
  #stopListening: () => void = () => undefined;

  /** Use `attach`. */
  constructor(sessionId: string) {
    this.sessionId = sessionId;
    this.#view = emptyView(sessionId);
  }

  /** Takes the session's snapshot and follows it from there. Throws a CliFailure when there is no such session. */
  static async attach(engine: Engine, sessionId: string): Promise<SessionFollower> {
    const follower = new SessionFollower(sessionId);
    const early: EngineEvent[] = [];
    let take = (event: EngineEvent): void => {
      early.push(event);
    };
    follower.#stopListening = engine.onEvent((event) => take(event));
    try {
      const snapshot = unwrap(await engine.execute({ type: 'subscribe', sessionId }));
      if (snapshot.view) follower.#view = snapshot.view;
      for (const event of snapshot.events ?? []) follower.#take(event);
      take = (event) => {
        if (!isSessionEvent(event) || event.seq > snapshot.seq) follower.#take(event);
      };
      for (const event of early) take(event);
    } catch (error) {
      follower.dispose();
      throw error;
    }
    return follower;
  }

  get view(): View {
    return this.#view;
  }

  /** Why the engine as a whole gave up; undefined while it lives. */
  get engineError(): EngineError | undefined {
    return this.#engineError;
  }

  set listener(listener: FollowListener) {
    this.#listener = listener;
  }

  /** Resolves when the session's work ends after this follower attached, however it ends. */
  whenIdle(): Promise<void> {
    return this.#idle.promise;
  }

  dispose(): void {
    this.#stopListening();
  }

  #take(event: EngineEvent): void {
    if (!isSessionEvent(event)) {
      if (event.type !== 'EngineFailed') return;
      this.#engineError = event.error;
      this.#listener?.(event, this.#view);
      this.#idle.resolve();
      return;
    }
    if (event.sessionId !== this.sessionId) return;
    this.#view = reduce(this.#view, event);
    this.#listener?.(event, this.#view);
    if (event.type === 'RunningChanged' && !event.running) this.#idle.resolve();
  }
}

function isSessionEvent(event: EngineEvent): event is SessionEvent {
  return 'seq' in event;
}
