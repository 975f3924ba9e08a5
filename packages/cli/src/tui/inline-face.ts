import type { Output } from '../headless/output.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { World } from '../world.ts';
import { Card, GUARD_MS } from './card.ts';
import type { Chat, ChatFace } from './chat.ts';
import type { Completions } from './completions.ts';
import { IdleMemory } from './idle-memory.ts';
import { asciiLine } from './marks.ts';
import type { Overlay } from './overlay.ts';
import { PromptEditor } from './prompt-editor.ts';
import { Screen } from './screen.ts';
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
  quit(): void;
}

const FRAME_MS = 16;
/** How often it is looked whether time has to be told, while something runs. */
const TICK_MS = 300;
/** How long the first Ctrl+C waits for the second, in milliseconds. */
const TWICE_MS = 2_000;

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
  #hint = '';
  #hintTimer: NodeJS.Timeout | undefined;
  #frame: NodeJS.Timeout | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #guard: NodeJS.Timeout | undefined;
  #drawnAt = 0;

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

  /** Gives a message back to the input, e.g. because it could not be sent. */
  giveBack(text: string): void {
    if (this.#editor.isEmpty) this.#editor.text = text;
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
    this.#overlay = overlay;
    this.#card?.hidden();
    this.changed();
  }

  /** Gives the terminal back as it was, with the conversation in its scrollback. */
  stop(): void {
    clearTimeout(this.#frame);
    clearTimeout(this.#guard);
    clearTimeout(this.#hintTimer);
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

  #draw(): void {
    this.#drawnAt = performance.now();
    const { paint, world } = this.#parts;
    const { columns, rows } = this.#screen;
    if (this.#overlay) {
      this.#screen.drawAlternate(this.#overlay.draw(columns, rows, paint));
      return;
    }
    this.#screen.leaveAlternate();
    const now = world.clock.now();
    const above = [...this.#running(columns, now), ...this.#queue(columns), ...this.#question(columns, rows)];
    const editor = this.#explaining === undefined ? this.#editor : this.#words;
    const input = editor.draw(columns, this.#title());
    const cursor = input.cursor && { row: above.length + input.cursor.row, column: input.cursor.column };
    const hint = this.#hint ? paint.accent(fitWidth(this.#hint, columns)) : paint.dim(this.#status(columns));
    this.#screen.draw({ lines: [...above, ...input.lines, hint], cursor });
    if (this.#card && !this.#card.isPainted) void this.#painted(this.#card);
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

  #running(columns: number, now: number): string[] {
    const chat = this.#chat;
    if (!chat) return [];
    const { paint } = this.#parts;
    const waiting = chat.request !== undefined;
    // While a person is asked, nothing else goes on.
    const activity = waiting ? [] : chat.activity(columns, paint, now);
    const partial = chat.partial.slice(-Math.max(Math.floor(this.#screen.rows / 2), 3));
    return [...partial, ...(partial.length > 0 && activity.length > 0 ? [''] : []), ...activity];
  }

  #queue(columns: number): string[] {
    const queue = this.#chat?.view.live.queue ?? [];
    const { dim } = this.#parts.paint;
    const shown = queue.slice(0, 3).map((text) => dim(fitWidth(`  queued: ${visibleLine(text)}`, columns)));
    return queue.length > shown.length ? [...shown, dim(`  … and ${queue.length - shown.length} more`)] : shown;
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
    const { paint } = this.#parts;
    const body = card.body(columns, paint);
    const choices = card.choices(columns, paint);
    const room = Math.max(rows - choices.length - 8, 3);
    if (body.length <= room) return ['', ...body, ...choices];
    if (this.#printedCard !== card) {
      this.#printedCard = card;
      this.#screen.print(['', ...body]);
    }
    return [`${paint.accent('│')} ${paint.dim('… the whole question is above')}`, ...choices];
  }

  #title(): string {
    if (this.#explaining !== undefined) return 'Why? Enter sends, Esc goes back';
    if (!this.#card?.isReady(this.#parts.world.clock.now())) return '';
    const keys = this.#editor.isEmpty
      ? `1–${this.#card.options.length} answers, or Tab and Enter`
      : 'Tab: to the question';
    return this.#card.options.length === 1 && this.#editor.isEmpty ? '1 answers' : keys;
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
    if (this.#overlay) this.#toOverlay({ data: text, text });
    else (this.#explaining === undefined ? this.#editor : this.#words).paste(text);
    this.changed();
  }

  #key(key: Key): void {
    this.#idleMemory.disturbed();
    if (this.#overlay) this.#toOverlay(key);
    else if (!this.#command(key) && !this.#toCard(key) && !this.#suggest(key)) {
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
    if (this.#hint !== '') {
      this.#parts.quit();
      return;
    }
    const busy = this.#chat !== undefined && (this.#chat.running || this.#chat.request !== undefined);
    if (busy) void this.#chat?.cancel();
    else if (!this.#editor.isEmpty) {
      this.#editor.text = '';
      return;
    }
    this.#hint = busy ? 'Stopping. Ctrl+C again leaves.' : 'Ctrl+C again leaves.';
    this.#hintTimer = setTimeout(() => {
      this.#hint = '';
      this.changed();
    }, TWICE_MS);
  }

  async #suspend(): Promise<void> {
    const { world, out } = this.#parts;
    this.#screen.leave();
    this.#input.stop();
    await out.flush();
    await world.suspend();
    this.#screen.enter();
    this.#input.start();
    this.#card?.hidden();
    this.changed();
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
    // Whoever writes on has left the choice.
    if (choosing) card.focused = undefined;
    return false;
  }

  #take(card: Card, at: number): void {
    const option = card.options[at]!;
    if (option.wantsWords) this.#explaining = option.value;
    else void this.#chat?.answer(card.request, option.value);
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

  /** Tab goes through the suggestions while nothing is written. */
  #suggest({ name }: Key): boolean {
    const untouched = this.#editor.isEmpty || this.#editor.text === this.#suggestions[this.#suggested];
    if (name !== 'tab' || !untouched || this.#suggestions.length === 0 || this.#chat?.isEmpty !== true) return false;
    this.#suggested = (this.#suggested + 1) % this.#suggestions.length;
    this.#editor.text = this.#suggestions[this.#suggested]!;
    return true;
  }
}
