import { BlackError } from '@black-ide/protocol';
import { BOOTLOADER_FILE, HALT } from './bootloader.ts';
import { CdpClient, type CdpTransport } from './cdp-client.ts';
import type { CdpCallFrame, CdpLocation, PausedEvent, RemoteObject, ScriptParsed } from './cdp-types.ts';
import { Evaluation } from './evaluation.ts';
import { type ExceptionMode, PauseJudge } from './pause-judge.ts';
import { type DapVariable, RemoteValues } from './remote-values.ts';
import { Scripts } from './scripts.ts';
import { loadSourceMap } from './source-map.ts';
import { PendingStep, STEP_METHODS, type Step } from './stepping.ts';
import {
  type BreakpointNews,
  ENTRY,
  TargetBreakpoints,
  type WantedBreakpoint,
  type WantedFunction,
} from './target-breakpoints.ts';
import { type DapFrame, type DapScope, lineOf, TargetFrames } from './target-frames.ts';
import { TargetWorkers } from './target-workers.ts';
import { thrownText, valueText } from './value-text.ts';

/** Why a program stands still. */
export interface TargetStop {
  reason: 'breakpoint' | 'function breakpoint' | 'exception' | 'step' | 'pause' | 'entry';
  /** What was thrown. */
  text?: string;
  hitBreakpointIds: number[];
}

/** What all programs of a session are told from their start on. */
export interface TargetSettings {
  exceptions: ExceptionMode;
  files: ReadonlyMap<string, readonly WantedBreakpoint[]>;
  functions: readonly WantedFunction[];
  /** Stops before the first line of this file. */
  entry?: string;
}

/** What a program needs of the adapter. */
export interface TargetHost {
  readonly cwd: string;
  readText(path: string): Promise<string | undefined>;
  /** A number that is unique among all programs of the session. */
  newReference(): number;
  onStopped(target: NodeTarget, stop: TargetStop): void;
  onOutput(target: NodeTarget, text: string, category: 'console' | 'log'): void;
  onBreakpoint(id: number, news: BreakpointNews): void;
  /** A worker thread of the program, with its messages. */
  onWorker(target: NodeTarget, workerId: string, transport: CdpTransport, title: string): (text: string) => void;
  onWorkerGone(target: NodeTarget, workerId: string): void;
  onGone(target: NodeTarget): void;
}

const ASYNC_DEPTH = 32;
const LOG = '__blackDebugLog';

/** One program that is debugged, a Node process or a worker thread, behind its inspector. */
export class NodeTarget {
  readonly id: number;
  readonly name: string;
  readonly #host: TargetHost;
  readonly #client: CdpClient;
  readonly #scripts: Scripts;
  readonly #values: RemoteValues;
  readonly #breakpoints: TargetBreakpoints;
  readonly #judge: PauseJudge;
  readonly #workers: TargetWorkers;
  readonly #evaluation: Evaluation;
  #exceptions: ExceptionMode = 'none';
  #frames: TargetFrames | undefined;
  #thrown: RemoteObject | undefined;
  #step: PendingStep | undefined;
  #pausing = false;
  #isGone = false;
  #mainContext: number | undefined;
  #instrumentation: { kind: string; id: string } | undefined;

