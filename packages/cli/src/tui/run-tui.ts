import { DiskDocuments, realPathOf } from '@black-ide/workspace';
import type { ChatInvocation } from '../args/parse-invocation.ts';
import { EXIT } from '../failure.ts';
import { type OpenedEngine, openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';
import { canPaint, painter } from '../text/painter.ts';
import { when } from '../text/when.ts';
import { Chat, type ChatFace, sessionTitle } from './chat.ts';
import { Completions } from './completions.ts';
import { detailLines } from './details.ts';
import { gitBranch } from './git-branch.ts';
import { InlineFace } from './inline-face.ts';
import { showsUnicode } from './marks.ts';
import { Pager } from './pager.ts';
import { Picker } from './picker.ts';
import { PlainFace } from './plain-face.ts';
import { PromptHistory } from './prompt-history.ts';
import { runSlashCommand } from './run-slash-command.ts';
import { suggestions } from './suggestions.ts';
import { Transcript } from './transcript.ts';
import { welcomeLines } from './welcome-lines.ts';
import { WorkspaceFiles } from './workspace-files.ts';

/** `black`: the terminal UI, from its first paint to its end (IDE-83). */
export async function runTui(invocation: ChatInvocation, io: Io): Promise<number> {
  const tui = new Tui(invocation, io);
  return await tui.run();
}

/** What both faces offer. */
type Face = ChatFace & { stop(): void; chat: Chat };

class Tui {
  readonly #invocation: ChatInvocation;
  readonly #io: Io;
  readonly #done = Promise.withResolvers<number>();
  readonly #documents = new DiskDocuments();
  #files: WorkspaceFiles | undefined;
  #history: PromptHistory | undefined;
  #chat: Chat | undefined;
  /** What was sent before the engine was there. */
  #early: string[] = [];
  #face!: Face;
  /** Only the inline face has these. */
  #inline: InlineFace | undefined;
  #quitting = false;

  constructor(invocation: ChatInvocation, io: Io) {
    this.#invocation = invocation;
    this.#io = io;
  }

  async run(): Promise<number> {
    const { world } = this.#io;
    // A signal that asks us to go, and a terminal that is gone, end the same way: the task is cancelled, the log is whole.
    const stopListening = world.onInterrupt(() => this.#signalled());
    this.#io.out.onceClosed(() => this.#leave(EXIT.cancelled));
    this.#openFace();
    let opened: OpenedEngine | undefined;
    try {
      opened = await openEngine(this.#io, this.#engineOptions());
      await this.#begin(opened);
      return await this.#done.promise;
    } finally {
      this.#face.stop();
      this.#chat?.dispose();
      this.#history?.dispose();
      await opened?.dispose();
      stopListening();
      if (this.#chat && !this.#chat.isEmpty && opened?.saved) this.#farewell(this.#chat.view.sessionId);
    }
  }

  #engineOptions() {
    const { autoApprove, session } = this.#invocation;
    return { face: 'terminal', asks: 'wait' as const, autoApprove, needsHome: session !== undefined };
  }

  #openFace(): void {
    const { world, out } = this.#io;
    const unicode = showsUnicode(world.env, world.platform);
    const submit = (text: string): void => void this.#submit(text);
    const quit = (): void => this.#leave(EXIT.done);
    if (this.#isPlain) {
      const face = new PlainFace({ out, stdin: world.stdin, unicode, submit, quit });
      face.start();
      this.#face = face;
      return;
    }
    const paint = painter(world.env, true);
    const completions = new Completions({
      paths: async () => (await this.#files?.paths()) ?? [],
      argumentsOf: (command) => this.#argumentsOf(command),
    });
    const face = new InlineFace({
      world,
      out,
      paint,
      unicode,
      completions,
      submit,
      quit,
      details: () => this.#details(),
    });
    const { mode = 'Agent', model = '' } = this.#invocation;
    face.start({ mode, model, cost: 0, used: false });
    this.#inline = face;
    this.#face = face;
  }

  get #isPlain(): boolean {
    const { env } = this.#io.world;
    return this.#invocation.plain || Boolean(env.BLACK_PLAIN) || !canPaint(env, true);
  }

  async #begin(opened: OpenedEngine): Promise<void> {
    const { world } = this.#io;
    const { prompt, session, mode, model, maxIterations, maxCost } = this.#invocation;
    const files = new WorkspaceFiles(opened.cwd, () => world.clock.now());
    this.#files = files;
    this.#history = PromptHistory.open(opened.home, opened.cwd);
    this.#inline?.remember(this.#history.prompts);
    const options = {
      ...(mode ? { mode } : {}),
      ...(model ? { model } : {}),
      ...(maxIterations ? { maxIterations } : {}),
      ...(maxCost ? { maxCost } : {}),
    };
    const paint = painter(world.env, true);
    const newTranscript = (): Transcript => new Transcript(paint, () => this.#columns);
    const parts = { opened, documents: this.#documents, files, face: this.#face, newTranscript, options };
    const chat = await Chat.open(parts, session);
    this.#chat = chat;
    if (chat.isEmpty && !prompt) await this.#welcome(chat, opened.cwd);
    this.#face.chat = chat;
    void this.#showBranch(opened.cwd);
    for (const text of [prompt, ...this.#early].filter(Boolean)) await this.#submit(text);
  }

  get #columns(): number {
    return this.#io.out.columns;
  }

  async #welcome(chat: Chat, cwd: string): Promise<void> {
    const { world } = this.#io;
    const tries = await suggestions((await this.#files?.paths()) ?? [], cwd, this.#documents);
    if (this.#inline) this.#inline.suggestions = tries;
    const home = world.env.HOME;
    const paint = painter(world.env, true);
    this.#face.print(welcomeLines({ cwd, home, model: chat.status.model, tries }, this.#columns, paint));
  }

  async #showBranch(cwd: string): Promise<void> {
    const branch = await gitBranch(this.#documents, realPathOf(cwd));
    if (this.#inline) this.#inline.branch = branch;
  }

  async #submit(text: string): Promise<void> {
    const chat = this.#chat;
    if (!chat) {
      this.#early.push(text);
      return;
    }
    this.#history?.add(text);
    const commands = {
      columns: this.#columns,
      pickSession: () => this.#pickSession(chat),
      details: () => this.#details(),
      quit: () => this.#leave(EXIT.done),
    };
    if (await runSlashCommand(text, chat, commands)) return;
    if (!(await chat.send(text))) this.#inline?.giveBack(text);
    const { cwd } = this.#io.world;
    void this.#showBranch(cwd());
  }

  async #pickSession(chat: Chat): Promise<void> {
    const sessions = await chat.sessions();
    const rows = sessions.map((session) => ({
      value: session.id,
      text: sessionTitle(session),
      tail: `${this.#columns < 70 ? '' : `${session.messages} messages · `}${when(session.modified)}`,
    }));
    if (!this.#inline) {
      const lines = rows.slice(0, 20).map(({ value, text, tail }) => `${value.slice(0, 13)}  ${text} (${tail})`);
      return chat.note([...lines, 'Go on with one: /resume SESSION'].join('\n'));
    }
    this.#inline.open(new Picker('Sessions', rows, (id) => id && void chat.openSession(id)));
  }

  #details(): void {
    const chat = this.#chat;
    if (!chat) return;
    if (this.#inline)
      this.#inline.open(new Pager('Details', (columns, paint) => detailLines(chat.view, columns, paint)));
    else this.#face.print(detailLines(chat.view, this.#columns, painter(this.#io.world.env, true)));
  }

  async #argumentsOf(command: string): Promise<{ value: string; about?: string }[]> {
    const chat = this.#chat;
    if (!chat) return [];
    switch (command) {
      case 'model':
        return (await chat.choices()).models.map((value) => ({ value }));
      case 'mode':
        return (await chat.choices()).modes.map(({ name, description }) => ({ value: name, about: description }));
      case 'resume':
        return (await chat.sessions()).map((session) => ({ value: session.id, about: sessionTitle(session) }));
      default:
        return [];
    }
  }

  /** In the plain face Ctrl+C is a signal, and stops the task first. */
  #signalled(): void {
    if (this.#isPlain && !this.#quitting && this.#chat?.running) {
      this.#quitting = true;
      void this.#chat.cancel().then(() => {
        this.#quitting = false;
      });
      return;
    }
    this.#leave(EXIT.cancelled);
  }

  #leave(code: number): void {
    this.#done.resolve(code);
  }

  #farewell(sessionId: string): void {
    const { out, world } = this.#io;
    const paint = painter(world.env, true);
    out.line(paint.dim(`Session ${sessionId} is kept. black -c goes on with it.`));
  }
}
