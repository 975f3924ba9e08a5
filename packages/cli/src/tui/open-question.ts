import type { Request } from '@black-ide/protocol';
import type { Painter } from '../text/painter.ts';
import type { ShownArtifact } from '../text/request-text.ts';
import { Card, GUARD_MS } from './card.ts';
import { asciiText } from './marks.ts';
import { PromptEditor, type PromptEditorParts } from './prompt-editor.ts';
import { slashCommand } from './slash-commands.ts';
import type { Key } from './terminal-input.ts';

export interface OpenQuestionParts {
  paint: Painter;
  unicode: boolean;
  /** The input below: what is written there can be the answer. */
  editor: PromptEditor;
  /** For the input of words that belong to an answer. */
  editing: Omit<PromptEditorParts, 'submit'>;
  /** In milliseconds. */
  now(): number;
  /** Resolves when the terminal has what was written. */
  flush(): Promise<unknown>;
  /** Puts lines into the scrollback. */
  print(lines: readonly string[]): void;
  /** Something that is drawn is different. */
  changed(): void;
  answer(request: Request, value: string, text?: string): void;
  /** A document of a plan is to be read. */
  read(artifact: ShownArtifact): void;
  /** Opens a plan's documents in the person's editor. @returns what they are then. */
  edit(artifacts: readonly ShownArtifact[]): Promise<ShownArtifact[]>;
}

/** The question that waits for the person: its card, and the keys and words that answer it. */
export class OpenQuestion {
  readonly #parts: OpenQuestionParts;
  readonly #words: PromptEditor;
  #card: Card | undefined;
  #printed: Card | undefined;
  /** The option of the card whose words are being written. */
  #explaining: string | undefined;
  #guard: NodeJS.Timeout | undefined;

  constructor(parts: OpenQuestionParts) {
    this.#parts = parts;
    this.#words = new PromptEditor({ ...parts.editing, submit: (text) => this.#explained(text) });
  }

  get isOpen(): boolean {
    return this.#card !== undefined;
  }

  /** Where the words that belong to an answer are being written; undefined while none are. */
  get words(): PromptEditor | undefined {
    return this.#explaining === undefined ? undefined : this.#words;
  }

  /** What is open now, if anything. Another question than before begins anew. */
  set request(request: Request | undefined) {
    if (this.#card?.request.id === request?.id) return;
    this.#card = request && new Card(request);
    if (this.#explaining !== undefined) this.#words.text = '';
    this.#explaining = undefined;
    this.#printed = undefined;
  }

  /** It was taken off the screen: its keys count only when it has been seen anew. */
  hidden(): void {
    this.#card?.hidden();
  }

  /** The card; one that is too long for the screen goes into the scrollback, whole. */
  lines(columns: number, rows: number): string[] {
    const card = this.#card;
    if (!card) return [];
    const { paint, unicode } = this.#parts;
    const spelt = unicode ? undefined : asciiText;
    const body = card.body(columns, paint, spelt);
    const choices = card.choices(columns, paint, spelt);
    const room = Math.max(rows - choices.length - 8, 3);
    if (body.length <= room) return ['', ...body, ...choices];
    if (this.#printed !== card) {
      this.#printed = card;
      this.#parts.print(['', ...body]);
    }
    return [`${paint.accent('│')} ${paint.dim('… the whole question is above')}`, ...choices];
  }

  /** Which keys answer, for the border of the input; empty while none does. */
  title(): string {
    const card = this.#card;
    if (this.#explaining !== undefined) {
      return card?.request.kind === 'plan'
        ? 'What should be different? Enter sends (empty: no plan), Esc goes back'
        : 'Why? Enter sends, Esc goes back';
    }
    if (!card?.isReady(this.#parts.now())) return '';
    if (!this.#parts.editor.isEmpty)
      return this.#wordsAnswer() ? 'Enter answers · Tab: to the question' : 'Tab: to the question';
    const { answers, options } = card;
    if (options.length === 1) return '1 answers';
    const reads = answers < options.length ? `, ${answers + 1}–${options.length} opens` : '';
    return `1–${answers} answers${reads}, or Tab and Enter`;
  }

  /** The card was written. Once the terminal has it, and a person can have seen it, the keys count and are told. */
  async drawn(): Promise<void> {
    const card = this.#card;
    if (!card || card.isPainted) return;
    await this.#parts.flush();
    card.painted(this.#parts.now());
    clearTimeout(this.#guard);
    this.#guard = setTimeout(() => this.#parts.changed(), GUARD_MS);
  }

  /** An answer to the question, where the key is one. @returns whether it was. */
  key(key: Key): boolean {
    const card = this.#card;
    const { editor } = this.#parts;
    if (!card || editor.isCompleting) return false;
    if (this.#explaining !== undefined) {
      if (key.name !== 'escape') return false;
      this.#explaining = undefined;
      return true;
    }
    const choosing = card.focused !== undefined;
    const ready = card.isReady(this.#parts.now());
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
    const number = editor.isEmpty && /^[1-9]$/.test(key.data) ? Number(key.data) : 0;
    if (number >= 1 && number <= card.options.length) {
      if (ready) this.#take(card, number - 1);
      return true;
    }
    // A key that answers other cards is no word, which a message would begin with.
    if (number > 0 && !card.takesWords) return true;
    if (key.name === 'enter' && this.#wordsAnswer()) {
      // What was being written when the question came is no answer yet: the next Enter is.
      if (ready) this.#answerInWords(card);
      return true;
    }
    // Whoever writes on has left the choice.
    if (choosing) card.focused = undefined;
    return false;
  }

  dispose(): void {
    clearTimeout(this.#guard);
  }

  /** What is written would answer the question: it asks for words, and they are no command. */
  #wordsAnswer(): boolean {
    const { text } = this.#parts.editor;
    return this.#card?.takesWords === true && text.trim() !== '' && !slashCommand(text) && !text.endsWith('\\');
  }

  #answerInWords({ request }: Card): void {
    const { editor } = this.#parts;
    const words = editor.text.trim();
    editor.text = '';
    editor.remember([words]);
    this.#parts.answer(request, words);
  }

  #take(card: Card, at: number): void {
    const option = card.options[at]!;
    const { opens } = option;
    if (opens === 'editor') void this.#edit(card);
    else if (opens) this.#parts.read(opens);
    else if (option.wantsWords) this.#explaining = option.value;
    else this.#parts.answer(card.request, option.value);
  }

  /** Has a plan edited; its card then shows what it is now. */
  async #edit({ request, options }: Card): Promise<void> {
    const artifacts = options.flatMap(({ opens }) => (typeof opens === 'object' ? [opens] : []));
    const edited = await this.#parts.edit(artifacts);
    if (this.#card?.request.id !== request.id) return;
    this.#card = new Card({ ...request, payload: { ...request.payload, artifacts: edited } });
    this.#printed = undefined;
    this.#parts.changed();
  }

  #explained(text: string): void {
    const card = this.#card;
    const value = this.#explaining;
    if (!card || value === undefined) return;
    const words = text.trim();
    // An answer in words needs words.
    if (value === '' && words === '') return;
    this.#explaining = undefined;
    this.#parts.answer(card.request, value || words, value && words ? words : undefined);
  }
}
