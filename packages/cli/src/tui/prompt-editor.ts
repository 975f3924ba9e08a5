import {
  type AutocompleteProvider,
  CURSOR_MARKER,
  Editor,
  matchesKey,
  type TUI,
  visibleWidth,
} from '@earendil-works/pi-tui';
import type { Painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';
import { FoldedHistory, isFolded } from './folded-history.ts';
import { drawnKept, given, kept } from './kept-text.ts';
import type { Live } from './screen.ts';

export interface PromptEditorParts {
  paint: Painter;
  rows(): number;
  changed(): void;
  submit(text: string): void;
}

/** Tab, line feed and return inside a paste, as tmux's popups spell them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences
const KEYS_IN_PASTE = /\u001b\[(105|106|109);5u/g;
const ESCAPE = '\u001b';
/** A command of the prompt with a part of what it takes. */
const ARGUMENT = /^\/[a-z]+\s+\S*$/;

/** The input: several lines, history, completion, folded pastes. */
export class PromptEditor {
  readonly #editor: QuietEditor;
  readonly #history: FoldedHistory;
  /** What the completions that are shown were made for. */
  #completed = '';
  /** All that was written when Enter came, without empty lines around it. */
  #whole = '';

  constructor({ paint, rows, changed, submit }: PromptEditorParts, completions?: AutocompleteProvider) {
    // All that the editor wants of its surroundings is their height and to be drawn again.
    const surroundings = {
      requestRender: changed,
      get terminal() {
        return { rows: rows() };
      },
    };
    const plain = (text: string): string => text;
    this.#editor = new QuietEditor(surroundings as unknown as TUI, {
      borderColor: paint.dim,
      selectList: {
        selectedPrefix: paint.bold,
        selectedText: paint.bold,
        description: paint.dim,
        scrollInfo: paint.dim,
        noMatch: plain,
      },
    });
    this.#history = new FoldedHistory(this.#editor);
    this.#editor.focused = true;
    // The editor trims; the blanks that a first line begins with belong to it.
    this.#editor.onSubmit = (trimmed) => submit(given(this.#whole.trim() === trimmed ? this.#whole : trimmed));
    if (completions) this.#editor.setAutocompleteProvider(this.#watched(completions));
  }

  get isEmpty(): boolean {
    return this.#editor.getText() === '';
  }

  /** What is written, with folded pastes unfolded. */
  get text(): string {
    return given(this.#editor.getExpandedText());
  }

  set text(text: string) {
    this.#editor.setText(kept(text));
  }

  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  /** Makes earlier prompts, oldest first, reachable. */
  remember(prompts: readonly string[]): void {
    for (const prompt of prompts) this.#editor.addToHistory(kept(prompt));
  }

  key(data: string): void {
    const takes = matchesKey(data, 'enter') || matchesKey(data, 'tab');
    // Keys can be faster than completions: what was offered for less text than stands there now is no choice.
    if (takes && this.isCompleting && this.#completed !== this.#beforeCursor) this.#editor.handleInput(ESCAPE);
    const chooses = this.isCompleting && matchesKey(data, 'enter') && ARGUMENT.test(this.#beforeCursor);
    this.#type(data);
    // Whoever chooses what a command takes has said all of it.
    if (chooses && !this.isEmpty) this.#type(data);
  }

  #type(data: string): void {
    if (matchesKey(data, 'enter')) {
      this.#whole = this.#editor
        .getExpandedText()
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd();
    }
    this.#history.type(data);
  }

  /**
   * Takes a paste, as it is. A short one stands there as text, so what is invisible in it is written out, tabs and line
   * ends aside.
   */
  paste(pasted: string): void {
    const text = pasted.replace(KEYS_IN_PASTE, (_, code: string) => String.fromCharCode(Number(code) - 96));
    if (isFolded(text.replace(/\r\n?/g, '\n'))) this.#editor.handleInput(`\u001b[200~${kept(text)}\u001b[201~`);
    else this.#editor.insertTextAtCursor(kept(visibleText(text.replace(/\r\n?/g, '\n'))));
  }

  get #beforeCursor(): string {
    const { line, col } = this.#editor.getCursor();
    return [...this.#editor.getLines().slice(0, line), this.#editor.getLines()[line]!.slice(0, col)].join('\n');
  }

  /** The completions, with a note of what they were asked for. */
  #watched(completions: AutocompleteProvider): AutocompleteProvider {
    return {
      ...(completions.triggerCharacters ? { triggerCharacters: completions.triggerCharacters } : {}),
      applyCompletion: (...args) => completions.applyCompletion(...args),
      getSuggestions: async (...args) => {
        const asked = this.#beforeCursor;
        const found = await completions.getSuggestions(...args);
        this.#completed = asked;
        return found;
      },
    };
  }

  draw(columns: number, title = ''): Live {
    this.#editor.title = title;
    let cursor: Live['cursor'];
    const lines = this.#editor.render(columns).map((line, row) => {
      const at = line.indexOf(CURSOR_MARKER);
      if (at >= 0) cursor = { row, column: Math.min(visibleWidth(line.slice(0, at)), columns - 1) };
      return drawnKept(line.replaceAll(MARKERS, '').trimEnd());
    });
    return { lines, cursor };
  }
}

/** Where the editor puts the cursor, for the one who draws it: the terminal has its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences
const MARKERS = /\u001b_pi:[^\u0007]*\u0007/g;

class QuietEditor extends Editor {
  title = '';

  protected override renderTopBorder(width: number, hidden: number): string {
    const words = this.title || (hidden > 0 ? `↑ ${hidden} more` : '');
    return this.borderColor(ruled(words, width));
  }

  protected override renderBottomBorder(width: number, hidden: number): string {
    return this.borderColor(ruled(hidden > 0 ? `↓ ${hidden} more` : '', width));
  }
}

function ruled(words: string, width: number): string {
  const text = words ? `─ ${words} `.slice(0, width) : '';
  return text + '─'.repeat(Math.max(width - text.length, 0));
}
