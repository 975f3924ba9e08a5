import { BlackError, isRecord } from '@black-ide/protocol';
import { plainText, UnreadOutput } from '@black-ide/workspace';
import { collectStop, type ReportFacts, shownVariable, stackOf } from './collect-stop.ts';
import type { Address, Configuration, ConnectionListener, StartedAdapter } from './connection.ts';
import { Handles } from './handles.ts';
import { field, scopesOf, stoppedOf, threadsOf, variablesOf } from './read-dap.ts';
import type { BreakpointState, DebugAnswer, DebugState, Frame, Thread, Variable } from './report.ts';
import { type ExceptionMode, type MemberSettings, SessionMember } from './session-member.ts';
import { SessionStops, type Stop } from './session-stops.ts';
import { Waiters } from './waiters.ts';

export interface DebugSessionOptions {
  /** What runs there, for people: the command line, or what it is attached to. */
  title: string;
  root: string;
  adapter: StartedAdapter;
  settings: MemberSettings;
  /** When the session is ended, whatever it does; and the time. Milliseconds since the epoch. */
  deadline: number;
  now: () => number;
  onOutput?: (text: string) => void;
  readText(path: string): Promise<string | undefined>;
}

/** How a stopped thread goes on. */
export type Go = 'continue' | 'next' | 'stepIn' | 'stepOut';

type Ended = DebugState & { state: 'ended' };

/** An adapter that does not answer a question about a stopped program within this time is not waited for. */
const ANSWER_MS = 10_000;
/** A stepping program that is asked to end by itself gets so long. */
const FAREWELL_MS = 1_000;
const MOST_OUTPUT = 4_000;
const MOST_VARIABLES = 100;

/**
 * One debug session: the conversation with the adapter and those of its child sessions, seen as one program whose threads
 * stop and go on. It ends once, and then nothing of it is left.
 */
