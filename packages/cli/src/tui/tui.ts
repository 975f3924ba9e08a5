import { join } from 'node:path';
import { Writable } from 'node:stream';
import { BlackError, changedFiles } from '@black-ide/protocol';
import { DiskDocuments, realPathOf, secretValues } from '@black-ide/workspace';
import type { ChatInvocation } from '../args/parse-invocation.ts';
import { type OpenedEngine, openEngine } from '../headless/open-engine.ts';
import { Output } from '../headless/output.ts';
import type { Io } from '../io.ts';
import { painter } from '../text/painter.ts';
import type { ShownArtifact } from '../text/request-text.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { when } from '../text/when.ts';
import { ChangesView } from './changes-view.ts';
import { Chat, type ChatFace } from './chat.ts';
import { detailLines, runningLines } from './details.ts';
import { gitBranch } from './git-branch.ts';
import type { InlineFace } from './inline-face.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { offeredCommands } from './offered-commands.ts';
import { Pager } from './pager.ts';
import { pickMode, pickModel } from './pick-choice.ts';
import { Picker } from './picker.ts';
import { PromptHistory } from './prompt-history.ts';
import { runSlashCommand } from './run-slash-command.ts';
import { sessionTitle } from './session-title.ts';
import { KEYS, PLAIN_KEYS } from './slash-commands.ts';
import { suggestions } from './suggestions.ts';
import { Transcript } from './transcript.ts';
import { welcomeLines } from './welcome-lines.ts';
import { WorkspaceFiles } from './workspace-files.ts';

export { PlainFace } from './plain-face.ts';

export interface TuiParts {
  invocation: ChatInvocation;
  io: Io;
  /** The face, of either kind. */
  face: ChatFace & {
    stop(): void;
    chat: Chat;
    /** A command of the prompt is done. */
    done?(): void;
  };
  /** The same, where it is the one that draws. */
  inline: InlineFace | undefined;
  quit(): void;
}

/** Of a document that was edited, so much is shown on its card. */
const PREVIEW_CHARS = 2_000;
/** How long a first Ctrl+C waits for the second, in milliseconds. */
const TWICE_MS = 2_000;

