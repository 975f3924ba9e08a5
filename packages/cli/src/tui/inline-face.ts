import type { Output } from '../headless/output.ts';
import { pendingText } from '../text/change-text.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import type { ShownArtifact } from '../text/request-text.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { World } from '../world.ts';
import { Card, GUARD_MS } from './card.ts';
import type { Chat, ChatFace } from './chat.ts';
import type { Completions } from './completions.ts';
import { Hint } from './hint.ts';
import { IdleMemory } from './idle-memory.ts';
import { asciiInput, asciiLine, asciiText } from './marks.ts';
import { ongoingLines } from './ongoing-lines.ts';
import type { Overlay } from './overlay.ts';
import { PromptEditor } from './prompt-editor.ts';
import { Screen } from './screen.ts';
import { slashCommand } from './slash-commands.ts';
import { type StatusFacts, statusLine } from './status-line.ts';
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

const FRAME_MS = 16;
/** How often it is looked whether time has to be told, while something runs. */
const TICK_MS = 300;

/**
 * The terminal as a face: what is finished goes into its scrollback, and below stand what goes on, the question that
 * waits, the input and the status. It draws when something changed, and otherwise does nothing.
 */
export class InlineFace implements ChatFace {
  readonly #parts: FaceParts;
  readonly #screen: Screen;
  readonly #input: TerminalInput;
  readonly #editor: PromptEditor;
  readonly #words: PromptEditor;
  readonly #idleMemory: IdleMemory;
  #restsAt: string | undefined;
  #chat: Chat | undefined;
  #branch: string | undefined;
  #first: StatusFacts | undefined;
  #suggestions: readonly string[] = [];
  #suggested = -1;
  #overlay: Overlay | undefined;
  #card: Card | undefined;
  #printedCard: Card | undefined;
  /** The option of the card whose words are being written. */
  #explaining: string | undefined;
  readonly #hint = new Hint(() => this.changed());
  #frame: NodeJS.Timeout | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #guard: NodeJS.Timeout | undefined;
  #drawnAt = 0;
  #away = false;

