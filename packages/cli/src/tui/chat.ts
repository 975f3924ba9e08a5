import type { Engine } from '@black-ide/engine';
import {
  type BackgroundCommand,
  isUnpriced,
  type Request,
  type SessionSummary,
  taskStatus,
  textOf,
  timeline,
  type View,
} from '@black-ide/protocol';
import type { Documents } from '@black-ide/workspace';
import { unwrap } from '../failure.ts';
import type { OpenedEngine } from '../headless/open-engine.ts';
import { type FollowListener, SessionFollower } from '../headless/session-follower.ts';
import type { Painter } from '../text/painter.ts';
import { activityLines, Since } from './activity.ts';
import { AskedRequests } from './asked-requests.ts';
import { FolderTrust, isAboutTrust } from './folder-trust.ts';
import { imagesIn } from './images.ts';
import { withoutMentions } from './mentions.ts';
import { SessionChanges } from './session-changes.ts';
import { openSessionTitle } from './session-title.ts';
import type { StatusFacts } from './status-line.ts';
import { TaskSettings } from './task-settings.ts';
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

/** Of a session that is opened again, so many of its last items are shown. */
const SHOWN_ITEMS = 60;

/**
 * A person's conversation with the engine: what they say goes down as commands, what comes up is folded into the view
 * and told to the face. It knows nothing of how a face looks.
 */
export class Chat {
  readonly #parts: ChatParts;
  /** Mode and model. */
  readonly settings: TaskSettings;
  #follower!: SessionFollower;
  #transcript: Transcript;
  /** Items of the view that have been told. */
  #told = 0;
  #requests = new AskedRequests();
  #unpriced: { of?: View['spending']; is: boolean } = { is: false };
  #sending = false;
  readonly #trust = new FolderTrust();
  /** Messages that a cancel gave back; the engine still tells of each. */
  readonly #givenBack: string[] = [];
  readonly #since = new Since();

