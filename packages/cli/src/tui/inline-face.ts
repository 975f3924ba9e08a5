import type { Output } from '../headless/output.ts';
import { pendingText } from '../text/change-text.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import type { ShownArtifact } from '../text/request-text.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { World } from '../world.ts';
import type { Chat, ChatFace } from './chat.ts';
import type { Completions } from './completions.ts';
import { Frames } from './frames.ts';
import { Hint } from './hint.ts';
import { IdleMemory } from './idle-memory.ts';
import { asciiInput, asciiLine } from './marks.ts';
import { ongoingLines } from './ongoing-lines.ts';
import { OpenQuestion } from './open-question.ts';
import type { Overlay } from './overlay.ts';
import { PromptEditor } from './prompt-editor.ts';
import { Screen } from './screen.ts';
import { type StatusFacts, statusLine } from './status-line.ts';
import { TerminalHold } from './terminal-hold.ts';
import { type Key, TerminalInput } from './terminal-input.ts';

export interface FaceParts {
  world: World;
  out: Output;
  paint: Painter;
  unicode: boolean;
  completions: Completions;
  /** What the person sends: a message or a `/command`. */
  submit(text: string): void;
  /** Ctrl+O. */
  details(): void;
  /** A document of a plan is to be read. */
  read(artifact: ShownArtifact): void;
  /** Opens a plan's documents in the person's editor, which has the terminal meanwhile. @returns what they are then. */
  edit(artifacts: readonly ShownArtifact[]): Promise<ShownArtifact[]>;
  /** Ctrl+R. */
  searchHistory(): void;
  /** Shift+Tab. */
  nextMode(): void;
  quit(): void;
}

/**
 * The terminal as a face: what is finished goes into its scrollback, and below stand what goes on, the question that
 * waits, the input and the status. It draws when something changed, and otherwise does nothing.
 */
export class InlineFace implements ChatFace {
  readonly #parts: FaceParts;
  readonly #screen: Screen;
  readonly #hold: TerminalHold;
  readonly #editor: PromptEditor;
  readonly #question: OpenQuestion;
  readonly #idleMemory: IdleMemory;
  #restsAt: string | undefined;
  #chat: Chat | undefined;
  #branch: string | undefined;
  #first: StatusFacts | undefined;
  #suggestions: readonly string[] = [];
  #suggested = -1;
  #overlay: Overlay | undefined;
  readonly #hint = new Hint(() => this.changed());
  readonly #frames: Frames;