  constructor(parts: FaceParts) {
    this.#parts = parts;
    const { world, out, paint, unicode } = parts;
    const finish = unicode ? (line: string) => line : asciiLine;
    this.#screen = new Screen({ out, stream: world.stdout, finish });
    const editing = { paint, rows: () => this.#screen.rows, changed: () => this.changed() };
    this.#editor = new PromptEditor({ ...editing, submit: (text) => this.#submit(text) }, parts.completions);
    this.#words = new PromptEditor({ ...editing, submit: (text) => this.#explained(text) });
    this.#idleMemory = new IdleMemory(() => world.releaseMemory());
    this.#input = new TerminalInput(world.stdin, out, {
      key: (key) => this.#key(key),
      paste: (text) => this.#paste(text),
      ended: () => parts.quit(),
    });
  }

  get columns(): number {
    return this.#screen.columns;
  }

  /** Another program has the terminal, and its keys and signals. */
  get isAway(): boolean {
    return this.#away;
  }

  /** Takes the terminal and paints for the first time. */
  start(status: StatusFacts): void {
    this.#first = status;
    this.#input.start();
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
    if (this.#frame) return;
    const wait = Math.max(FRAME_MS - (performance.now() - this.#drawnAt), 0);
    this.#frame = setTimeout(() => {
      this.#frame = undefined;
      // A terminal that is behind is shown the newest state when it has caught up, not every state before.
      if (this.#screen.isBehind) this.#screen.onceTaken(() => this.changed());
      else this.#draw();
    }, wait);
  }

  open(overlay: Overlay): void {
    this.#card?.hidden();
    // What comes back when it closes must not say that keys count already.
    if (this.#card) this.#draw(true);
    this.#overlay = overlay;
    this.changed();
  }

  /** Gives the terminal back as it was, with the conversation in its scrollback. */
  stop(): void {
    clearTimeout(this.#frame);
    clearTimeout(this.#guard);
    this.#hint.clear();
    clearInterval(this.#ticker);
    this.#idleMemory.dispose();
    this.#parts.world.stdout.off('resize', this.#resized);
    this.#screen.leave();
    this.#input.stop();
  }

  readonly #resized = (): void => {
    this.#screen.resized();
    this.changed();
  };

  /** @param isCovered something else is about to be drawn over it: nobody sees it. */
  #draw(isCovered = false): void {
    if (this.#away) return;
    this.#drawnAt = performance.now();
    const { paint, world } = this.#parts;
    const { columns, rows } = this.#screen;
    if (this.#overlay) {
      this.#screen.drawAlternate(this.#overlay.draw(columns, rows, paint));
      this.#tick();
      return;
    }
    this.#screen.leaveAlternate();
    const now = world.clock.now();
    const { isEmpty } = this.#editor;
    const ongoing = this.#chat ? ongoingLines(this.#chat, { columns, rows, paint, now, isEmpty }) : [];
    const above = [...ongoing, ...this.#question(columns, rows), ...this.#changes(columns)];
    const editor = this.#explaining === undefined ? this.#editor : this.#words;
    const input = editor.draw(columns, this.#title());
    const cursor = input.cursor && { row: above.length + input.cursor.row, column: input.cursor.column };
    const hint = this.#hint.text ? paint.accent(fitWidth(this.#hint.text, columns)) : paint.dim(this.#status(columns));
    const written = this.#parts.unicode ? input.lines : input.lines.map(asciiInput);
    this.#screen.draw({ lines: [...above, ...written, hint], cursor });
    if (this.#card && !this.#card.isPainted && !isCovered) void this.#painted(this.#card);
    this.#tick();
    this.#rest();
  }

  /** Once the terminal has the card, and a person can have seen it, the keys count and are told. */
  async #painted(card: Card): Promise<void> {
    await this.#parts.out.flush();
    card.painted(this.#parts.world.clock.now());
    clearTimeout(this.#guard);
    this.#guard = setTimeout(() => this.changed(), GUARD_MS);
  }

  /** The changes that wait for a person, while nothing else does. */
  #changes(columns: number): string[] {
    const chat = this.#chat;
    const pending = !chat || chat.running || this.#card ? undefined : pendingText(chat.view.changes);
    return pending ? [this.#parts.paint.dim(fitWidth(`${pending} · /changes · /keep · /undo`, columns))] : [];
  }

  /** The card of the question that waits; one that is too long for the screen goes into the scrollback, whole. */
  #question(columns: number, rows: number): string[] {
    const request = this.#chat?.request;
    if (this.#card?.request.id !== request?.id) {
      this.#card = request && new Card(request);
      if (this.#explaining !== undefined) this.#words.text = '';
      this.#explaining = undefined;
      this.#printedCard = undefined;
    }
    const card = this.#card;
    if (!card) return [];
    const { paint, unicode } = this.#parts;
    const spelt = unicode ? undefined : asciiText;
    const body = card.body(columns, paint, spelt);
    const choices = card.choices(columns, paint, spelt);
    const room = Math.max(rows - choices.length - 8, 3);
    if (body.length <= room) return ['', ...body, ...choices];
    if (this.#printedCard !== card) {
      this.#printedCard = card;
      this.#screen.print(['', ...body]);
    }
    return [`${paint.accent('│')} ${paint.dim('… the whole question is above')}`, ...choices];
  }

  #title(): string {
    const card = this.#card;
    if (this.#explaining !== undefined) {
      return card?.request.kind === 'plan'
        ? 'What should be different? Enter sends (empty: no plan), Esc goes back'
        : 'Why? Enter sends, Esc goes back';
    }
    if (!card?.isReady(this.#parts.world.clock.now())) return '';
    if (!this.#editor.isEmpty)
      return this.#wordsAnswer() ? 'Enter answers · Tab: to the question' : 'Tab: to the question';
    const { answers, options } = card;
    if (options.length === 1) return '1 answers';
    const reads = answers < options.length ? `, ${answers + 1}–${options.length} opens` : '';
    return `1–${answers} answers${reads}, or Tab and Enter`;
  }

  #status(columns: number): string {
    const facts = this.#chat?.status ?? this.#first;
    return facts ? statusLine({ ...facts, branch: this.#branch }, columns) : '';
  }

  /** Time is told while something runs; else no timer is left. */
  #tick(): void {
    const running = this.#chat?.view.live.running === true && !this.#card;
    if (running) this.#ticker ??= setInterval(() => this.changed(), TICK_MS);
    if (running) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
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
    else (this.#explaining === undefined ? this.#editor : this.#words).paste(text);
    this.changed();
  }

  #key(key: Key): void {
    this.#idleMemory.disturbed();
    // Whoever goes on has not meant to leave.
    if (key.name !== 'ctrl+c') this.#hint.clear();
    if (this.#overlay) this.#toOverlay(key);
    else if (!this.#command(key) && !this.#toCard(key) && !this.#takeBack(key) && !this.#suggest(key)) {
      (this.#explaining === undefined ? this.#editor : this.#words).key(key.data);
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
        if (!this.#editor.isEmpty || this.#explaining !== undefined) return false;
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
        void this.#suspend();
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
    const opens = this.#card !== undefined || this.#editor.isCompleting;
    if (opens || this.#chat?.running !== true) return false;
    this.#hint.show('Ctrl+C stops the task.');
    return true;
  }

  async #suspend(): Promise<void> {
    await this.#whileAway(() => this.#parts.world.suspend());
  }

  /** Gives the terminal away for as long as something else needs it. */
  async #whileAway(other: () => Promise<void>): Promise<void> {
    this.#screen.leave();
    this.#input.stop();
    this.#away = true;
    try {
      await this.#parts.out.flush();
      await other();
    } finally {
      this.#away = false;
      this.#screen.enter();
      this.#input.start();
      this.#card?.hidden();
      this.changed();
    }
  }

  /** An answer to the question, where the key is one. */
  #toCard(key: Key): boolean {
    const card = this.#card;
    if (!card || this.#editor.isCompleting) return false;
    if (this.#explaining !== undefined) {
      if (key.name !== 'escape') return false;
      this.#explaining = undefined;
      return true;
    }
    const choosing = card.focused !== undefined;
    const ready = card.isReady(this.#parts.world.clock.now());
    if (key.name === 'tab' || (choosing && (key.name === 'right' || key.name === 'down'))) {
      if (ready) card.move(1);
      return true;
    }
    if (key.name === 'shift+tab' || (choosing && (key.name === 'left' || key.name === 'up'))) {
      if (ready) card.move(-1);
      return true;
    }
    if (key.name === 'escape') {
      card.focused = undefined;
      return choosing;
    }
    if (key.name === 'enter' && choosing) {
      if (ready) this.#take(card, card.focused!);
      return true;
    }
    const number = this.#editor.isEmpty && /^[1-9]$/.test(key.data) ? Number(key.data) : 0;
    if (number >= 1 && number <= card.options.length) {
      if (ready) this.#take(card, number - 1);
      return true;
    }
    if (key.name === 'enter' && this.#wordsAnswer()) {
      // What was being written when the question came is no answer yet: the next Enter is.
      if (ready) this.#answerInWords(card);
      return true;
    }
    // Whoever writes on has left the choice.
    if (choosing) card.focused = undefined;
    return false;
  }

  /** What is written would answer the question: it asks for words, and they are no command. */
  #wordsAnswer(): boolean {
    const { text } = this.#editor;
    return this.#card?.takesWords === true && text.trim() !== '' && !slashCommand(text) && !text.endsWith('\\');
  }

  #answerInWords({ request }: Card): void {
    const words = this.#editor.text.trim();
    this.#editor.text = '';
    this.#editor.remember([words]);
    void this.#chat?.answer(request, words);
  }

  #take(card: Card, at: number): void {
    const option = card.options[at]!;
    const { opens } = option;
    if (opens === 'editor') {
      void this.#whileAway(() => this.#edit(card));
    } else if (opens) this.#parts.read(opens);
    else if (option.wantsWords) this.#explain(option.value);
    else void this.#chat?.answer(card.request, option.value);
  }

  /** Asks for the words of an answer; what a plan's feedback was written as already goes along. */
  #explain(value: string): void {
    this.#explaining = value;
    if (this.#card?.request.kind !== 'plan' || this.#editor.isEmpty || slashCommand(this.#editor.text)) return;
    this.#words.text = this.#editor.text;
    this.#editor.text = '';
  }

  /** Has a plan edited; its card then shows what it is now. */
  async #edit({ request, options }: Card): Promise<void> {
    const artifacts = options.flatMap(({ opens }) => (typeof opens === 'object' ? [opens] : []));
    const edited = await this.#parts.edit(artifacts);
    if (this.#card?.request.id !== request.id) return;
    this.#card = new Card({ ...request, payload: { ...request.payload, artifacts: edited } });
    this.#printedCard = undefined;
  }

  #explained(text: string): void {
    const card = this.#card;
    const value = this.#explaining;
    if (!card || value === undefined) return;
    const words = text.trim();
    // An answer in words needs words.
    if (value === '' && words === '') return;
    this.#explaining = undefined;
    void this.#chat?.answer(card.request, value || words, value && words ? words : undefined);
  }

  /** ↑ in an empty input takes back what waits in the queue. */
  #takeBack({ name }: Key): boolean {
    const waits = (this.#chat?.view.live.queue.length ?? 0) > 0;
    if (name !== 'up' || !waits || !this.#editor.isEmpty || this.#explaining !== undefined) return false;
    void this.#chat?.takeBack();
    return true;
  }

  /** Tab goes through the suggestions while nothing is written, Shift+Tab through the modes. */
  #suggest({ name }: Key): boolean {
    if (name === 'shift+tab' && !this.#editor.isCompleting && this.#explaining === undefined) {
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
