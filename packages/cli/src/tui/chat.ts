import { join } from 'node:path';
import type { Engine } from '@black-ide/engine';
import {
  type BackgroundCommand,
  type Choices,
  costs,
  EXPORT_FORMATS,
  isUnpriced,
  openRequests,
  type Request,
  type SessionSummary,
  taskStatus,
  textOf,
  timeline,
  type View,
  type ViewItem,
} from '@black-ide/protocol';
import { type Documents, writeFileAtomic } from '@black-ide/workspace';
import { unwrap } from '../failure.ts';
import type { OpenedEngine } from '../headless/open-engine.ts';
import { type FollowListener, SessionFollower } from '../headless/session-follower.ts';
import { tokenCount } from '../text/amounts.ts';
import { costLine } from '../text/cost-line.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import { activityLines, Since } from './activity.ts';
import { imagesIn } from './images.ts';
import { SessionChanges } from './session-changes.ts';
import type { StatusFacts } from './status-line.ts';
import type { Transcript } from './transcript.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** The face that draws what the chat tells. */
export interface ChatFace {
  /** Lines of the conversation, each once. */
  print(lines: readonly string[]): void;
  /** What goes on now is different. */
  changed(): void;
  /** Puts a message that was not sent back into the input, where there is one that can be changed. */
  giveBack?(text: string): void;
}

export interface ChatOptions {
  mode?: string;
  model?: string;
  maxIterations?: number;
  maxCost?: number;
  /** Plan each message first, or none. */
  plan?: boolean;
}

export interface ChatParts {
  opened: OpenedEngine;
  documents: Documents;
  files: WorkspaceFiles;
  face: ChatFace;
  newTranscript(): Transcript;
  options: ChatOptions;
}

/** The modes that Shift+Tab goes through; `/mode` has the others. */
const MAIN_MODES = ['Agent', 'Ask', 'Plan'];

/** Of a session that is opened again, so many of its last items are shown. */
const SHOWN_ITEMS = 60;

/**
 * A person's conversation with the engine: what they say goes down as commands, what comes up is folded into the view
 * and told to the face. It knows nothing of how a face looks.
 */
export class Chat {
  readonly #parts: ChatParts;
  /** What the person chose for the next task; where undefined, the session's own or the engine's default holds. */
  #chosen: { mode?: string | undefined; model?: string | undefined };
  #follower!: SessionFollower;
  #transcript: Transcript;
  /** Items of the view that have been told. */
  #told = 0;
  #requests: { of: View['requests']; open: Request[] } | undefined;
  #mode = '';
  #model = '';
  /** The running task's plan is not approved yet. */
  #planning = false;
  #window = { model: '', tokens: 0, images: true };
  #unpriced: { of?: View['spending']; is: boolean } = { is: false };
  #sending = false;
  /** The folder is not trusted. */
  #readOnly = false;
  /** Called when a question was answered. */
  readonly #waiters: (() => void)[] = [];
  /** Messages that a cancel gave back; the engine still tells of each. */
  readonly #givenBack: string[] = [];
  readonly #since = new Since();

  private constructor(parts: ChatParts) {
    this.#parts = parts;
    this.#chosen = { mode: parts.options.mode, model: parts.options.model };
    this.#transcript = parts.newTranscript();
  }

  /** Opens the named session, or a new one. @throws CliFailure where there is none, or it cannot be written. */
  static async open(parts: ChatParts, session: string | undefined): Promise<Chat> {
    const chat = new Chat(parts);
    await chat.#attach(await chat.#sessionId(session));
    return chat;
  }

  /** For commands that need nothing else of the chat. */
  get engine(): Engine {
    return this.#parts.opened.engine;
  }

  get view(): View {
    return this.#follower.view;
  }

  get running(): boolean {
    return this.view.live.running || this.#sending;
  }

  get isEmpty(): boolean {
    return this.view.items.every(isAboutTrust);
  }

  /** The line that is being written. */
  get partial(): string[] {
    return this.#transcript.partial();
  }