  private constructor(parts: ChatParts) {
    this.#parts = parts;
    this.settings = new TaskSettings(this, parts.options);
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

  /** The working folder. */
  get cwd(): string {
    return this.#parts.opened.cwd;
  }

  get documents(): Documents {
    return this.#parts.documents;
  }

  get view(): View {
    return this.#follower.view;
  }

  get sessionId(): string {
    return this.view.sessionId;
  }

  /** The folder is not trusted. */
  get readOnly(): boolean {
    return this.#trust.isMissing;
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
    return this.#requests.oldest(this.view);
  }

  /** The last task was cut off, e.g. by a kill, and can go on. */
  get canResume(): boolean {
    return !this.running && this.request === undefined && taskStatus(this.view) === 'running';
  }

  get status(): StatusFacts {
    const { usage, lastUsage } = this.view;
    const last = lastUsage && lastUsage.input + lastUsage.cacheRead + lastUsage.cacheWrite + lastUsage.output;
    const { mode, isPlanning, window } = this.settings;
    return {
      mode,
      readOnly: this.readOnly,
      ...(isPlanning ? { phase: 'planning' } : {}),
      model: window.model,
      context: last && window.tokens ? last / window.tokens : undefined,
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
    const { opened, documents, files, options } = this.#parts;
    const { images, problems } = await imagesIn(text, opened.cwd, documents);
    const { chosen, window } = this.settings;
    if (images.length > 0 && !window.images) problems.push(`${window.model} takes no images.`);
    for (const problem of problems) this.note(`· ${problem}`);
    const { mode, model } = chosen;
    this.#sending = true;
    const result = await opened.engine.execute({
      type: 'startAgentTask',
      sessionId: this.sessionId,
      text: withoutMentions(text, files.known),
      ...(images.length > 0 && window.images ? { images } : {}),
      ...(mode ? { mode } : {}),
      ...(model ? { model } : {}),
      ...(options.maxIterations ? { maxIterations: options.maxIterations } : {}),
      ...(options.maxCost ? { maxCost: options.maxCost } : {}),
      ...(options.plan === undefined ? {} : { plan: options.plan }),
    });
    this.#sending = false;
    if (!result.ok) this.fail(result.error);
    this.changed();
    return result.ok;
  }

  /** Asks whether the folder is trusted, where it is not. @returns whether there was anything to ask. */
  async askTrust(): Promise<boolean> {
    const command = { type: 'askTrust' as const, sessionId: this.sessionId };
    const asked = await this.engine.execute(command);
    if (!asked.ok) this.fail(asked.error);
    this.#trust.asked(asked.ok && asked.value.requestId !== undefined);
    return this.readOnly;
  }

  /** Resolves when no question about trust waits any more. */
  async trustAnswered(): Promise<void> {
    while (this.request?.kind === 'trust') await this.#trust.nextAnswer();
  }

  /** Answers a question; a task that had stopped at it goes on. */
  async answer(request: Request, value: string, text?: string): Promise<void> {
    const { engine } = this;
    const { sessionId } = this;
    const words = text ? { text } : {};
    const answered = await engine.execute({
      type: 'respond',
      sessionId,
      requestId: request.id,
      value,
      by: 'terminal',
      ...words,
    });
    if (!answered.ok) return this.fail(answered.error);
    if (!this.view.live.running) await this.resume();
  }

  async resume(): Promise<void> {
    const resumed = await this.engine.execute({ type: 'resumeTask', sessionId: this.sessionId });
    if (!resumed.ok) this.fail(resumed.error);
  }

  /** Stops what runs. What waited for its turn goes back to the face, where it can take it. */
  async cancel(): Promise<void> {
    const { queue } = this.view.live;
    const { face } = this.#parts;
    if (face.giveBack) this.#givenBack.push(...queue);
    const result = await this.engine.execute({ type: 'cancelTask', sessionId: this.sessionId });
    if (!result.ok) this.fail(result.error);
    if (queue.length > 0) face.giveBack?.(queue.join('\n'));
  }

  /** Takes the newest message that waits back to the face, to be changed. */
  async takeBack(): Promise<void> {
    const { face } = this.#parts;
    const taken = await this.engine.execute({ type: 'takeBackQueued', sessionId: this.sessionId });
    if (!taken.ok) this.fail(taken.error);
    else if (taken.value.text !== undefined) face.giveBack?.(taken.value.text);
  }

  async newSession(): Promise<void> {
    await this.#switchTo(undefined);
  }

  async openSession(name: string): Promise<void> {
    await this.#switchTo(name);
  }

  async sessions(): Promise<SessionSummary[]> {
    return unwrap(await this.engine.execute({ type: 'listSessions' })).sessions;
  }

  /** The commands that run beside the conversation. */
  get background(): BackgroundCommand[] {
    return this.view.live.background.filter(({ state }) => state === 'running');
  }

  /** What a person can do with the session's changes. */
  get changes(): SessionChanges {
    return new SessionChanges(this.#parts.opened.engine, () => this.sessionId);
  }

  /** What the person said in a message. */
  saidIn(messageId: string): string {
    const message = this.view.items.find((item) => item.kind === 'user' && item.entry.id === messageId);
    return message?.kind === 'user' ? textOf(message.content) : '';
  }

  note(text: string, tone: 'dim' | 'bad' = 'dim'): void {
    this.#print(this.#transcript.note(text, tone));
  }

  /** Tells why something did not work out, and what to do. */
  fail(error: { message: string; next?: string }): void {
    this.note(`✗ ${[error.message, error.next].filter(Boolean).join(' ')}`, 'bad');
  }

  /** What goes on is different. */
  changed(): void {
    this.#parts.face.changed();
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
      return this.fail(error as Error & { next?: string });
    }
    if (dropsPlan) this.note('· The plan that waited in the other session is dropped.');
    before.dispose();
    await this.engine.execute({ type: 'closeSession', sessionId: before.sessionId });
    this.changed();
  }

  async #sessionId(name: string | undefined): Promise<string> {
    const { engine } = this;
    if (name === undefined) return unwrap(await engine.execute({ type: 'newSession' })).sessionId;
    const { sessionId, readOnly, problems } = unwrap(await engine.execute({ type: 'openSession', session: name }));
    for (const problem of problems) this.note(`· ${problem}`);
    if (readOnly)
      throw Object.assign(new Error(`The session can only be read: ${readOnly}`), {
        next: `black sessions show ${sessionId} shows it.`,
      });
    return sessionId;
  }

  async #attach(sessionId: string, isSwitch = false): Promise<void> {
    const { engine } = this;
    // A plan that waits in the thread that is left is dropped by this; one that waits here is back.
    unwrap(await engine.execute({ type: 'switchThread', threadId: sessionId }));
    const follower = await SessionFollower.attach(engine, sessionId);
    this.#follower = follower;
    this.#transcript = this.#parts.newTranscript();
    this.#requests = new AskedRequests();
    this.settings.forget();
    const path = timeline(follower.view);
    const title = path.length === 0 ? 'new session' : openSessionTitle(this.view, path) || sessionId;
    if (isSwitch) this.note(`─── ${title} ───`);
    const shown = new Set(path.slice(-SHOWN_ITEMS));
    if (path.length > shown.size) this.note(`· ${path.length - shown.size} earlier entries (/details shows more)`);
    for (const item of path) {
      this.settings.notice(item);
      if (shown.has(item)) this.#print(this.#transcript.add(item));
      else this.#transcript.skip(item);
    }
    this.#told = follower.view.items.length;
    if (follower.view.live.text) this.#print(this.#transcript.delta(follower.view.live.text));
    follower.listener = this.#take;
    await this.settings.describe();
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
        this.#trust.answered(event.response);
        break;
      case 'EngineFailed':
        this.fail(event.error);
        break;
    }
    for (; this.#told < view.items.length; this.#told++) {
      const item = view.items[this.#told]!;
      this.settings.notice(item);
      this.#print(this.#transcript.add(item));
    }
    this.changed();
  };

  /** Tells that a message was dropped that the person has in the input again. */
  #isGivenBack(message: string): boolean {
    const at = this.#givenBack.findIndex((text) => message === `Cancelled before it was sent: ${text.slice(0, 200)}`);
    if (at >= 0) this.#givenBack.splice(at, 1);
    return at >= 0;
  }

  #print(lines: readonly string[]): void {
    if (lines.length > 0) this.#parts.face.print(lines);
  }
}
