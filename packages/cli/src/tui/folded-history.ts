import { type Editor, matchesKey } from '@earendil-works/pi-tui';

/** Pastes of more lines or characters are folded to a placeholder; what is folded is sent as it was pasted. */
const FOLDED = { lines: 10, chars: 1_000 };
/** Of so many prompts it is known which part of them was pasted. */
const KEPT = 20;

interface Fold {
  /** With placeholders. */
  shown: string;
  /** What each placeholder stands for, by its number. */
  pastes: Map<number, string>;
}

/** What the editor does not offer by itself; the tests of the prompt's editor tell when it is not there any more. */
interface Inside {
  /** Which earlier prompt is shown; -1: none. */
  historyIndex: number;
  pastes: Map<number, string>;
  pasteCounter: number;
  setTextInternal(text: string, cursor: 'start' | 'end'): void;
}

export function isFolded(text: string): boolean {
  return text.length > FOLDED.chars || text.split('\n').length > FOLDED.lines;
}

/** Brings long prompts back folded: with the pastes they were sent with where that is known, else as one. */
export class FoldedHistory {
  readonly #editor: Editor;
  readonly #inside: Inside;
  readonly #folds = new Map<string, Fold>();
  #draft: Fold['pastes'] = new Map();

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#inside = editor as unknown as Inside;
  }

  /** Has the editor take a key. */
  type(data: string): void {
    const editor = this.#editor;
    const inside = this.#inside;
    const before = editor.getText();
    const wasBrowsing = inside.historyIndex >= 0;
    if (!wasBrowsing) this.#draft = inside.pastes;
    if (matchesKey(data, 'enter') && inside.pastes.size > 0) this.#keep(before);
    editor.handleInput(data);
    if (editor.getText() === before) return;
    if (inside.historyIndex >= 0) this.#fold(matchesKey(data, 'up') ? 'start' : 'end');
    else if (wasBrowsing && matchesKey(data, 'down')) inside.pastes = this.#draft;
  }

  #keep(shown: string): void {
    this.#folds.set(this.#editor.getExpandedText().trim(), {
      shown: shown.trim(),
      pastes: new Map(this.#inside.pastes),
    });
    if (this.#folds.size > KEPT) this.#folds.delete(this.#folds.keys().next().value!);
  }

  #fold(cursor: 'start' | 'end'): void {
    const inside = this.#inside;
    const text = this.#editor.getText();
    const whole = { shown: `[paste #1 +${text.split('\n').length} lines]`, pastes: new Map([[1, text]]) };
    const fold = this.#folds.get(text) ?? (isFolded(text) ? whole : undefined);
    // The draft's own pastes stay as they are: they come back with it.
    inside.pastes = new Map(fold?.pastes);
    inside.pasteCounter = Math.max(0, ...inside.pastes.keys());
    if (fold) inside.setTextInternal(fold.shown, cursor);
  }
}
