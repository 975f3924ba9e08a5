import { basename } from 'node:path';
import { BlackError, isRecord } from '@black-ide/protocol';
import { realPathOf } from '@black-ide/workspace';
import type { Configuration, ConnectionListener, DebugConnection, StartedAdapter } from '../connection.ts';
import { ChatterFilter, type Greeting } from './bootloader.ts';
import type { Dial } from './dial.ts';
import { findInspector } from './inspector-socket.ts';
import { NodePrograms } from './node-programs.ts';
import type { NodeTarget, TargetSettings, TargetStop } from './node-target.ts';
import type { ExceptionMode } from './pause-judge.ts';
import type { BreakpointNews, WantedBreakpoint, WantedFunction } from './target-breakpoints.ts';

/** A command line that starts Node somewhere, once. */
export interface NodeProgram {
  /** Runs it to its end. Each Node process in it greets before its first line, and waits. */
  run(hooks: {
    onGreeting: (greeting: Greeting) => void;
    onOutput: (text: string) => void;
    signal: AbortSignal;
  }): Promise<{ exitCode: number | null; words: string }>;
}

export interface NodeAdapterOptions {
  /** What is debugged: a command line, or the inspector behind a port. */
  debuggee: NodeProgram | { port: number };
  cwd: string;
  stopOnEntry?: boolean;
  dial: Dial;
  /** The text of a file for source maps; undefined where it is not to be read. */
  readText(path: string): Promise<string | undefined>;
}

const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsSetVariable: true,
  supportsExceptionInfoRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [
    { filter: 'uncaught', label: 'Exceptions that make something fail', default: true },
    { filter: 'all', label: 'All exceptions that pass your own code', default: false },
  ],
};

type Arguments = Readonly<Record<string, unknown>>;

/**
 * A debug adapter for Node over its inspector, in this very process: it speaks the Debug Adapter Protocol as objects. All
 * Node processes that a command line starts, and their worker threads, are threads of one session.
 */
export class NodeAdapter implements StartedAdapter {
  readonly configuration: Configuration;
  readonly keepsNumbers = true;
  readonly ended: Promise<{ words: string }>;
  readonly #options: NodeAdapterOptions;
  readonly #programs: NodePrograms;
  readonly #stop = new AbortController();
  readonly #files = new Map<string, readonly WantedBreakpoint[]>();
  readonly #news = new Map<number, BreakpointNews>();
  readonly #end = Promise.withResolvers<{ words: string }>();
  #functions: readonly WantedFunction[] = [];
  #exceptions: ExceptionMode = 'none';
  #lastBreakpoint = 0;
  #listener: ConnectionListener | undefined;
  #stoppedAtEntry = false;
  #started = false;

