import { BlackError, isRecord } from '@black-ide/protocol';
import type { Configuration, DebugConnection } from './connection.ts';
import { type AdapterBreakpoint, breakpointOf, breakpointsOf, field } from './read-dap.ts';
import type { BreakpointState } from './report.ts';
import type { WantedBreakpoint, WantedBreakpoints } from './wanted-breakpoints.ts';

/** Which exceptions are a reason to stop. */
export type ExceptionMode = 'uncaught' | 'all' | 'none';

/** What of a session's settings depends on the adapter. */
export interface AdapterManners {
  /** The adapter's names for a mode; those that it does not offer are left out. */
  exceptionFilters(mode: ExceptionMode): readonly string[];
  /** Functions that are stopped at as exceptions are, where the language has no better way. */
  exceptionFunctions?(mode: ExceptionMode): readonly string[];
  /** Only expressions are evaluated: what is typed at a prompt would be a command of the debugger itself. */
  evaluatesExpressions?: true;
}

export interface MemberSettings {
  breakpoints: WantedBreakpoints;
  exceptions: ExceptionMode;
  manners: AdapterManners;
}

/** A conversation of a session: that with the adapter, or that of one of its child sessions. */
export class SessionMember {
  readonly connection: DebugConnection;
  readonly #initialized = Promise.withResolvers<void>();
  readonly #breakpoints = new Map<WantedBreakpoint, AdapterBreakpoint>();
  #capabilities: Readonly<Record<string, unknown>> = {};

  constructor(connection: DebugConnection) {
    this.connection = connection;
  }

  can(capability: string): boolean {
    return this.#capabilities[capability] === true;
  }

  /** @throws the adapter's refusal; BlackError `no_answer` where the signal's time is over; its other reasons */
  async request(command: string, args?: unknown, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.connection.request(command, args, signal);
    } catch (cause) {
      if (!(cause instanceof DOMException) || cause.name !== 'TimeoutError') throw cause;
      throw new BlackError('no_answer', `The debugger has not answered \`${command}\` in time.`, 'Pause or stop it.');
    }
  }

  /** Shakes hands, sets what is to be set and lets the debuggee begin. @throws the adapter's refusal */
  async begin(configuration: Configuration, settings: MemberSettings, signal: AbortSignal): Promise<void> {
    const answered = await this.request('initialize', INITIALIZE, signal);
    this.#capabilities = isRecord(answered) ? answered : {};
    const begun = this.request(configuration.request, configuration.arguments, signal);
    // Adapters answer it before or after they take breakpoints; one that refuses never takes any.
    await Promise.race([this.#initialized.promise, begun.then(() => this.#initialized.promise)]);
    begun.catch(() => undefined);
    await this.setBreakpoints(settings, signal);
    await this.setExceptions(settings, signal);
    if (this.can('supportsConfigurationDoneRequest')) await this.request('configurationDone', {}, signal);
    await begun;
  }

  async setBreakpoints({ breakpoints, exceptions, manners }: MemberSettings, signal?: AbortSignal): Promise<void> {
    this.#breakpoints.clear();
    for (const [path, wanted] of breakpoints.files) {
      const answered = await this.request(
        'setBreakpoints',
        {
          source: { path },
          breakpoints: wanted.map(({ at, condition, log }) => ({
            line: at.line,
            ...(condition === undefined ? {} : { condition }),
            ...(log === undefined ? {} : { logMessage: log }),
          })),
        },
        signal,
      );
      this.#note(wanted, answered);
    }
    if (!this.can('supportsFunctionBreakpoints')) return;
    const { functions } = breakpoints;
    const more = manners.exceptionFunctions?.(exceptions) ?? [];
    const asked = [
      ...functions.map(({ at, condition }) => ({
        name: 'function' in at ? at.function : '',
        ...(condition === undefined ? {} : { condition }),
      })),
      ...more.map((name) => ({ name })),
    ];
    this.#note(functions, await this.request('setFunctionBreakpoints', { breakpoints: asked }, signal));
  }

  async setExceptions({ exceptions, manners }: MemberSettings, signal?: AbortSignal): Promise<void> {
    const offered = this.#capabilities.exceptionBreakpointFilters;
    if (!Array.isArray(offered) || offered.length === 0) return;
    const names = new Set(offered.map((each) => field(each, 'filter', 'string')));
    const filters = manners.exceptionFilters(exceptions).filter((name) => names.has(name));
    await this.request('setExceptionBreakpoints', { filters }, signal);
  }

  onInitialized(): void {
    this.#initialized.resolve();
  }

  onClosed(reason: Error): void {
    this.#initialized.promise.catch(() => undefined);
    this.#initialized.reject(reason);
  }

  onCapabilities(body: unknown): void {
    const more = isRecord(body) && isRecord(body.capabilities) ? body.capabilities : {};
    this.#capabilities = { ...this.#capabilities, ...more };
  }

  /** A breakpoint has found its place, or lost it. */
  onBreakpoint(body: unknown): void {
    const news = breakpointOf(body);
    if (news?.id === undefined) return;
    for (const [wanted, known] of this.#breakpoints) {
      if (known.id === news.id) this.#breakpoints.set(wanted, { ...news, line: news.line ?? known.line });
    }
  }

  /** How a breakpoint stands here; undefined where this member was never told of it. */
  stateOf(wanted: WantedBreakpoint): Omit<BreakpointState, 'place'> | undefined {
    const known = this.#breakpoints.get(wanted);
    if (known) return { verified: known.verified, line: known.line, message: known.message };
    if (!('function' in wanted.at) || this.can('supportsFunctionBreakpoints')) return undefined;
    return { verified: false, line: undefined, message: 'This debugger has no breakpoints at functions.' };
  }

  #note(wanted: readonly WantedBreakpoint[], answered: unknown): void {
    for (const [at, state] of breakpointsOf(answered).entries()) {
      const each = wanted[at];
      if (each) this.#breakpoints.set(each, state);
    }
  }
}

const INITIALIZE = {
  clientID: 'black',
  clientName: 'Black IDE',
  adapterID: 'black',
  locale: 'en',
  linesStartAt1: true,
  columnsStartAt1: true,
  pathFormat: 'path',
  supportsVariableType: true,
  supportsStartDebuggingRequest: true,
};