  constructor(id: number, name: string, transport: CdpTransport, host: TargetHost) {
    this.id = id;
    this.name = name;
    this.#host = host;
    const client = new CdpClient(transport, (method, params) => this.#onEvent(method, params));
    this.#client = client;
    this.#scripts = new Scripts({
      cwd: host.cwd,
      readText: (path) => host.readText(path),
      sourceOf: (scriptId) => this.#sourceOf(scriptId),
    });
    this.#values = new RemoteValues(client, () => host.newReference());
    this.#evaluation = new Evaluation(client);
    this.#workers = new TargetWorkers({
      client,
      onWorker: (workerId, workerTransport, title) => host.onWorker(this, workerId, workerTransport, title),
      onGone: (workerId) => host.onWorkerGone(this, workerId),
    });
    const onNews = (breakpoint: number, news: BreakpointNews): void => host.onBreakpoint(breakpoint, news);
    this.#breakpoints = new TargetBreakpoints({
      client,
      scripts: this.#scripts,
      binding: LOG,
      whyNoScript: (text) => this.#evaluation.whyNoScript(text),
      onNews,
    });
    this.#judge = new PauseJudge(client, this.#scripts);
  }

  /** A message of its inspector. */
  receive(text: string): void {
    this.#client.receive(text);
  }

  /** Its inspector is gone. */
  closed(reason: Error): void {
    this.#isGone = true;
    this.#client.closed(reason);
  }

  get stopped(): boolean {
    return this.#frames !== undefined;
  }

  /** Prepares the program and lets it run. */
  async start({ exceptions, files, functions, entry }: TargetSettings): Promise<void> {
    const call = (method: string, params?: object) => this.#client.call(method, params);
    // Node before 22 does not know all of them.
    const optional = (method: string, params?: object) => call(method, params).catch(() => ({}));
    await Promise.all([
      call('Runtime.enable'),
      call('Debugger.enable'),
      call('Debugger.setAsyncCallStackDepth', { maxDepth: ASYNC_DEPTH }),
      call('Runtime.addBinding', { name: LOG }),
      optional('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true }),
      optional('NodeWorker.enable', { waitForDebuggerOnStart: true }),
    ]);
    for (const [path, wanted] of files) await this.#breakpoints.setFile(path, wanted);
    if (entry !== undefined) await this.#breakpoints.setEntry(entry, await this.#host.readText(entry));
    await this.#breakpoints.setFunctions(functions);
    await this.#followScripts();
    await this.setExceptions(exceptions);
    await call('Runtime.runIfWaitingForDebugger');
  }

  async setExceptions(mode: ExceptionMode): Promise<void> {
    this.#exceptions = mode;
    // Which are a reason to stop is judged here; V8 takes those that a test runner catches for harmless.
    await this.#client.call('Debugger.setPauseOnExceptions', { state: mode === 'none' ? 'none' : 'all' });
  }

  async setFile(path: string, wanted: readonly WantedBreakpoint[]): Promise<void> {
    await this.#breakpoints.setFile(path, wanted);
  }

  async setFunctions(wanted: readonly WantedFunction[]): Promise<void> {
    await this.#breakpoints.setFunctions(wanted);
    await this.#followScripts();
  }

  stack(): Promise<DapFrame[]> {
    return this.#stoppedFrames().stack();
  }

  hasFrame(id: number): boolean {
    return this.#frames?.frame(id) !== undefined;
  }

  scopes(frameId: number): DapScope[] {
    return this.#stoppedFrames().scopes(this.#frame(frameId));
  }

  hasValue(reference: number): boolean {
    return this.#values.has(reference);
  }

  variables(reference: number, start?: number, count?: number, signal?: AbortSignal): Promise<DapVariable[]> {
    return this.#values.list(reference, start, count, signal);
  }

  async setVariable(reference: number, name: string, expression: string, signal?: AbortSignal): Promise<DapVariable> {
    const value = await this.#evaluation.evaluate(expression, this.#stoppedFrames().top?.callFrameId, signal);
    await this.#values.set(reference, name, value);
    return this.#values.shown(name, value);
  }

  /** In a frame of a program that stands still, or globally. @throws BlackError `evaluation_failed` */
  async evaluate(expression: string, frameId: number | undefined, signal?: AbortSignal): Promise<DapVariable> {
    const frame = frameId === undefined ? this.#frames?.top : this.#frame(frameId);
    return this.#values.shown('result', await this.#evaluation.evaluate(expression, frame?.callFrameId, signal));
  }

  /** What was thrown; undefined where it does not stand at an exception. */
  exception(): { id: string; text: string } | undefined {
    return this.#thrown && { id: this.#thrown.className ?? this.#thrown.type, text: thrownText(this.#thrown) };
  }

  /** The code of a frame that is in no file. */
  sourceOfFrame(id: number): Promise<string> {
    return this.#sourceOf(this.#frame(id).location.scriptId);
  }

  async #sourceOf(scriptId: string): Promise<string> {
    return String((await this.#client.call('Debugger.getScriptSource', { scriptId })).scriptSource);
  }

  async resume(): Promise<void> {
    this.#stoppedFrames();
    this.#goOn();
    await this.#client.call('Debugger.resume');
  }

  async step(kind: Step): Promise<void> {
    const { depth, line } = this.#stoppedFrames();
    this.#goOn();
    this.#step = new PendingStep(kind, depth, line);
    await this.#client.call(STEP_METHODS[kind]);
  }

  async pause(): Promise<void> {
    this.#pausing = true;
    await this.#client.call('Debugger.pause');
  }

  /** Lets the program run on without us. */
  detach(): void {
    this.#isGone = true;
    this.#client.close();
    this.#host.onGone(this);
  }

  #stoppedFrames(): TargetFrames {
    if (this.#frames) return this.#frames;
    throw new BlackError('not_stopped', `${this.name} is running.`, 'Pause it, or wait until it stops.');
  }

  #frame(id: number): CdpCallFrame {
    const frame = this.#stoppedFrames().frame(id);
    if (frame) return frame;
    throw new BlackError('no_frame', 'Nothing can be asked of that frame: it is over, or waits behind an await.');
  }

  #goOn(): void {
    this.#frames = undefined;
    this.#thrown = undefined;
    this.#pausing = false;
    this.#values.release();
  }

  /** Asks V8 to halt before scripts run: all of them, or only those with a source map, whose breakpoints come with them. */
  async #followScripts(): Promise<void> {
    const kind = this.#breakpoints.followsScripts ? 'beforeScriptExecution' : 'beforeScriptWithSourceMapExecution';
    if (this.#instrumentation?.kind === kind) return;
    if (this.#instrumentation) {
      await this.#client.call('Debugger.removeBreakpoint', { breakpointId: this.#instrumentation.id });
    }
    const { breakpointId } = await this.#client.call('Debugger.setInstrumentationBreakpoint', {
      instrumentation: kind,
    });
    this.#instrumentation = { kind, id: String(breakpointId) };
  }

  #onEvent(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case 'Debugger.scriptParsed':
        this.#scripts.add(params as unknown as ScriptParsed);
        return;
      case 'Debugger.paused':
        this.#onPaused(params as unknown as PausedEvent).catch((cause: unknown) => this.#giveUp(cause));
        return;
      case 'Debugger.breakpointResolved':
        this.#breakpoints
          .onResolved(String(params.breakpointId), params.location as CdpLocation)
          .catch((cause: unknown) => this.#giveUp(cause));
        return;
      case 'Runtime.bindingCalled':
        if (params.name === LOG) this.#host.onOutput(this, `${params.payload}\n`, 'log');
        return;
      case 'Runtime.consoleAPICalled':
        this.#host.onOutput(this, consoleText(params), 'console');
        return;
      case 'Runtime.executionContextCreated': {
        const { id } = params.context as { id: number };
        this.#mainContext ??= id;
        return;
      }
      case 'Runtime.executionContextDestroyed':
        if (params.executionContextId === this.#mainContext) this.detach();
        return;
      case 'NodeRuntime.waitingForDisconnect':
        this.detach();
        return;
      default:
        this.#workers.onEvent(method, params);
    }
  }

  /** It runs on without us, rather than to stand still for ever. */
  #giveUp(cause: unknown): void {
    const { message } = BlackError.toValue(cause);
    if (!this.#isGone) this.#host.onOutput(this, `[${this.name} is not debugged any more: ${message}]\n`, 'log');
    this.detach();
  }

  async #onPaused(event: PausedEvent): Promise<void> {
    const stop = await this.#reasonOf(event);
    const users = stop || !this.#step ? [] : await this.#users(event);
    const step = stop
      ? undefined
      : this.#step?.next({ users, line: lineOf(event), isInterruption: isInterruption(event) });
    if (!stop && step !== 'ended') {
      const kind = step === 'run' ? undefined : step;
      if (kind === undefined) this.#step = undefined;
      await this.#client.call(kind === undefined ? 'Debugger.resume' : STEP_METHODS[kind]);
      return;
    }
    this.#step = undefined;
    this.#pausing = false;
    this.#thrown = isThrow(event) ? event.data : undefined;
    const newReference = (): number => this.#host.newReference();
    this.#frames = new TargetFrames(event, { scripts: this.#scripts, values: this.#values, newReference });
    this.#host.onStopped(this, stop ?? { reason: 'step', hitBreakpointIds: [] });
  }

  /** Why the program stops here; undefined: it does not, or a step ends here. */
  async #reasonOf(event: PausedEvent): Promise<TargetStop | undefined> {
    if (event.reason === 'Break on start') return undefined;
    if (event.reason === 'instrumentation') {
      const script = this.#scripts.get(event.data?.scriptId ?? '');
      if (script) await this.#breakpoints.onScript(script, event.callFrames[0]?.location);
      return undefined;
    }
    const [top] = event.callFrames;
    if (top?.functionName === HALT && this.#scripts.get(top.location.scriptId)?.path?.endsWith(BOOTLOADER_FILE)) {
      await this.#onModule(top);
      return undefined;
    }
    if (isThrow(event)) {
      if (this.#evaluation.isCompiling && event.callFrames.length === 0) return undefined;
      if (!(await this.#judge.deservesStop(event, this.#exceptions))) return undefined;
      return { reason: 'exception', text: event.data ? thrownText(event.data) : '', hitBreakpointIds: [] };
    }
    const hit = this.#breakpoints.ownersOf(event.hitBreakpoints ?? []);
    if (hit.includes(ENTRY)) return { reason: 'entry', hitBreakpointIds: [] };
    if (hit.length > 0) return { reason: 'breakpoint', hitBreakpointIds: hit };
    if (this.#step) return undefined;
    if (this.#pausing) return { reason: 'pause', hitBreakpointIds: [] };
    return { reason: 'breakpoint', text: 'a debugger statement', hitBreakpointIds: [] };
  }

  /** The program is about to compile a module with a source map. */
  async #onModule({ callFrameId }: CdpCallFrame): Promise<void> {
    const asked = { callFrameId, expression: '[filename, map]', returnByValue: true };
    const { result } = await this.#client.call('Debugger.evaluateOnCallFrame', asked);
    const [filename, url] = (result as { value?: [unknown, unknown] }).value ?? [];
    if (typeof filename !== 'string' || typeof url !== 'string') return;
    const map = await loadSourceMap(url, filename, (path) => this.#host.readText(path));
    if (map) await this.#breakpoints.onModule(filename, map);
  }

  #users({ callFrames }: PausedEvent): Promise<boolean[]> {
    return Promise.all(callFrames.map(async ({ location }) => (await this.#scripts.place(location)).isUser));
  }
}

/** V8 halts for a reason of ours, or for an exception: no step of its own has ended. */
function isInterruption(event: PausedEvent): boolean {
  const isOurs = event.reason === 'instrumentation' || event.callFrames[0]?.functionName === HALT;
  return isOurs || event.reason === 'Break on start' || isThrow(event);
}

function isThrow({ reason }: PausedEvent): boolean {
  return reason === 'exception' || reason === 'promiseRejection';
}

function consoleText({ args }: Record<string, unknown>): string {
  const values = (args ?? []) as RemoteObject[];
  const words = values.map((value) => (value.type === 'string' ? String(value.value) : valueText(value)));
  return `${words.join(' ')}\n`;
}
