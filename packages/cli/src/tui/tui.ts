import { Writable } from 'node:stream';
import { changedFiles } from '@black-ide/protocol';
import { DiskDocuments, realPathOf } from '@black-ide/workspace';
import type { ChatInvocation } from '../args/parse-invocation.ts';
import { type OpenedEngine, openEngine } from '../headless/open-engine.ts';
import { Output } from '../headless/output.ts';
import type { Io } from '../io.ts';
import { painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';
import { when } from '../text/when.ts';
import { ChangesView } from './changes-view.ts';
import { Chat, type ChatFace, sessionTitle } from './chat.ts';
import { detailLines } from './details.ts';
import { gitBranch } from './git-branch.ts';
import type { InlineFace } from './inline-face.ts';
import { offeredCommands } from './offered-commands.ts';
import { Pager } from './pager.ts';
import { Picker } from './picker.ts';
import { PromptHistory } from './prompt-history.ts';
import { runSlashCommand } from './run-slash-command.ts';
import { suggestions } from './suggestions.ts';
import { Transcript } from './transcript.ts';
import { welcomeLines } from './welcome-lines.ts';
import { WorkspaceFiles } from './workspace-files.ts';

export { PlainFace } from './plain-face.ts';

export interface TuiParts {
  invocation: ChatInvocation;
  io: Io;
  /** The face, of either kind. */
  face: ChatFace & { stop(): void; chat: Chat };
  /** The same, where it is the one that draws. */
  inline: InlineFace | undefined;
  quit(): void;
}

/** What stands between the face and the conversation: engine, workspace and history, opened and closed together. */
export class Tui {
  readonly #parts: TuiParts;
  readonly #documents = new DiskDocuments();
  #opened: OpenedEngine | undefined;
  #files: WorkspaceFiles | undefined;
  #history: PromptHistory | undefined;
  #chat: Chat | undefined;
  #cancelling = false;

  constructor(parts: TuiParts) {
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    const { io, face, inline, invocation } = this.#parts;
    const { autoApprove, prompt, session, mode, model, maxIterations, maxCost } = invocation;
    const needsHome = session !== undefined;
    // What would go to stderr would stand in the middle of what is drawn.
    const told = { ...io, err: new Output(linesTo((line) => face.print([this.#paint.dim(visibleText(line))]))) };
    const opened = await openEngine(told, { face: 'terminal', asks: 'wait', autoApprove, needsHome });
    this.#opened = opened;
    const files = new WorkspaceFiles(opened.cwd, () => io.world.clock.now());
    this.#files = files;
    this.#history = PromptHistory.open(opened.home, opened.cwd);
    inline?.remember(this.#history.prompts);
    const options = {
      ...(mode ? { mode } : {}),
      ...(model ? { model } : {}),
      ...(maxIterations ? { maxIterations } : {}),
      ...(maxCost ? { maxCost } : {}),
    };
    const newTranscript = (): Transcript => new Transcript(this.#paint, () => this.#columns);
    const chat = await Chat.open({ opened, documents: this.#documents, files, face, newTranscript, options }, session);
    if (chat.isEmpty && !prompt) await this.#welcome(chat, opened.cwd);
    this.#chat = chat;
    face.chat = chat;
    void this.#showBranch();
    if (prompt) await this.submit(prompt);
  }

  /** Takes a message or a `/command`. */
  async submit(text: string): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    this.#history?.add(text);
    const commands = {
      columns: this.#columns,
      pickSession: () => this.#pickSession(chat),
      details: () => this.details(),
      changes: () => this.#changes(chat),
      quit: this.#parts.quit,
    };
    if (await runSlashCommand(text, chat, commands)) return;
    if (!(await chat.send(text))) this.#parts.inline?.giveBack(text);
    void this.#showBranch();
  }

  /** Ctrl+C as a signal, which only the plain face gets: it stops what runs. @returns whether there was anything to stop. */
  interrupt(): boolean {
    if (this.#parts.inline || this.#cancelling || !this.#chat?.running) return false;
    this.#cancelling = true;
    void this.#chat.cancel().then(() => {
      this.#cancelling = false;
    });
    return true;
  }

  details(): void {
    const chat = this.#chat;
    const { inline, face } = this.#parts;
    if (!chat) return;
    if (inline) inline.open(new Pager('Details', (columns, paint) => detailLines(chat.view, columns, paint)));
    else face.print(detailLines(chat.view, this.#columns, this.#paint));
  }

  async #changes(chat: Chat): Promise<void> {
    const { inline, face } = this.#parts;
    if (inline) inline.open(new ChangesView(chat.changes, () => inline.changed()));
    else face.print(await chat.changes.lines((id) => chat.saidIn(id), this.#columns, this.#paint));
  }

  /** What can be typed after `/`. */
  readonly commands = offeredCommands();

  async paths(): Promise<readonly string[]> {
    return (await this.#files?.paths()) ?? [];
  }

  async argumentsOf(command: string): Promise<{ value: string; about?: string }[]> {
    const chat = this.#chat;
    if (!chat) return [];
    switch (command) {
      case 'model':
        return (await chat.choices()).models.map((value) => ({ value }));
      case 'mode':
        return (await chat.choices()).modes.map(({ name, description }) => ({ value: name, about: description }));
      case 'undo':
      case 'keep':
        return changedFiles(chat.view.changes).map(({ path, state }) => ({ value: path, about: state }));
      case 'resume':
        return (await chat.sessions()).map((session) => ({ value: session.id, about: sessionTitle(session) }));
      default:
        return [];
    }
  }

  /** Cancels what runs and gives the terminal back; comes back even if something inside hangs. */
  async dispose(): Promise<void> {
    const { face, io } = this.#parts;
    face.stop();
    this.#chat?.dispose();
    this.#history?.dispose();
    await this.#opened?.dispose();
    if (!this.#chat || this.#chat.isEmpty || !this.#opened?.saved) return;
    io.out.line(this.#paint.dim(`Session ${this.#chat.view.sessionId} is kept. black -c goes on with it.`));
  }

  async #pickSession(chat: Chat): Promise<void> {
    const sessions = await chat.sessions();
    const rows = sessions.map((session) => ({
      value: session.id,
      text: sessionTitle(session),
      tail: `${this.#columns < 70 ? '' : `${session.messages} messages · `}${when(session.modified)}`,
    }));
    const { inline } = this.#parts;
    if (!inline) {
      const lines = rows.slice(0, 20).map(({ value, text, tail }) => `${value.slice(0, 13)}  ${text} (${tail})`);
      return chat.note([...lines, 'Go on with one: /resume SESSION'].join('\n'));
    }
    inline.open(new Picker('Sessions', rows, (id) => id && void chat.openSession(id)));
  }

  async #welcome(chat: Chat, cwd: string): Promise<void> {
    const { inline, face, io } = this.#parts;
    const tries = await suggestions(await this.paths(), cwd, this.#documents);
    if (inline) inline.suggestions = tries;
    const { model } = chat.status;
    face.print(welcomeLines({ cwd, home: io.world.env.HOME, model, tries }, this.#columns, this.#paint));
  }

  /** A command may have changed the branch. */
  async #showBranch(): Promise<void> {
    const { inline } = this.#parts;
    if (inline && this.#opened) inline.branch = await gitBranch(this.#documents, realPathOf(this.#opened.cwd));
  }

  get #columns(): number {
    return this.#parts.io.out.columns;
  }

  get #paint() {
    return painter(this.#parts.io.world.env, true);
  }
}

/** A stream that hands out each line that is written to it. */
function linesTo(take: (line: string) => void): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      for (const line of String(chunk).replace(/\n$/, '').split('\n')) take(line);
      done();
    },
  });
}
