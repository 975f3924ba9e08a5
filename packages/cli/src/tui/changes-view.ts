import { type ChangedFile, changedFiles, type TrackedChange } from '@black-ide/protocol';
import { changeLine } from '../text/change-text.ts';
import { fitWidth, widthOf } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import { diffLines } from './diff-lines.ts';
import type { Overlay, OverlayStep } from './overlay.ts';
import type { Live } from './screen.ts';
import { wrap } from './wrap.ts';

/** What a person can do with changes; each answers a line to be shown. */
export interface ChangeActions {
  list(): Promise<{ changes: readonly TrackedChange[]; canRedo: boolean }>;
  diff(path: string): Promise<string>;
  keep(path?: string): Promise<string>;
  restore(path: string, merge: boolean): Promise<ActionOutcome>;
  undo(merge: boolean): Promise<ActionOutcome>;
  redo(merge: boolean): Promise<ActionOutcome>;
}

export interface ActionOutcome {
  text: string;
  failed?: boolean;
  /** Files were changed since, which the text names: the same again may merge. */
  mayMerge?: boolean;
}

/** The list takes at most this part of the screen; the rest is for the hunks. */
const LIST_PART = 3;

/**
 * A session's changes over the whole screen: the files, the hunks of the one that is chosen, and keys to keep each, to take
 * it back, to undo the newest message, and to redo.
 */
export class ChangesView implements Overlay {
  readonly #actions: ChangeActions;
  readonly #changed: () => void;
  #files: readonly ChangedFile[] = [];
  #canRedo = false;
  #at = 0;
  #top = 0;
  #diff = '';
  #scrolled = 0;
  #page = 1;
  #said = '';
  #again: (() => Promise<ActionOutcome>) | undefined;
  #busy = true;

  constructor(actions: ChangeActions, changed: () => void) {
    this.#actions = actions;
    this.#changed = changed;
    void this.#do(async () => '');
  }

  draw(columns: number, rows: number, paint: Painter): Live {
    const keys = wrapKeys(this.#keys(), columns);
    const height = Math.max(Math.min(this.#files.length, Math.floor((rows - keys.length) / LIST_PART)), 1);
    const said = this.#saidLines(columns, rows - height - keys.length - 2);
    if (this.#at < this.#top) this.#top = this.#at;
    if (this.#at >= this.#top + height) this.#top = this.#at - height + 1;
    const list = this.#files.slice(this.#top, this.#top + height).map((file, n) => {
      const line = changeLine(file, file.state, columns - 2);
      if (this.#top + n === this.#at) return paint.bold(`› ${line}`);
      return file.state === 'kept' ? paint.dim(`  ${line}`) : `  ${line}`;
    });
    const empty = [paint.dim(fitWidth(this.#busy ? '' : 'No changes to keep or to take back.', columns))];
    const room = Math.max(rows - height - keys.length - said.length - 2, 0);
    const hunks = diffLines(this.#diff, paint);
    this.#page = Math.max(room, 1);
    this.#scrolled = Math.max(Math.min(this.#scrolled, hunks.length - room), 0);
    const pending = this.#files.filter(({ state }) => state === 'pending').length;
    const lines = [
      paint.bold('Changes') + paint.dim(` · ${pending} pending of ${this.#files.length}`),
      ...(list.length > 0 ? list : empty),
      paint.dim('─'.repeat(Math.max(columns - 1, 1))),
      ...(this.#files.length > 0 ? hunks.slice(this.#scrolled, this.#scrolled + room) : []),
    ];
    while (lines.length < rows - said.length - keys.length) lines.push('');
    lines.push(...said, ...keys.map((line) => paint.dim(line)));
    return { lines };
  }

  key({ name, text }: { name?: string | undefined; text?: string | undefined }): OverlayStep {
    if (name === 'escape' || name === 'ctrl+c' || text === 'q') return 'close';
    const page = this.#page;
    const scroll: Record<string, number> = {
      pageUp: -page,
      pageDown: page,
      home: Number.MIN_SAFE_INTEGER,
      end: Number.MAX_SAFE_INTEGER,
    };
    if (name === 'up') this.#choose(this.#at - 1);
    else if (name === 'down') this.#choose(this.#at + 1);
    else if (name !== undefined && Object.hasOwn(scroll, name)) this.#scrolled += scroll[name]!;
    else if (!this.#busy && text !== undefined) this.#command(text);
    return 'stay';
  }

  /** What a key has answered, whole where so many rows hold it. */
  #saidLines(columns: number, rows: number): string[] {
    const lines = wrap(visibleLine(this.#said), columns);
    const room = Math.max(rows, 1);
    if (lines.length <= room) return lines;
    return [...lines.slice(0, room - 1), fitWidth(`${lines[room - 1]} …`, columns - 1).replace(/ ?…*$/, '…')];
  }

  #keys(): string[] {
    return [
      ...(this.#again ? ['m merge, keeping that'] : []),
      ...['k keep', 'r restore', 'K keep all', 'u undo message'],
      ...(this.#canRedo ? ['y redo'] : []),
      ...['↑ ↓ choose', 'PgUp PgDn scroll', 'Esc closes'],
    ];
  }

  #command(key: string): void {
    const file = this.#files[this.#at];
    const again = this.#again;
    this.#again = undefined;
    switch (key) {
      case 'k':
        if (file) void this.#do(() => this.#actions.keep(file.path));
        break;
      case 'K':
        if (file) void this.#do(() => this.#actions.keep());
        break;
      case 'r':
        if (file) void this.#take((merge) => this.#actions.restore(file.path, merge));
        break;
      case 'u':
        void this.#take((merge) => this.#actions.undo(merge));
        break;
      case 'y':
        if (this.#canRedo) void this.#take((merge) => this.#actions.redo(merge));
        break;
      case 'm':
        if (again) void this.#do(async () => (await again()).text);
    }
  }

  /** What is in the way is told first; the next key may say to merge. */
  async #take(act: (merge: boolean) => Promise<ActionOutcome>): Promise<void> {
    await this.#do(async () => {
      const { text, mayMerge } = await act(false);
      if (mayMerge) this.#again = () => act(true);
      return text;
    });
  }

  async #do(act: () => Promise<string>): Promise<void> {
    this.#busy = true;
    try {
      this.#said = await act();
      const { changes, canRedo } = await this.#actions.list();
      this.#files = changedFiles(changes);
      this.#canRedo = canRedo;
      this.#at = Math.max(Math.min(this.#at, this.#files.length - 1), 0);
      await this.#showDiff();
    } catch (cause) {
      this.#said = cause instanceof Error ? cause.message : String(cause);
    } finally {
      this.#busy = false;
      this.#changed();
    }
  }

  #choose(at: number): void {
    const next = Math.max(Math.min(at, this.#files.length - 1), 0);
    if (next === this.#at) return;
    this.#at = next;
    this.#diff = '';
    void this.#showDiff().then(this.#changed, () => this.#changed());
  }

  async #showDiff(): Promise<void> {
    const file = this.#files[this.#at];
    const diff = file ? await this.#actions.diff(file.path) : '';
    // Another one may have been chosen meanwhile.
    if (file?.path !== this.#files[this.#at]?.path) return;
    this.#diff = diff;
    this.#scrolled = 0;
  }
}

/** Keys and what they do, on as many lines as they need; none is parted from its words. */
function wrapKeys(keys: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const key of keys) {
    const joined = lines.length > 0 ? `${lines.at(-1)} · ${key}` : key;
    if (lines.length > 0 && widthOf(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(fitWidth(key, columns));
  }
  return lines;
}
