import type { EngineEvent } from '@black-ide/protocol';
import { textOf } from '@black-ide/protocol';
import { drawFact, drawNotes } from '../text/draw-fact.ts';
import { doing, factLine } from '../text/fact-line.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Output } from './output.ts';

const CLEAR_LINE = '\r\u001b[K';

/**
 * Draws what goes on, for a person at a terminal: a line for each fact, and below them, where the terminal can take it
 * back, what is being done right now.
 */
export class Progress {
  readonly #out: Output;
  readonly #paint: Painter;
  /** Whether the terminal can clear a line. */
  readonly #canClear: boolean;
  readonly #calls = new Map<string, Record<string, unknown>>();
  #model = '';
  #status = '';

  constructor(out: Output, paint: Painter, canClear: boolean) {
    this.#out = out;
    this.#paint = paint;
    this.#canClear = canClear;
  }

  take(event: EngineEvent): void {
    switch (event.type) {
      case 'TaskStarted':
        this.#model = event.model;
        this.#showStatus(`${this.#model} is working`);
        break;
      case 'AssistantMessageAdded':
        this.#assistant(event.content);
        break;
      case 'ToolStarted':
        this.#calls.set(event.callId, event.args);
        this.#showStatus(doing(event));
        break;
      case 'ToolFinished':
        this.#finished(event);
        break;
      case 'RetryScheduled': {
        const seconds = Math.max(1, Math.round(event.delayMs / 1000));
        this.#fitted(`↻ trying again in ${seconds} s (${event.attempt}): ${visibleLine(event.reason)}`);
        break;
      }
      case 'CompactingChanged':
        if (event.reason) this.#fitted('… condensing the conversation');
        break;
      case 'NoticeAdded':
        if (event.display) this.#fitted(`· ${visibleLine(textOf(event.content))}`);
        break;
    }
  }

  /** Prints a line of its own. */
  line(text: string): void {
    this.clear();
    this.#out.line(text);
  }

  /** Takes back what is being done right now. */
  clear(): void {
    if (this.#status) this.#out.write(CLEAR_LINE);
    this.#status = '';
  }

  #assistant(content: readonly { type: string }[]): void {
    const calls = content.filter(
      (block): block is { type: 'toolCall'; id: string; arguments: Record<string, unknown> } =>
        block.type === 'toolCall',
    );
    for (const call of calls) this.#calls.set(call.id, call.arguments);
    const words = visibleLine(textOf(content));
    if (calls.length > 0 && words) this.#fitted(words);
  }

  #finished({ callId, name, isError, content, details }: Extract<EngineEvent, { type: 'ToolFinished' }>): void {
    const fact = factLine({ name, isError, args: this.#calls.get(callId) ?? {}, text: textOf(content), details });
    this.#calls.delete(callId);
    if (!fact) return;
    for (const line of [drawFact(fact, this.#out.columns, this.#paint), ...drawNotes(fact, this.#paint)])
      this.line(line);
    this.#showStatus(`${this.#model} is working`);
  }

  #fitted(text: string): void {
    this.line(this.#paint.dim(fitWidth(text, this.#out.columns)));
  }

  #showStatus(text: string): void {
    // The same thing may be told twice; drawing it again would only flicker.
    if (!this.#canClear || this.#status === text) return;
    this.clear();
    this.#out.write(this.#paint.dim(fitWidth(`… ${visibleLine(text)}`, this.#out.columns - 1)));
    this.#status = text;
  }
}