/** What stands between the face and the conversation: engine, workspace and history, opened and closed together. */
export class Tui {
  readonly #parts: TuiParts;
  readonly #documents = new DiskDocuments();
  #opened: OpenedEngine | undefined;
  #files: WorkspaceFiles | undefined;
  #history: PromptHistory | undefined;
  #chat: Chat | undefined;
  #cancelling = false;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: TuiParts) {
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    const { io, face, inline, invocation } = this.#parts;
    const { autoApprove, approvePlan, trust, prompt, session, pick, mode, model, maxIterations, maxCost, plan } =
      invocation;
    const needsHome = session !== undefined;
    // What would go to stderr would stand in the middle of what is drawn.
    const told = { ...io, err: new Output(linesTo((line) => face.print([this.#paint.dim(visibleText(line))]))) };
    const opened = await openEngine(told, {
      face: 'terminal',
      asks: 'wait',
      autoApprove,
      approvePlan,
      trust,
      needsHome,
      watch: true,
    });
    this.#opened = opened;
    const files = new WorkspaceFiles(opened.cwd, () => io.world.clock.now());
    this.#files = files;
    this.#history = PromptHistory.open(opened.home, opened.cwd, secretValues(io.world.env));
    inline?.remember(this.#history.prompts);
    const options = {
      ...(mode ? { mode } : {}),
      ...(model ? { model } : {}),
      ...(maxIterations ? { maxIterations } : {}),
      ...(maxCost ? { maxCost } : {}),
      ...(plan === undefined ? {} : { plan }),
    };
    const newTranscript = (): Transcript =>
      new Transcript(this.#paint, () => this.#columns, { diffs: inline !== undefined });
    const chat = await Chat.open({ opened, documents: this.#documents, files, face, newTranscript, options }, session);
    if (chat.isEmpty && !prompt && !pick) await this.#welcome(chat, opened.cwd);
    this.#chat = chat;
    face.chat = chat;
    void this.#showBranch();
    if (pick) await this.#pickSession(chat);
    const asked = await chat.askTrust();
    if (!prompt) return;
    // What was given with the command waits for the answer; what is typed past the question counts as a no.
    if (asked) void chat.trustAnswered().then(() => this.submit(prompt));
    else await this.submit(prompt);
  }

  /** Takes a message or a `/command`. */
  async submit(text: string): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    this.#history?.add(text);
    const { inline } = this.#parts;
    const commands = {
      columns: this.#columns,
      keys: inline ? KEYS : PLAIN_KEYS,
      pickSession: () => this.#pickSession(chat),
      pick: inline && ((what: 'model' | 'mode') => (what === 'model' ? pickModel : pickMode)(chat, inline)),
      details: () => this.details(),
      changes: () => this.#changes(chat),
      quit: this.#parts.quit,
    };
    if (await runSlashCommand(text, chat, commands)) return this.#parts.face.done?.();
    if (/^![^\s!]/.test(text)) {
      chat.note(
        '✗ Commands after ! are not run here: ask for it in words, or press Ctrl+Z. With a blank before it, it is sent as it is.',
        'bad',
      );
      inline?.giveBack(text);
      return this.#parts.face.done?.();
    }
    if (!(await chat.send(text))) this.#parts.inline?.giveBack(text);
    void this.#showBranch();
  }

  /**
   * A signal, which only the plain face gets from the keyboard: Ctrl+C stops what runs; where nothing does, it has to
   * come twice. @returns false where the program is to end.
   */
  interrupt(signal: NodeJS.Signals): boolean {
    const { inline, face, io } = this.#parts;
    // The editor that has the terminal takes it.
    if (inline?.isAway) return true;
    if (inline || this.#cancelling || !this.#chat) return false;
    if (this.#chat.running) {
      this.#cancelling = true;
      void this.#chat.cancel().then(() => {
        this.#cancelling = false;
      });
      return true;
    }
    const now = io.world.clock.now();
    const isFirst = signal === 'SIGINT' && now - this.#interruptedAt > TWICE_MS;
    this.#interruptedAt = now;
    if (isFirst) face.print(['Ctrl+C again leaves.']);
    return isFirst;
  }

  details(): void {
    const chat = this.#chat;
    const { inline, face } = this.#parts;
    if (!chat) return;
    if (!inline) face.print(detailLines(chat.view, this.#columns, this.#paint));
    inline?.open(
      new Pager('Details', (columns, paint) => detailLines(chat.view, columns, paint), {
        version: () => chat.view.items,
        tail: (columns, paint) => runningLines(chat.view, columns, paint),
      }),
    );
  }

  /** Ctrl+R. */
  searchHistory(): void {
    const { inline } = this.#parts;
    const prompts = [...new Set(this.#history?.prompts.toReversed())];
    const rows = prompts.map((prompt) => ({ value: prompt, text: prompt, tail: '' }));
    inline?.open(new Picker('Earlier prompts', rows, (prompt) => prompt && inline.write(prompt), { verb: 'takes it' }));
  }

  /** Shift+Tab. */
  async nextMode(): Promise<void> {
    const chat = this.#chat;
    const next = await chat?.settings.nextMode();
    if (next) this.#parts.inline?.hint(`${next.name}: ${next.description}`);
  }

  /** Shows a document of a plan as it is on disk now. */
  async readArtifact({ kind, path }: ShownArtifact): Promise<void> {
    const text = (await this.#textOf(path)) ?? `${path} cannot be read.`;
    const title = `${kind.replace('_', ' ')} · ${path}`;
    const drawn = (columns: number): string[] => {
      const markdown = new MarkdownStream(this.#paint, () => columns);
      return [...markdown.push(text), ...markdown.end()];
    };
    this.#parts.inline?.open(new Pager(title, drawn, { atTop: true }));
  }

  /** Has the person edit a plan's documents; what they are when it is approved counts. @returns what they are now. */
  async editArtifacts(artifacts: readonly ShownArtifact[]): Promise<ShownArtifact[]> {
    const opened = this.#opened;
    if (!opened) return [...artifacts];
    try {
      const files = artifacts.map(({ path }) => join(opened.cwd, path));
      await this.#parts.io.world.edit(files, opened.cwd);
      this.#chat?.note('· What the files say when you approve is carried out.');
    } catch (error) {
      const { message, next = '' } = BlackError.toValue(error);
      const paths = artifacts.map(({ path }) => path).join(', ');
      this.#chat?.note(`✗ ${message} ${next} The files: ${paths}`, 'bad');
    }
    return await Promise.all(
      artifacts.map(async (artifact) => {
        const text = await this.#textOf(artifact.path);
        return text === undefined
          ? artifact
          : { ...artifact, lines: text.trimEnd().split('\n').length, preview: text.slice(0, PREVIEW_CHARS) };
      }),
    );
  }

  /** A file of the workspace, by its path below it; undefined where it is no text. */
  async #textOf(path: string): Promise<string | undefined> {
    if (!this.#opened) return undefined;
    const read = await this.#documents.read(realPathOf(join(this.#opened.cwd, path)));
    return read.ok ? (read.document.text ?? undefined) : undefined;
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
        return (await chat.settings.choices()).models.map((value) => ({ value }));
      case 'mode':
        return (await chat.settings.choices()).modes.map(({ name, description }) => ({
          value: name,
          about: description,
        }));
      case 'undo':
      case 'keep':
        return changedFiles(chat.view.changes).map(({ path, state }) => ({ value: path, about: state }));
      case 'resume':
        return (await chat.sessions()).map((session) => ({ value: session.id, about: sessionTitle(session) }));
      case 'stop':
        return chat.background.map(({ id, command }) => ({ value: id, about: command }));
      default:
        return [];
    }
  }

  /** Cancels what runs and gives the terminal back; comes back even if something inside hangs. */
  async dispose(): Promise<void> {
    const { face, io } = this.#parts;
    face.stop();
    const ended = this.#chat?.background ?? [];
    this.#chat?.dispose();
    this.#history?.dispose();
    await this.#opened?.dispose();
    for (const { command } of ended) io.out.line(this.#paint.dim(`Ended in the background: $ ${visibleLine(command)}`));
    if (!this.#chat || this.#chat.isEmpty || !this.#opened?.saved) return;
    io.out.line(this.#paint.dim(`Session ${this.#chat.view.sessionId} is kept. black -c goes on with it.`));
  }

  async #pickSession(chat: Chat): Promise<void> {
    const sessions = await chat.sessions();
    const rows = sessions.map((session) => ({
      value: session.id,
      text: sessionTitle(session),
      tail: `${this.#columns < 70 ? '' : `${session.messages}${session.atLeast ? '+' : ''} messages · `}${when(session.modified)}`,
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