  constructor(parts: FaceParts) {
    this.#parts = parts;
    const { world, out, paint, unicode } = parts;
    const finish = unicode ? (line: string) => line : asciiLine;
    this.#screen = new Screen({ out, stream: world.stdout, finish });
    const editing = { paint, rows: () => this.#screen.rows, changed: () => this.changed() };
    this.#editor = new PromptEditor({ ...editing, submit: (text) => this.#submit(text) }, parts.completions);
    this.#question = new OpenQuestion({
      paint,
      unicode,
      editor: this.#editor,
      editing,
      now: () => world.clock.now(),
      flush: () => out.flush(),
      print: (lines) => this.#screen.print(lines),
      changed: () => this.changed(),
      answer: (request, value, text) => void this.#chat?.answer(request, value, text),
      read: (artifact) => parts.read(artifact),
      edit: (artifacts) => this.#hold.whileAway(() => parts.edit(artifacts)),
    });
    this.#frames = new Frames({
      draw: () => this.#draw(),
      isBehind: () => this.#screen.isBehind,
      onceTaken: (listener) => this.#screen.onceTaken(listener),
    });
    this.#idleMemory = new IdleMemory(() => world.releaseMemory());
    const input = new TerminalInput(world.stdin, out, {
      key: (key) => this.#key(key),
      paste: (text) => this.#paste(text),
      ended: () => parts.quit(),
    });
    const back = (): void => {
      this.#question.hidden();
      this.changed();
    };
    this.#hold = new TerminalHold({ world, out, screen: this.#screen, input, back });
  }

  get columns(): number {
    return this.#screen.columns;
  }

  /** Another program has the terminal, and its keys and signals. */
  get isAway(): boolean {
    return this.#hold.isAway;
  }

  /** Takes the terminal and paints for the first time. */
  start(status: StatusFacts): void {
    this.#first = status;
    this.#hold.take();
    this.#parts.world.stdout.on('resize', this.#resized);
    this.#draw();
  }

  /** The conversation that is talked about. */
  set chat(chat: Chat) {
    this.#chat = chat;
    this.changed();
  }

  set branch(branch: string | undefined) {
    this.#branch = branch;
    this.changed();
  }

  set suggestions(suggestions: readonly string[]) {
    this.#suggestions = suggestions;
  }

  remember(prompts: readonly string[]): void {
    this.#editor.remember(prompts);
  }

  /** Gives a message back to the input, e.g. because it could not be sent; what is written there stays below it. */
  giveBack(text: string): void {
    this.#editor.text = this.#editor.isEmpty ? text : `${text}\n${this.#editor.text}`;
    this.changed();
  }

  /** Puts a text into the input, in place of what is there. */
  write(text: string): void {
    this.#editor.text = text;
    this.changed();
  }

  /** Says something for a moment. */
  hint(text: string): void {
    this.#hint.show(visibleLine(text));
    this.changed();
  }

  print(lines: readonly string[]): void {
    this.#screen.print(lines);
    this.changed();
  }

  changed(): void {
    this.#frames.changed();
  }

  open(overlay: Overlay): void {
    this.#question.hidden();
    // What comes back when it closes must not say that keys count already.
    if (this.#question.isOpen) this.#draw(true);
    this.#overlay = overlay;
    this.changed();
  }

  /** Gives the terminal back as it was, with the conversation in its scrollback. */
  stop(): void {
    this.#question.dispose();
    this.#hint.clear();
    this.#idleMemory.dispose();
    this.#parts.world.stdout.off('resize', this.#resized);
    this.#hold.give();
    this.#frames.dispose();
  }

  readonly #resized = (): void => {
    this.#screen.resized();
    this.changed();
  };

  /** @param isCovered something else is about to be drawn over it: nobody sees it. */
  #draw(isCovered = false): void {
    if (this.isAway) return;
    this.#frames.began();
    const { paint, world } = this.#parts;
    const { columns, rows } = this.#screen;
    if (this.#overlay) {
      this.#screen.drawAlternate(this.#overlay.draw(columns, rows, paint));
      this.#frames.tellsTime = this.#tellsTime;
      return;
    }
    this.#screen.leaveAlternate();
    const now = world.clock.now();
    const { isEmpty } = this.#editor;
    const ongoing = this.#chat ? ongoingLines(this.#chat, { columns, rows, paint, now, isEmpty }) : [];
    this.#question.request = this.#chat?.request;
    const above = [...ongoing, ...this.#question.lines(columns, rows), ...this.#changes(columns)];
    const input = this.#written.draw(columns, this.#question.title());
    const cursor = input.cursor && { row: above.length + input.cursor.row, column: input.cursor.column };
    const hint = this.#hint.text ? paint.accent(fitWidth(this.#hint.text, columns)) : paint.dim(this.#status(columns));
    const written = this.#parts.unicode ? input.lines : input.lines.map(asciiInput);
    this.#screen.draw({ lines: [...above, ...written, hint], cursor });
    if (!isCovered) void this.#question.drawn();
    this.#frames.tellsTime = this.#tellsTime;
    this.#rest();
  }

  /** The changes that wait for a person, while nothing else does. */
  #changes(columns: number): string[] {
    const chat = this.#chat;
    const pending = !chat || chat.running || this.#question.isOpen ? undefined : pendingText(chat.view.changes);
    return pending ? [this.#parts.paint.dim(fitWidth(`${pending} · /changes · /keep · /undo`, columns))] : [];
  }

  #status(columns: number): string {
    const facts = this.#chat?.status ?? this.#first;
    return facts ? statusLine({ ...facts, branch: this.#branch }, columns) : '';
  }

  get #tellsTime(): boolean {
    return this.#chat?.view.live.running === true && !this.#question.isOpen;
  }

  /** The input that keys and pastes go to. */
  get #written(): PromptEditor {
    return this.#question.words ?? this.#editor;
  }

  /** An opened session and an ended task leave behind what is not needed any more. */
  #rest(): void {
    const view = this.#chat?.view;
    const restsAt = view?.live.running ? undefined : view?.sessionId;
    if (restsAt === this.#restsAt) return;
    this.#restsAt = restsAt;
    if (restsAt) this.#idleMemory.due();
    else this.#idleMemory.dispose();
  }

  #submit(text: string): void {
    this.#suggested = -1;
    if (text.trim() !== '') {
      this.#editor.remember([text]);
      this.#parts.submit(text);
    } else if (this.#chat?.canResume) {
      void this.#chat.resume();
    }
    this.changed();
  }

  #paste(text: string): void {
    this.#idleMemory.disturbed();
    this.#hint.clear();
    if (this.#overlay) this.#toOverlay({ data: text, text });
    else this.#written.paste(text);
    this.changed();
  }

  #key(key: Key): void {
    this.#idleMemory.disturbed();
    // Whoever goes on has not meant to leave.
    if (key.name !== 'ctrl+c') this.#hint.clear();
    if (this.#overlay) this.#toOverlay(key);
    else if (!this.#command(key) && !this.#question.key(key) && !this.#takeBack(key) && !this.#suggest(key)) {
      this.#written.key(key.data);
    }
    this.changed();
  }

  #toOverlay(key: Key): void {
    if (this.#overlay?.key(key) === 'close') this.#overlay = undefined;
  }

  /** The keys that mean the same wherever one is. */
  #command({ name }: Key): boolean {
    switch (name) {
      case 'ctrl+c':
        this.#interrupt();
        return true;
      case 'ctrl+d':
        if (!this.#editor.isEmpty || this.#question.words) return false;
        this.#parts.quit();
        return true;
      case 'ctrl+o':
        this.#parts.details();
        return true;
      case 'ctrl+r':
        this.#parts.searchHistory();
        return true;
      case 'escape':
        return this.#escape();
      case 'ctrl+l':
        this.#screen.forget();
        return true;
      case 'ctrl+z':
        void this.#hold.suspend();
        return true;
      default:
        return false;
    }
  }

  /** Stops what runs, else empties the input, else asks for a second one to leave. */
  #interrupt(): void {
    const busy = this.#chat !== undefined && (this.#chat.running || this.#chat.request !== undefined);
    const { isEmpty, text } = this.#editor;
    if (busy && !this.#hint.leaves) {
      void this.#chat?.cancel();
      this.#hint.show('Stopping. Ctrl+C again leaves.', { leaves: true });
    } else if (!isEmpty) {
      // What is written is not lost by a key that is pressed once too often: ↑ brings it back.
      this.#editor.remember([text]);
      this.#editor.text = '';
      this.#hint.clear();
    } else if (this.#hint.leaves) this.#parts.quit();
    else this.#hint.show('Ctrl+C again leaves.', { leaves: true });
  }

  /** Esc closes what is open; while something runs, where nothing is open, it tells what would stop it. */
  #escape(): boolean {
    const opens = this.#question.isOpen || this.#editor.isCompleting;
    if (opens || this.#chat?.running !== true) return false;
    this.#hint.show('Ctrl+C stops the task.');
    return true;
  }

  /** ↑ in an empty input takes back what waits in the queue. */
  #takeBack({ name }: Key): boolean {
    const waits = (this.#chat?.view.live.queue.length ?? 0) > 0;
    if (name !== 'up' || !waits || !this.#editor.isEmpty || this.#question.words) return false;
    void this.#chat?.takeBack();
    return true;
  }

  /** Tab goes through the suggestions while nothing is written, Shift+Tab through the modes. */
  #suggest({ name }: Key): boolean {
    if (name === 'shift+tab' && !this.#editor.isCompleting && !this.#question.words) {
      this.#parts.nextMode();
      return true;
    }
    const untouched = this.#editor.isEmpty || this.#editor.text === this.#suggestions[this.#suggested];
    if (name !== 'tab' || !untouched || this.#suggestions.length === 0 || this.#chat?.isEmpty !== true) return false;
    this.#suggested = (this.#suggested + 1) % this.#suggestions.length;
    this.#editor.text = this.#suggestions[this.#suggested]!;
    return true;
  }
}