  /** What goes on right now, in lines for a person who looks at it. */
  activity(columns: number, paint: Painter, now: number): string[] {
    return activityLines(this.view, { columns, paint, since: this.#since, now });
  }

  /** The question that waits for the person, the oldest first. */
  get request(): Request | undefined {
    const { view } = this;
    if (this.#requests?.of !== view.requests) {
      const open = openRequests(view);
      // Questions of branches that were left concern nobody; walking the path costs, so only where one is open.
      const path = open.length > 0 ? new Set(timeline(view)) : undefined;
      const asked = view.items.flatMap((item) => (item.kind === 'request' && path?.has(item) ? [item.request.id] : []));
      this.#requests = { of: view.requests, open: open.filter(({ id }) => asked.includes(id)) };
    }
    return this.#requests.open[0];
  }

  /** The last task was cut off, e.g. by a kill, and can go on. */
  get canResume(): boolean {
    return !this.running && this.request === undefined && taskStatus(this.view) === 'running';
  }

  get status(): StatusFacts {
    const { usage, lastUsage } = this.view;
    const last = lastUsage && lastUsage.input + lastUsage.cacheRead + lastUsage.cacheWrite + lastUsage.output;
    return {
      mode: this.#chosen.mode ?? (this.#mode || 'Agent'),
      readOnly: this.#readOnly,
      ...(this.#planning ? { phase: 'planning' } : {}),
      model: this.#window.model,
      context: last && this.#window.tokens ? last / this.#window.tokens : undefined,
      cost: usage.cost.total,
      unpriced: this.#isUnpriced,
      background: this.background.length,
    };
  }

  /** Looked at with every frame, so it is found once for each change. */
  get #isUnpriced(): boolean {
    const { spending } = this.view;
    if (this.#unpriced.of !== spending) this.#unpriced = { of: spending, is: spending.some(isUnpriced) };
    return this.#unpriced.is;
  }

  /** Sends a message, or queues it while a task runs. @returns whether the engine took it. */
  async send(text: string): Promise<boolean> {
    const { opened, documents, options } = this.#parts;
    const { images, problems } = await imagesIn(text, opened.cwd, documents);
    if (images.length > 0 && !this.#window.images) problems.push(`${this.#window.model} takes no images.`);
    for (const problem of problems) this.note(`· ${problem}`);
    const { mode, model } = this.#chosen;
    this.#sending = true;
    const result = await opened.engine.execute({
      type: 'startAgentTask',
      sessionId: this.view.sessionId,
      text: this.#withoutMentions(text),
      ...(images.length > 0 && this.#window.images ? { images } : {}),
      ...(mode ? { mode } : {}),
      ...(model ? { model } : {}),
      ...(options.maxIterations ? { maxIterations: options.maxIterations } : {}),
      ...(options.maxCost ? { maxCost: options.maxCost } : {}),
      ...(options.plan === undefined ? {} : { plan: options.plan }),
    });
    this.#sending = false;
    if (!result.ok && result.error.code === 'plan_pending' && this.#parts.face.giveBack) {
      this.note('✗ A plan waits for your answer; the message was not sent.', 'bad');
      this.note('· If it says what should be different: Tab to “Reject & Revise”, Enter, and Enter again.');
    } else if (!result.ok) this.#failed(result.error);
    this.#parts.face.changed();
    return result.ok;
  }

  /** Asks whether the folder is trusted, where it is not. @returns whether there was anything to ask. */
  async askTrust(): Promise<boolean> {
    const command = { type: 'askTrust' as const, sessionId: this.view.sessionId };
    const asked = await this.#parts.opened.engine.execute(command);
    if (!asked.ok) this.#failed(asked.error);
    this.#readOnly = asked.ok && asked.value.requestId !== undefined;
    return this.#readOnly;
  }

  /** Resolves when no question about trust waits any more. */
  async trustAnswered(): Promise<void> {
    while (this.request?.kind === 'trust') await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Answers a question; a task that had stopped at it goes on. */
  async answer(request: Request, value: string, text?: string): Promise<void> {
    const { engine } = this.#parts.opened;
    const { sessionId } = this.view;
    const words = text ? { text } : {};
    const answered = await engine.execute({
      type: 'respond',
      sessionId,
      requestId: request.id,
      value,
      by: 'terminal',
      ...words,
    });
    if (!answered.ok) return this.#failed(answered.error);
    if (!this.view.live.running) await this.resume();
  }

  async resume(): Promise<void> {
    const resumed = await this.#parts.opened.engine.execute({ type: 'resumeTask', sessionId: this.view.sessionId });
    if (!resumed.ok) this.#failed(resumed.error);
  }

  /** Stops what runs. What waited for its turn goes back to the face, where it can take it. */
  async cancel(): Promise<void> {
    const { queue } = this.view.live;
    const { face, opened } = this.#parts;
    if (face.giveBack) this.#givenBack.push(...queue);
    const result = await opened.engine.execute({ type: 'cancelTask', sessionId: this.view.sessionId });
    if (!result.ok) this.#failed(result.error);
    if (queue.length > 0) face.giveBack?.(queue.join('\n'));
  }

  /** Takes the newest message that waits back to the face, to be changed. */
  async takeBack(): Promise<void> {
    const { face, opened } = this.#parts;
    const taken = await opened.engine.execute({ type: 'takeBackQueued', sessionId: this.view.sessionId });
    if (!taken.ok) this.#failed(taken.error);
    else if (taken.value.text !== undefined) face.giveBack?.(taken.value.text);
  }

  async newSession(): Promise<void> {
    await this.#switchTo(undefined);
  }

  async openSession(name: string): Promise<void> {
    await this.#switchTo(name);
  }

  async sessions(): Promise<SessionSummary[]> {
    return unwrap(await this.#parts.opened.engine.execute({ type: 'listSessions' })).sessions;
  }

  async choices(): Promise<Choices> {
    return unwrap(await this.#parts.opened.engine.execute({ type: 'listChoices' }));
  }

  /** The model for the next task on. */
  async setModel(name: string): Promise<void> {
    if (/\s/.test(name)) {
      this.note(`✗ “${name}” is no model: a name has no blanks. Send a message on a line of its own.`, 'bad');
      return;
    }
    const { engine } = this.#parts.opened;
    const result = this.isEmpty
      ? await engine.execute({ type: 'describeModel', model: name })
      : await engine.execute({ type: 'setModel', sessionId: this.view.sessionId, model: name });
    if (!result.ok) return this.#failed(result.error);
    const { model } = result.value;
    this.#chosen.model = this.isEmpty ? model : undefined;
    await this.#describe(model);
    // In a session that has begun the log tells it.
    if (this.isEmpty) this.note(`· model ${model}`);
  }

  async setMode(name: string): Promise<void> {
    const { modes } = await this.choices();
    const mode = modes.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (!mode) {
      const hidden = this.#readOnly ? ' Those of this folder are not read: it is not trusted (/trust).' : '';
      const names = modes.map((each) => each.name).join(', ');
      return this.note(`There is no mode ${name}. Choose one of: ${names}.${hidden}`, 'bad');
    }
    this.#chosen.mode = mode.name;
    this.note(`· The mode is ${mode.name}${this.running ? ' from the next task on' : ''}: ${mode.description}`);
  }

  /** The main mode after the present one, for the next task on; it is not told: whoever goes through them looks. */
  async nextMode(): Promise<Choices['modes'][number] | undefined> {
    const modes = (await this.choices()).modes.filter(({ name }) => MAIN_MODES.includes(name));
    const at = modes.findIndex(({ name }) => name.toLowerCase() === this.status.mode.toLowerCase());
    const next = modes[(at + 1) % modes.length];
    this.#chosen.mode = next?.name;
    return next;
  }

  /** The commands that run beside the conversation. */
  get background(): BackgroundCommand[] {
    return this.view.live.background.filter(({ state }) => state === 'running');
  }

  /** Condenses the conversation, where the engine can. */
  async compact(instructions: string): Promise<void> {
    const words = instructions ? { instructions } : {};
    const result = await this.#executeOffered({ type: 'compact', sessionId: this.view.sessionId, ...words });
    if (result && 'queued' in result && result.queued)
      this.note('· The conversation is summed up before the next turn.');
  }

  /** What a person can do with the session's changes. */
  get changes(): SessionChanges {
    return new SessionChanges(this.#parts.opened.engine, () => this.view.sessionId);
  }

  /** What the person said in a message. */
  saidIn(messageId: string): string {
    const message = this.view.items.find((item) => item.kind === 'user' && item.entry.id === messageId);
    return message?.kind === 'user' ? textOf(message.content) : '';
  }

  /** `/undo`, `/redo`, `/keep`: the log tells what came of it; what is in the way is told first, and merged on `merge`. */
  async settle(command: 'undo' | 'redo' | 'keep', argument: string): Promise<void> {
    const merge = /(^|\s)merge$/.test(argument);
    const words = argument.replace(/(^|\s)merge$/, '').trim();
    const path = words === '' ? undefined : join(this.#parts.opened.cwd, words);
    try {
      if (command === 'keep') {
        await this.changes.keep(path);
        return;
      }
      const outcome =
        command === 'redo'
          ? await this.changes.redo(merge)
          : await (path === undefined ? this.changes.undo(merge) : this.changes.restore(path, merge));
      if (outcome.failed) this.note(`✗ ${outcome.text}`, 'bad');
      if (outcome.mayMerge) this.note(`· /${[command, words, 'merge'].filter(Boolean).join(' ')} keeps both.`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#failed(error as Error & { next?: string });
    }
  }

  /** Writes the session into the working folder as one document, where the engine can make one. */
  async export(format: string): Promise<void> {
    const { sessionId } = this.view;
    const formats: readonly string[] = EXPORT_FORMATS;
    if (format && !formats.includes(format))
      return this.note(`There is no format ${format}. Choose one of: ${formats.join(', ')}.`, 'bad');
    const result = await this.#executeOffered({ type: 'exportSession', session: sessionId, format: format || 'html' });
    if (!result || !('content' in result) || !('fileName' in result)) return;
    const path = join(this.#parts.opened.cwd, String(result.fileName));
    if ((await this.#parts.documents.stat(path)).ok) {
      this.note(`✗ ${path} exists already; move it away first.`, 'bad');
      return;
    }
    writeFileAtomic(path, String(result.content));
    this.note(`· Wrote ${path}`);
  }

  /** What the session has used. */
  costLines(): string[] {
    const { usage, sessionId } = this.view;
    const { model, context } = this.status;
    const turns = this.view.items.filter((item) => item.kind === 'assistant').length;
    const full =
      context === undefined
        ? 'the next answer tells'
        : `${Math.round(100 * context)} % of ${tokenCount(this.#window.tokens)} tokens`;
    const all = costLine({ turns, usage, cost: usage.cost.total, unpriced: this.#isUnpriced });
    const { byModel } = costs(this.view);
    const parts = Object.entries(byModel).map(([name, part]) => {
      const unpriced = this.view.spending.some(
        (spent) => `${spent.provider}/${spent.model}` === name && isUnpriced(spent),
      );
      return `  ${name}: ${costLine({ usage: part, cost: part.cost.total, unpriced })}`;
    });
    return [model, all, ...(parts.length > 1 ? parts : []), `context: ${full}`, `session: ${sessionId}`];
  }

  note(text: string, tone: 'dim' | 'bad' = 'dim'): void {
    this.#print(this.#transcript.note(text, tone));
  }

  /** Tells why something did not work out, and what to do. */
  fail(error: { message: string; next?: string }): void {
    this.#failed(error);
  }

  dispose(): void {
    this.#follower?.dispose();
  }

  async #switchTo(name: string | undefined): Promise<void> {
    if (this.running) return this.note('A task is running. Ctrl+C stops it first.', 'bad');
    const before = this.#follower;
    const dropsPlan = this.request?.kind === 'plan';
    try {
      const next = await this.#sessionId(name);
      if (next === before.sessionId) return this.note('· This is that session.');
      await this.#attach(next, true);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return this.#failed(error as Error & { next?: string });
    }
    if (dropsPlan) this.note('· The plan that waited in the other session is dropped.');
    before.dispose();
    await this.#parts.opened.engine.execute({ type: 'closeSession', sessionId: before.sessionId });
    this.#parts.face.changed();
  }

  async #sessionId(name: string | undefined): Promise<string> {
    const { engine } = this.#parts.opened;
    if (name === undefined) return unwrap(await engine.execute({ type: 'newSession' })).sessionId;
    const { sessionId, readOnly, problems } = unwrap(await engine.execute({ type: 'openSession', session: name }));
    for (const problem of problems) this.note(`· ${problem}`);
    if (readOnly)
      throw Object.assign(new Error(`The session can only be read: ${readOnly}`), {
        next: `black sessions show ${sessionId} shows it.`,
      });
    return sessionId;
  }

  #title(path: readonly ViewItem[]): string {
    const first = path.find((item) => item.kind === 'user');
    return fitWidth(visibleLine(this.view.title || (first ? textOf(first.content) : '')), 40);
  }

  async #attach(sessionId: string, isSwitch = false): Promise<void> {
    const { engine } = this.#parts.opened;
    // A plan that waits in the thread that is left is dropped by this; one that waits here is back.
    unwrap(await engine.execute({ type: 'switchThread', threadId: sessionId }));
    const follower = await SessionFollower.attach(engine, sessionId);
    this.#follower = follower;
    this.#transcript = this.#parts.newTranscript();
    this.#requests = undefined;
    this.#mode = '';
    this.#model = '';
    this.#planning = false;
    const path = timeline(follower.view);
    if (isSwitch) this.note(path.length === 0 ? '─── new session ───' : `─── ${this.#title(path) || sessionId} ───`);
    const shown = new Set(path.slice(-SHOWN_ITEMS));
    if (path.length > shown.size) this.note(`· ${path.length - shown.size} earlier entries (/details shows more)`);
    for (const item of path) {
      this.#notice(item);
      if (shown.has(item)) this.#print(this.#transcript.add(item));
      else this.#transcript.skip(item);
    }
    this.#told = follower.view.items.length;
    if (follower.view.live.text) this.#print(this.#transcript.delta(follower.view.live.text));
    follower.listener = this.#take;
    await this.#describe(this.#chosen.model ?? (this.#model || undefined));
    if (this.canResume) this.note('· The last task was cut off. Enter goes on with it; a message begins anew.');
  }

  readonly #take: FollowListener = (event, view) => {
    switch (event.type) {
      case 'TextDelta':
        this.#print(this.#transcript.delta(event.text));
        break;
      case 'RetryScheduled':
        this.#print(this.#transcript.startOver());
        break;
      case 'DiagnosticReported':
        if (this.#isGivenBack(event.message)) break;
        this.note(`${event.level === 'info' ? '·' : '✗'} ${event.message}`, event.level === 'error' ? 'bad' : 'dim');
        break;
      case 'RequestAnswered':
        if (event.response.kind === 'trust') this.#readOnly = event.response.value !== 'trust';
        for (const go of this.#waiters.splice(0)) go();
        break;
      case 'EngineFailed':
        this.#failed(event.error);
        break;
    }
    for (; this.#told < view.items.length; this.#told++) {
      const item = view.items[this.#told]!;
      this.#notice(item);
      this.#print(this.#transcript.add(item));
    }
    this.#parts.face.changed();
  };

  /** Tells that a message was dropped that the person has in the input again. */
  #isGivenBack(message: string): boolean {
    const at = this.#givenBack.findIndex((text) => message === `Cancelled before it was sent: ${text.slice(0, 200)}`);
    if (at >= 0) this.#givenBack.splice(at, 1);
    return at >= 0;
  }

  /** What an item says of mode and model. */
  #notice(item: ViewItem): void {
    if (item.kind === 'mode') this.#mode = item.mode;
    if (item.kind === 'model') this.#model = `${item.provider}/${item.modelId}`;
    if (item.kind === 'taskEnd') this.#planning = false;
    if (item.kind === 'response' && item.response.kind === 'plan') this.#planning &&= item.response.value !== 'approve';
    if (item.kind === 'taskStart') {
      this.#planning = item.planning === true;
      this.#model = item.model;
      const { mode = '', model } = this.#chosen;
      // What was chosen while another task ran still waits for its turn.
      if (mode.toLowerCase() === this.#mode.toLowerCase()) this.#chosen.mode = undefined;
      if (model === item.model) this.#chosen.model = undefined;
      if (this.#model !== this.#window.model) void this.#describe(this.#model);
    }
  }

  async #describe(model: string | undefined): Promise<void> {
    const { engine } = this.#parts.opened;
    const known = await engine.execute({ type: 'describeModel', ...(model ? { model } : {}) });
    // A session of another program may name a provider that we do not have.
    const found = known.ok ? known : await engine.execute({ type: 'describeModel' });
    if (!found.ok) return this.#failed(found.error);
    const { contextWindow, images } = found.value;
    this.#window = { model: found.value.model, tokens: contextWindow, images };
    this.#parts.face.changed();
  }

  /** Carries out a command that not every engine has. @returns undefined where it failed, which was told. */
  async #executeOffered(command: { type: string } & Record<string, unknown>): Promise<object | undefined> {
    const result = await this.#parts.opened.engine.executeUnknown(command);
    if (result.ok) return result.value;
    this.#failed(result.error);
    return undefined;
  }

  /** A file that was named with `@` is sent as its path. */
  #withoutMentions(text: string): string {
    const known = new Set(this.#parts.files.known);
    return text.replace(/(^|[\s(])@(?:"([^"\n]+)"|(\S+))/g, (whole, before: string, quoted?: string, bare?: string) => {
      const path = quoted ?? bare!;
      return known.has(path) || known.has(`${path}/`) ? `${before}${path}` : whole;
    });
  }

  #failed({ message, next }: { message: string; next?: string }): void {
    this.note(`✗ ${[message, next].filter(Boolean).join(' ')}`, 'bad');
  }

  #print(lines: readonly string[]): void {
    if (lines.length > 0) this.#parts.face.print(lines);
  }
}

/** The question whether the folder is trusted is no part of a conversation yet. */
function isAboutTrust(item: ViewItem): boolean {
  if (item.kind === 'request') return item.request.kind === 'trust';
  return item.kind === 'response' && item.response.kind === 'trust';
}

/** A session in a list: what it is about, and when it was. */
export function sessionTitle({ title, id }: SessionSummary): string {
  return visibleLine(title) || id.slice(0, 8);
}