export class DebugSession {
  readonly #options: DebugSessionOptions;
  readonly #members: SessionMember[] = [];
  readonly #stops = new SessionStops();
  readonly #threads = new Handles<SessionMember>('thread');
  readonly #frames = new Handles<SessionMember>('frame');
  readonly #values = new Handles<SessionMember>('value');
  readonly #output = new UnreadOutput();
  readonly #over = new AbortController();
  readonly #waiters = new Waiters();
  #exitCode: number | undefined;
  #ended: Ended | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: DebugSessionOptions) {
    this.#options = options;
  }

  get title(): string {
    return this.#options.title;
  }

  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Lets the debuggee begin.
   * @throws BlackError `not_started` with the adapter's words; the signal's reason. Nothing is left then.
   */
  async begin(signal: AbortSignal): Promise<void> {
    const { adapter } = this.#options;
    void adapter.ended.then(({ words }) => this.#finish('adapter', words));
    try {
      const either = AbortSignal.any([signal, this.#over.signal]);
      await this.#join(adapter.configuration, undefined, either);
    } catch (cause) {
      const ended = this.#ended;
      await this.end('stopped');
      signal.throwIfAborted();
      const words = ended?.words || BlackError.toValue(cause).message;
      // What a compiler says, for example.
      const printed = plainText(this.#output.take(MOST_OUTPUT).text).trim();
      throw new BlackError(
        'not_started',
        [`${this.title} cannot be debugged: ${words}`, printed].filter(Boolean).join('\n'),
      );
    }
  }

  /**
   * How it stands: at once where it has stopped or ended, else as soon as it does, at the latest after so long.
   * @throws the signal's reason
   */
  async wait(waitMs: number, signal: AbortSignal): Promise<DebugAnswer> {
    await this.#waiters.until(() => this.#ended !== undefined || this.#stops.current !== undefined, waitMs, signal);
    return this.answer(signal);
  }

  /** How it stands now. */
  async answer(signal: AbortSignal): Promise<DebugAnswer> {
    const outcome = await this.#outcome(signal);
    const { text, dropped, left } = this.#output.take(Number.MAX_SAFE_INTEGER);
    const cut = Math.max(0, text.length - MOST_OUTPUT);
    return {
      title: this.title,
      outcome,
      output: plainText(text.slice(cut).toWellFormed()),
      dropped: dropped + cut + left,
      breakpoints: this.breakpoints(),
      leftMs: Math.max(0, this.#options.deadline - this.#options.now()),
    };
  }

  /**
   * Lets a stopped thread go on.
   * @param thread its number here; the one that stopped first where left out
   * @throws BlackError `not_stopped`
   */
  async go(how: Go, thread: number | undefined, signal: AbortSignal): Promise<void> {
    const { member, threadId } = this.#stopped(thread);
    // An adapter may tell of the next stop before it has answered.
    const gone = this.#resumed(member, how === 'continue' ? undefined : threadId);
    try {
      const answered = await this.#ask(member, how, { threadId }, signal);
      const single = how === 'continue' && field(answered, 'allThreadsContinued', 'boolean') === false;
      if (single) this.#stops.restore(gone.filter((stop) => stop.threadId !== threadId));
    } catch (cause) {
      this.#stops.restore(gone);
      throw cause;
    }
  }

  /** Asks a running thread to stop: all of them where none is named. */
  async pause(thread: number | undefined, signal: AbortSignal): Promise<void> {
    const chosen = thread === undefined ? undefined : this.#threads.get(thread);
    for (const member of chosen ? [chosen.owner] : this.#members) {
      const ids = chosen ? [chosen.id] : await this.#threadIds(member, signal);
      let isAsked = false;
      for (const threadId of ids) {
        if (this.#stops.of(member, threadId)) continue;
        try {
          await this.#ask(member, 'pause', { threadId }, signal);
          isAsked = true;
        } catch (cause) {
          // Where one stops all of them the others have nothing left to do.
          if (!isAsked) throw cause;
        }
      }
    }
  }

  async threads(signal: AbortSignal): Promise<Thread[]> {
    const all: Thread[] = [];
    for (const member of this.#members) {
      for (const { id, name } of threadsOf(await this.#ask(member, 'threads', undefined, signal))) {
        all.push({ id: this.#threads.of(member, id), name, stopped: this.#stops.of(member, id) !== undefined });
      }
    }
    return all;
  }

  /** @throws BlackError `not_stopped` */
  async stack(thread: number | undefined, signal: AbortSignal): Promise<Frame[]> {
    const { member, threadId } = this.#stopped(thread);
    return this.#bounded(signal, (facts) => stackOf(member, threadId, facts));
  }

  /** The scopes of a frame; of the innermost one of the person's code where none is named. */
  async scopes(frame: number | undefined, signal: AbortSignal): Promise<Variable[]> {
    const { owner, id } = await this.#frameOf(frame, signal);
    const scopes = scopesOf(await this.#ask(owner, 'scopes', { frameId: id }, signal));
    return scopes.map(({ name, reference }) => ({
      name,
      value: '',
      type: '',
      reference: reference > 0 ? this.#values.of(owner, reference) : 0,
    }));
  }

  /** What is in a scope or value, from a place on, at most 100 of it. */
  async variables(reference: number, start: number, signal: AbortSignal): Promise<Variable[]> {
    const { owner, id } = this.#values.get(reference);
    const asked = { variablesReference: id, start, count: MOST_VARIABLES };
    const listed = variablesOf(await this.#ask(owner, 'variables', asked, signal));
    // Adapters without paging answer with all.
    const page = listed.length > MOST_VARIABLES ? listed.slice(start, start + MOST_VARIABLES) : listed;
    return page.map((variable) => shownVariable(variable, owner, this.#values));
  }

  /** @throws DapError what the evaluation says */
  async evaluate(expression: string, frame: number | undefined, signal: AbortSignal): Promise<Variable> {
    const at = this.#stops.current || frame !== undefined ? await this.#frameOf(frame, signal) : undefined;
    const member = at?.owner ?? this.#members.at(-1)!;
    const context = this.#options.settings.manners.evaluatesExpressions ? 'watch' : 'repl';
    const asked = { expression, context, ...(at ? { frameId: at.id } : {}) };
    const body = await this.#ask(member, 'evaluate', asked, signal);
    const value = field(body, 'result', 'string') ?? '';
    const type = field(body, 'type', 'string') ?? '';
    const reference = field(body, 'variablesReference', 'number') ?? 0;
    return shownVariable({ name: expression, value, type, reference, isGroup: false }, member, this.#values);
  }

  /** Gives a variable of a scope or value another value. @returns it as it is now */
  async setVariable(reference: number, name: string, value: string, signal: AbortSignal): Promise<string> {
    const { owner, id } = this.#values.get(reference);
    if (!owner.can('supportsSetVariable')) {
      throw new BlackError('not_supported', 'This debugger cannot set variables.', 'Evaluate an assignment.');
    }
    const body = await this.#ask(owner, 'setVariable', { variablesReference: id, name, value }, signal);
    return field(body, 'value', 'string') ?? value;
  }

  /** The breakpoints and exceptions of the settings have changed. */
  async update(signal: AbortSignal): Promise<void> {
    for (const member of this.#members) {
      await member.setBreakpoints(this.#options.settings, this.#limited(signal));
      await member.setExceptions(this.#options.settings, this.#limited(signal));
    }
  }

  breakpoints(): BreakpointState[] {
    return this.#options.settings.breakpoints.all.map((wanted) => {
      const states = this.#members.flatMap((member) => member.stateOf(wanted) ?? []);
      const best = states.find(({ verified }) => verified) ?? states[0];
      return { place: wanted.place, ...(best ?? { verified: false, line: undefined, message: undefined }) };
    });
  }

  set exceptions(mode: ExceptionMode) {
    this.#options.settings.exceptions = mode;
  }

  /** Ends it, with all its processes. */
  async end(why: NonNullable<Ended['why']>): Promise<void> {
    this.#finish(why, '');
    await this.#ending;
  }

  async #clear(): Promise<void> {
    const [parent] = this.#members;
    if (parent) {
      const farewell = { terminateDebuggee: this.#options.adapter.configuration.request === 'launch' };
      // What is attached to has to be let go by the adapter; what was launched is ended whatever it answers.
      await parent.request('disconnect', farewell, AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined);
    }
    await this.#options.adapter.end();
    const reason = new BlackError('session_over', 'The debug session is over.');
    for (const member of this.#members) member.connection.close(reason);
  }

  /** Opens a conversation and begins what it is about. */
  async #join(configuration: Configuration, to: Address | undefined, signal: AbortSignal): Promise<void> {
    let member: SessionMember | undefined;
    const listener: ConnectionListener = {
      onEvent: (event, body) => {
        if (member && Object.hasOwn(this.#events, event)) this.#events[event]!(member, body);
      },
      onRequest: (command, args) => this.#onRequest(command, args),
      onClosed: (reason) => {
        member?.onClosed(reason);
        if (member && member !== this.#members[0]) this.#leave(member);
      },
    };
    const connection = await this.#options.adapter.connect(listener, to);
    member = new SessionMember(connection);
    this.#members.push(member);
    await member.begin(configuration, this.#options.settings, signal);
  }

  #onRequest(command: string, args: unknown): Promise<unknown> | undefined {
    if (command !== 'startDebugging' || !isRecord(args)) return undefined;
    const request = args.request === 'attach' ? 'attach' : 'launch';
    this.#joinChild({ request, arguments: isRecord(args.configuration) ? args.configuration : {} }, undefined);
    return Promise.resolve({});
  }

  /** What the adapter tells by itself. */
  readonly #events: Readonly<Record<string, (member: SessionMember, body: unknown) => void>> = {
    initialized: (member) => member.onInitialized(),
    capabilities: (member, body) => member.onCapabilities(body),
    breakpoint: (member, body) => member.onBreakpoint(body),
    output: (_member, body) => {
      if (field(body, 'category', 'string') !== 'telemetry') this.#print(field(body, 'output', 'string') ?? '');
    },
    stopped: (member, body) => this.#onStopped(member, body),
    continued: (member, body) => {
      const isAll = field(body, 'allThreadsContinued', 'boolean') === true;
      this.#resumed(member, isAll ? undefined : field(body, 'threadId', 'number'));
    },
    thread: (member, body) => {
      const threadId = field(body, 'threadId', 'number');
      if (threadId !== undefined && field(body, 'reason', 'string') === 'exited') this.#stops.remove(member, threadId);
    },
    exited: (member, body) => {
      if (member !== this.#members[0]) return;
      // Some tell it only after they have said that it is over.
      this.#exitCode = field(body, 'exitCode', 'number');
      if (this.#ended) this.#ended = { ...this.#ended, exitCode: this.#exitCode };
    },
    debugpyAttach: (_member, body) => this.#attachChild(body),
    terminated: (member) => {
      if (member !== this.#members[0]) this.#leave(member);
      else this.#finish(undefined, '');
    },
  };

  #print(text: string): void {
    this.#output.push(text);
    // Its last words while it is being ended are in the answer.
    if (!this.#ended) this.#options.onOutput?.(text);
  }

  #onStopped(member: SessionMember, body: unknown): void {
    const event = stoppedOf(body);
    // Where no thread is named it is the first one that is asked about.
    this.#stops.add({ member, threadId: event.threadId ?? 1, event });
    this.#waiters.wake();
  }

  /** debugpy tells the debugger where a child process waits for it. */
  #attachChild(body: unknown): void {
    const connect = isRecord(body) && isRecord(body.connect) ? body.connect : {};
    const port = Number(connect.port);
    if (!isRecord(body) || !Number.isInteger(port)) return;
    const host = typeof connect.host === 'string' ? connect.host : '127.0.0.1';
    this.#joinChild({ request: 'attach', arguments: body }, { host, port });
  }

  #joinChild(configuration: Configuration, to: Address | undefined): void {
    this.#join(configuration, to, this.#over.signal).catch((cause: unknown) => {
      if (!this.#ended) this.#print(`[a child process cannot be debugged: ${BlackError.toValue(cause).message}]\n`);
    });
  }

  /** A child session is over. */
  #leave(member: SessionMember): void {
    const at = this.#members.indexOf(member);
    if (at > 0) this.#members.splice(at, 1);
    this.#resumed(member, undefined);
    this.#waiters.wake();
  }

  #resumed(member: SessionMember, threadId: number | undefined): Stop[] {
    const gone = this.#stops.remove(member, threadId);
    if (!this.#options.adapter.keepsNumbers) {
      this.#frames.forget(member);
      this.#values.forget(member);
    }
    return gone;
  }

  #finish(why: Ended['why'], words: string): void {
    if (this.#ended) return;
    this.#ended = { state: 'ended', exitCode: this.#exitCode, why, words };
    this.#stops.clear();
    this.#over.abort(new BlackError('session_over', 'The debug session is over.'));
    this.#ending = this.#clear();
    this.#waiters.wake();
  }

  async #outcome(signal: AbortSignal): Promise<DebugState> {
    if (this.#ended) {
      await this.#ending;
      return this.#ended;
    }
    const stop = this.#stops.current;
    if (!stop) return { state: 'running' };
    const collected = await this.#bounded(signal, (facts) => collectStop(stop, facts));
    // It may have ended, or gone on, while it was looked at.
    if (this.#ended || this.#stops.current !== stop) return this.#outcome(signal);
    const names = new Map((await this.threads(signal).catch(() => [])).map((each) => [each.id, each]));
    const shown = ({ member, threadId }: Stop): Thread => {
      const id = this.#threads.of(member, threadId);
      return names.get(id) ?? { id, name: `thread ${id}`, stopped: true };
    };
    const others = this.#stops.all.filter((each) => each !== stop);
    return { state: 'stopped', stop: { ...collected, thread: shown(stop), alsoStopped: others.map(shown) } };
  }

  #stopped(thread: number | undefined): Stop {
    this.#checkAlive();
    const chosen = thread === undefined ? undefined : this.#threads.get(thread);
    // Where one thread stops all of them, each can be asked.
    const stop = chosen
      ? (this.#stops.of(chosen.owner, chosen.id) ??
        this.#stops.all
          .filter(({ member, event }) => member === chosen.owner && event.allThreadsStopped)
          .map((each) => ({ ...each, threadId: chosen.id }))[0])
      : this.#stops.current;
    if (stop) return stop;
    throw new BlackError('not_stopped', `${this.title} is running.`, 'Wait for a stop, or pause it.');
  }

  async #frameOf(frame: number | undefined, signal: AbortSignal): Promise<{ owner: SessionMember; id: number }> {
    if (frame !== undefined) return this.#frames.get(frame);
    const { member, threadId } = this.#stopped(undefined);
    const stack = await this.#bounded(signal, (facts) => stackOf(member, threadId, facts));
    const top = stack.find(({ isUser }) => isUser) ?? stack[0];
    if (top) return this.#frames.get(top.id);
    throw new BlackError('no_frame', 'There is no frame to look at.');
  }

  async #threadIds(member: SessionMember, signal: AbortSignal): Promise<number[]> {
    return threadsOf(await this.#ask(member, 'threads', undefined, signal)).map(({ id }) => id);
  }

  #ask(member: SessionMember, command: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    this.#checkAlive();
    return member.request(command, args, this.#limited(signal));
  }

  /** Asks several things within one limit of time. */
  #bounded<T>(signal: AbortSignal, act: (facts: ReportFacts) => Promise<T>): Promise<T> {
    const { root, readText, settings } = this.#options;
    const wanted = settings.breakpoints.all.map(({ place }) => place);
    const failures = (settings.manners.exceptionFunctions?.(settings.exceptions) ?? []).filter(
      (name) => !wanted.includes(name),
    );
    const handles = { frames: this.#frames, values: this.#values };
    return act({ root, readText, failures, ...handles, signal: this.#limited(signal) });
  }

  #limited(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#over.signal, AbortSignal.timeout(ANSWER_MS)]);
  }

  #checkAlive(): void {
    if (this.#ended) throw new BlackError('session_over', 'The debug session is over.', 'Launch the program again.');
  }
}
