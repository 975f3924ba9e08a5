import { setTimeout as delay } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import type { StartedAdapter } from './connection.ts';
import { DebugSession, type Go } from './debug-session.ts';
import type { DebugAnswer } from './report.ts';
import type { AdapterManners, ExceptionMode } from './session-member.ts';
import { type BreakpointRequest, WantedBreakpoints } from './wanted-breakpoints.ts';

/** A debuggee that can be begun with its adapter. */
export interface Debuggee {
  /** For people: the command line, or what it is attached to. */
  title: string;
  /** What relative files are relative to. */
  cwd: string;
  manners: AdapterManners;
  /** Starts the adapter. */
  start(): Promise<StartedAdapter>;
}

export interface DebugStart {
  breakpoints?: readonly BreakpointRequest[];
  /** Default: those that make something fail. */
  exceptions?: ExceptionMode;
  /** How long the first stop is waited for. Default 60 s. */
  waitMs?: number;
}

export interface DebuggerOptions {
  /** The workspace, absolute. */
  root: string;
  /** How long a session may live. Default 10 minutes. */
  ttlMs?: number;
  now: () => number;
  /** Resolves after so long, rejects when aborted. Default: Node's own. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Receives what programs print, as it comes, beside what answers tell of it. */
  onOutput?: (text: string) => void;
  /** The text of a file, for source lines and source maps; undefined where it is not to be read. */
  readText(path: string): Promise<string | undefined>;
}

const DEFAULT_TTL_MS = 10 * 60 * 1000;
const DEFAULT_WAIT_MS = 60_000;

/**
 * The debugger of one conversation: at most one session at a time, which ends at the latest when its time is over,
 * whatever the program and the adapter do then (INT-32).
 */
export class Debugger {
  readonly #options: DebuggerOptions;
  #session: DebugSession | undefined;
  #breakpoints: WantedBreakpoints | undefined;
  /** A session that has not begun yet counts as one that runs. */
  #starting: string | undefined;
  #disposed = false;

  constructor(options: DebuggerOptions) {
    this.#options = options;
  }

  /** What runs now, for people. */
  get running(): string | undefined {
    return this.#session && !this.#session.isOver ? this.#session.title : this.#starting;
  }

  /** @throws BlackError `session_running` naming the one that runs; `disposed` */
  checkFree(): void {
    if (this.#disposed) throw new BlackError('disposed', 'No program can be debugged any more: the session has ended.');
    const { running } = this;
    if (running === undefined) return;
    const next = 'End it first (terminate), or go on with it. One program is debugged at a time.';
    throw new BlackError('session_running', `A debug session runs already: ${running}.`, next);
  }

  /**
   * Begins a session and waits for its first stop.
   * @throws what `checkFree` throws; what the adapter's start throws
   */
  async launch(debuggee: Debuggee, start: DebugStart, signal: AbortSignal): Promise<DebugAnswer> {
    this.checkFree();
    this.#starting = debuggee.title;
    try {
      const session = await this.#begin(debuggee, start, signal);
      return await session.wait(start.waitMs ?? DEFAULT_WAIT_MS, signal);
    } finally {
      this.#starting = undefined;
    }
  }

  /** Lets a stopped thread go on, and waits for the next stop. @throws BlackError `no_session`, `not_stopped` */
  async go(how: Go, waitMs: number | undefined, signal: AbortSignal, thread?: number): Promise<DebugAnswer> {
    const session = this.current;
    await session.go(how, thread, signal);
    return session.wait(waitMs ?? DEFAULT_WAIT_MS, signal);
  }

  /** Asks the program to stop where it is, and waits for it. */
  async pause(waitMs: number | undefined, signal: AbortSignal, thread?: number): Promise<DebugAnswer> {
    const session = this.current;
    await session.pause(thread, signal);
    return session.wait(waitMs ?? DEFAULT_WAIT_MS, signal);
  }

  /** Waits for a stop or the end, and tells how it stands. */
  async wait(waitMs: number, signal: AbortSignal): Promise<DebugAnswer> {
    return this.#known.wait(waitMs, signal);
  }

  /** @throws BlackError `no_session`, `bad_breakpoint` */
  async setBreakpoints(
    change: { add?: readonly BreakpointRequest[]; remove?: readonly string[]; exceptions?: ExceptionMode },
    signal: AbortSignal,
  ): Promise<DebugAnswer> {
    const session = this.current;
    if (change.remove) this.#breakpoints!.remove(change.remove);
    if (change.add) this.#breakpoints!.add(change.add);
    if (change.exceptions) session.exceptions = change.exceptions;
    await session.update(signal);
    return session.answer(signal);
  }

  /** Ends the session. @throws BlackError `no_session` where there is none */
  async terminate(signal: AbortSignal): Promise<DebugAnswer> {
    const session = this.current;
    await session.end('stopped');
    return session.answer(signal);
  }

  /** The session that runs. @throws BlackError `no_session` */
  get current(): DebugSession {
    const session = this.#session;
    if (session && !session.isOver) return session;
    throw new BlackError('no_session', 'No program is debugged now.', 'Launch one first.');
  }

  /** Ends what runs; nothing can be launched afterwards. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.end();
  }

  /** Ends what runs, if anything does. */
  async end(): Promise<void> {
    await this.#session?.end('stopped');
  }

  /** Also one that is over: how it ended is told. */
  get #known(): DebugSession {
    return this.#session ?? this.current;
  }

  async #begin(debuggee: Debuggee, start: DebugStart, signal: AbortSignal): Promise<DebugSession> {
    const { root, now, readText, onOutput, ttlMs = DEFAULT_TTL_MS } = this.#options;
    const breakpoints = new WantedBreakpoints(debuggee.cwd);
    breakpoints.add(start.breakpoints ?? []);
    const adapter = await debuggee.start();
    const session = new DebugSession({
      title: debuggee.title,
      root,
      adapter,
      settings: { breakpoints, exceptions: start.exceptions ?? 'uncaught', manners: debuggee.manners },
      deadline: now() + ttlMs,
      now,
      readText,
      ...(onOutput ? { onOutput } : {}),
    });
    this.#session = session;
    this.#breakpoints = breakpoints;
    void this.#watch(session, adapter, ttlMs);
    // It was disposed while the adapter started.
    if (this.#disposed) await session.end('stopped');
    await session.begin(signal);
    return session;
  }

  async #watch(session: DebugSession, adapter: StartedAdapter, ttlMs: number): Promise<void> {
    const sleep = this.#options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false }));
    const stop = new AbortController();
    void adapter.ended.then(() => stop.abort());
    try {
      await sleep(ttlMs, stop.signal);
    } catch {
      // It ended before its time.
      return;
    }
    await session.end('deadline');
  }
}