  constructor(options: NodeAdapterOptions) {
    this.#options = options;
    this.ended = this.#end.promise;
    this.configuration = { request: 'run' in options.debuggee ? 'launch' : 'attach', arguments: {} };
    const { cwd, dial, readText } = options;
    const isAttached = 'port' in options.debuggee;
    this.#programs = new NodePrograms({
      dial,
      host: {
        cwd,
        readText,
        onStopped: (target, stop) => this.#stopped(target, stop),
        onOutput: (_target, text, category) => {
          // What a program of ours prints comes through its output.
          if (category === 'log' || isAttached) this.#event('output', { category: 'console', output: text });
        },
        onBreakpoint: (id, news) => this.#breakpointNews(id, news),
      },
      settings: () => this.#settings(),
      onChange: (reason, threadId) => {
        this.#event('thread', { reason, threadId });
        if (reason === 'exited' && isAttached && this.#programs.all().length === 0) this.#terminated('');
      },
    });
  }

  async connect(listener: ConnectionListener): Promise<DebugConnection> {
    this.#listener = listener;
    return {
      request: async (command, args, signal) => {
        signal?.throwIfAborted();
        return (await this.#answer(command, isRecord(args) ? args : {}, signal)) ?? {};
      },
      close: () => {
        this.#listener = undefined;
      },
    };
  }

  async end(): Promise<void> {
    this.#stop.abort();
    if (!this.#started || 'port' in this.#options.debuggee) this.#terminated('');
    // A program that is let go before it has ended would run on.
    await this.ended;
    this.#programs.detach();
  }

  async #answer(command: string, args: Arguments, signal: AbortSignal | undefined): Promise<unknown> {
    switch (command) {
      case 'initialize':
        queueMicrotask(() => this.#event('initialized', undefined));
        return CAPABILITIES;
      case 'launch':
      case 'attach':
        return;
      case 'configurationDone':
        return this.#begin();
      case 'setBreakpoints':
        return { breakpoints: await this.#setBreakpoints(args) };
      case 'setFunctionBreakpoints':
        return { breakpoints: await this.#setFunctions(args) };
      case 'setExceptionBreakpoints':
        return this.#setExceptions(args);
      case 'threads':
        return { threads: this.#programs.all().map(({ id, name }) => ({ id, name })) };
      case 'terminate':
      case 'disconnect':
        return this.end();
      default:
        return this.#answerStopped(command, args, signal);
    }
  }

  /** Requests about one program. */
  async #answerStopped(command: string, args: Arguments, signal: AbortSignal | undefined): Promise<unknown> {
    switch (command) {
      case 'stackTrace': {
        const all = await this.#thread(args).stack();
        const from = numberOr(args.startFrame, 0);
        const count = numberOr(args.levels, 0) || all.length;
        return { stackFrames: all.slice(from, from + count), totalFrames: all.length };
      }
      case 'scopes':
        return { scopes: this.#ofFrame(args.frameId).scopes(Number(args.frameId)) };
      case 'variables': {
        const reference = Number(args.variablesReference);
        const start = numberOr(args.start, 0);
        const count = numberOr(args.count, 0) || undefined;
        return { variables: await this.#ofValue(reference).variables(reference, start, count, signal) };
      }
      case 'setVariable': {
        const reference = Number(args.variablesReference);
        return this.#ofValue(reference).setVariable(reference, String(args.name), String(args.value), signal);
      }
      case 'evaluate': {
        const frameId = typeof args.frameId === 'number' ? args.frameId : undefined;
        const target = frameId === undefined ? this.#anyProgram() : this.#ofFrame(frameId);
        const { value, ...rest } = await target.evaluate(String(args.expression), frameId, signal);
        return { result: value, ...rest };
      }
      case 'exceptionInfo': {
        const thrown = this.#thread(args).exception();
        if (!thrown) throw new BlackError('no_exception', 'It does not stand at an exception.');
        return { exceptionId: thrown.id, description: thrown.text, breakMode: 'always' };
      }
      case 'source':
        return { content: await this.#ofFrame(args.sourceReference).sourceOfFrame(Number(args.sourceReference)) };
      case 'continue':
        await this.#thread(args).resume();
        return { allThreadsContinued: false };
      case 'next':
        return this.#thread(args).step('over');
      case 'stepIn':
        return this.#thread(args).step('into');
      case 'stepOut':
        return this.#thread(args).step('out');
      case 'pause':
        return this.#thread(args).pause();
      default:
        throw new BlackError('unknown_command', `There is no command ${command}.`);
    }
  }

  /** Everything is set: the program starts, or is connected to. */
  async #begin(): Promise<void> {
    this.#started = true;
    const { debuggee, dial } = this.#options;
    if ('port' in debuggee) {
      await this.#programs.add(await findInspector(debuggee.port, dial), `port ${debuggee.port}`);
      return;
    }
    const chatter = new ChatterFilter();
    const print = (output: string): void => {
      if (output) this.#event('output', { category: 'stdout', output });
    };
    const running = debuggee.run({
      signal: this.#stop.signal,
      onOutput: (text) => print(chatter.push(text)),
      onGreeting: ({ url, pid, argv }) => {
        const name = `${argv[1] === undefined ? 'node' : basename(argv[1])} (process ${pid})`;
        const isFirst = this.#options.stopOnEntry === true && !this.#stoppedAtEntry;
        const entry = isFirst && argv[1] !== undefined ? realPathOf(argv[1]) : undefined;
        this.#programs.add(url, name, entry).catch((cause: unknown) => {
          // It may have ended before we were there; where it waits for us in vain, the deadline ends it.
          print(`[${name} cannot be debugged: ${BlackError.toValue(cause).message}]\n`);
        });
      },
    });
    running.then(
      ({ exitCode, words }) => {
        print(chatter.end());
        if (exitCode !== null) this.#event('exited', { exitCode });
        this.#terminated(words);
      },
      (cause: unknown) => this.#terminated(BlackError.toValue(cause).message),
    );
  }

  #terminated(words: string): void {
    this.#event('terminated', undefined);
    this.#end.resolve({ words });
  }

  #settings(): TargetSettings {
    return { exceptions: this.#exceptions, files: this.#files, functions: this.#functions };
  }

  async #setBreakpoints({ source, breakpoints }: Arguments): Promise<unknown[]> {
    const path = isRecord(source) && typeof source.path === 'string' ? source.path : undefined;
    if (path === undefined) throw new BlackError('no_file', 'A breakpoint needs a file.');
    const wanted = listOf(breakpoints).map(({ line, condition, logMessage }) => ({
      id: ++this.#lastBreakpoint,
      line: Number(line),
      ...(typeof condition === 'string' ? { condition } : {}),
      ...(typeof logMessage === 'string' ? { logMessage } : {}),
    }));
    this.#files.set(path, wanted);
    await Promise.all(this.#programs.all().map((target) => target.setFile(path, wanted)));
    return wanted.map(({ id, line }) => this.#shown(id, line));
  }

  async #setFunctions({ breakpoints }: Arguments): Promise<unknown[]> {
    this.#functions = listOf(breakpoints).map(({ name, condition }) => ({
      id: ++this.#lastBreakpoint,
      name: String(name),
      ...(typeof condition === 'string' ? { condition } : {}),
    }));
    await Promise.all(this.#programs.all().map((target) => target.setFunctions(this.#functions)));
    return this.#functions.map(({ id }) => this.#shown(id));
  }

  async #setExceptions({ filters }: Arguments): Promise<void> {
    const chosen = Array.isArray(filters) ? filters : [];
    this.#exceptions = chosen.includes('all') ? 'all' : chosen.includes('uncaught') ? 'uncaught' : 'none';
    await Promise.all(this.#programs.all().map((target) => target.setExceptions(this.#exceptions)));
  }

  #shown(id: number, line?: number) {
    return { id, verified: false, ...(line === undefined ? {} : { line }), ...this.#news.get(id) };
  }

  #breakpointNews(id: number, news: BreakpointNews): void {
    if (id === 0) return;
    this.#news.set(id, news);
    this.#event('breakpoint', { reason: 'changed', breakpoint: { id, ...news } });
  }

  #stopped(target: NodeTarget, { reason, text, hitBreakpointIds }: TargetStop): void {
    const { id } = target;
    if (reason === 'entry') {
      // The first program of several: the others run.
      if (this.#stoppedAtEntry) return void target.resume().catch(() => target.detach());
      this.#stoppedAtEntry = true;
    }
    this.#event('stopped', {
      reason,
      threadId: id,
      allThreadsStopped: false,
      ...(text === undefined ? {} : { text }),
      ...(hitBreakpointIds.length > 0 ? { hitBreakpointIds } : {}),
    });
  }

  #thread({ threadId }: Arguments): NodeTarget {
    const target = this.#programs.get(Number(threadId));
    if (target) return target;
    throw new BlackError('no_thread', `There is no thread ${String(threadId)} (any more).`);
  }

  #anyProgram(): NodeTarget {
    const all = this.#programs.all();
    const target = all.find(({ stopped }) => stopped) ?? all[0];
    if (target) return target;
    throw new BlackError('no_thread', 'No program runs.');
  }

  #ofFrame(frameId: unknown): NodeTarget {
    const target = this.#programs.all().find((each) => each.hasFrame(Number(frameId)));
    if (target) return target;
    throw new BlackError('no_frame', 'Nothing can be asked of that frame: it is over, or waits behind an await.');
  }

  #ofValue(reference: number): NodeTarget {
    const target = this.#programs.all().find((each) => each.hasValue(reference));
    if (target) return target;
    throw new BlackError('stale_reference', 'This value is from an earlier stop.', 'Ask for the variables again.');
  }

  #event(event: string, body: unknown): void {
    this.#listener?.onEvent(event, body);
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
