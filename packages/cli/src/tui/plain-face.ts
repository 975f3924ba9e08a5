import type { Request } from '@black-ide/protocol';
import type { Output } from '../headless/output.ts';
import { doing } from '../text/fact-line.ts';
import { requestContent, requestText } from '../text/request-text.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { InputStream } from '../world.ts';
import { GUARD_MS } from './card.ts';
import type { Chat, ChatFace } from './chat.ts';
import { asciiLine, asciiText } from './marks.ts';

export interface PlainParts {
  out: Output;
  stdin: InputStream;
  unicode: boolean;
  submit(text: string): void;
  quit(): void;
}

/** Lines that come sooner after each other were pasted: they are one message. */
const PASTE_MS = 40;

/**
 * The terminal as a face that only ever appends lines: for screen readers, and for terminals that cannot do more. What
 * changes is told in words when it has changed; questions are answered by a number on a line of its own.
 */
export class PlainFace implements ChatFace {
  readonly #parts: PlainParts;
  readonly #told = new Set<string>();
  #chat: Chat | undefined;
  #rest = '';
  #pasted: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #asked: Request | undefined;
  /** The question that a person has had the time to read: it says how to answer, and answers count. */
  #ready: Request | undefined;
  #guard: NodeJS.Timeout | undefined;
  /** The question that stood there when the line that is being taken came. */
  #lineTo: Request | undefined;
  #running = false;
  #queued = 0;

  private constructor(parts: PlainParts) {
    this.#parts = parts;
  }

  static start(parts: PlainParts): PlainFace {
    const face = new PlainFace(parts);
    const { stdin } = parts;
    stdin.setEncoding('utf8');
    stdin.on('data', face.#take);
    stdin.on('end', face.#ended);
    stdin.on('error', face.#ended);
    return face;
  }

  stop(): void {
    const { stdin } = this.#parts;
    clearTimeout(this.#timer);
    clearTimeout(this.#guard);
    stdin.off('data', this.#take);
    stdin.off('end', this.#ended);
    stdin.pause();
  }

  set chat(chat: Chat) {
    this.#chat = chat;
    this.changed();
    this.#prompt();
  }

  /** The input waits again. */
  done(): void {
    if (this.#chat && !this.#chat.running && !this.#asked) this.#prompt();
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.#line(line);
  }

  /** Tells what is new since it was told last. */
  changed(): void {
    const chat = this.#chat;
    if (!chat) return;
    const { live } = chat.view;
    for (const tool of live.tools) {
      if (this.#told.has(tool.callId) || tool.name !== 'run_command') continue;
      this.#told.add(tool.callId);
      this.#line(`… ${visibleLine(doing(tool))}`);
    }
    if (live.queue.length > this.#queued) this.#line(`queued: ${visibleLine(live.queue.at(-1)!)}`);
    this.#queued = live.queue.length;
    if (chat.request?.id !== this.#asked?.id) {
      this.#asked = chat.request;
      this.#ready = undefined;
      clearTimeout(this.#guard);
      if (chat.request) this.#ask(chat.request);
    }
    if (this.#running && !chat.running) this.#prompt();
    this.#running = chat.running;
  }

  #ask(request: Request): void {
    const { unicode } = this.#parts;
    // A person decides about this: nothing in it may pass for something else. The options stand below by their numbers.
    const asked = [...requestText({ ...request, options: [] }), ...requestContent(request)];
    const options = request.options.map(({ label }, at) => `${at + 1} ${visibleLine(label)}`);
    this.print(['', ...[...asked, ...options].map((line) => (unicode ? line : asciiText(line)))]);
    clearTimeout(this.#guard);
    this.#guard = setTimeout(() => {
      this.#ready = request;
      if (!isFree(request)) this.#line('Answer with the number; after a refusal words may follow.');
      else this.#line(request.options.length > 0 ? 'Answer with the number, or in words.' : 'Answer in words.');
    }, GUARD_MS);
  }

  #prompt(): void {
    const { mode, model } = this.#chat!.status;
    this.#line('');
    this.#line(`${visibleLine(mode)}, ${visibleLine(model)}. Your message:`);
  }

  #line(text: string): void {
    this.#parts.out.line(this.#parts.unicode ? text : asciiLine(text));
  }

  readonly #take = (data: string | Buffer): void => {
    const lines = (this.#rest + String(data)).split(/\r\n|\r|\n/);
    this.#rest = lines.pop()!;
    if (lines.length === 0) return;
    if (this.#pasted.length === 0) this.#lineTo = this.#ready;
    this.#pasted.push(...lines);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A line that ends with a backslash goes on.
      if (this.#pasted.at(-1)!.endsWith('\\')) return;
      const text = this.#pasted.map((line) => line.replace(/\\$/, '')).join('\n');
      this.#pasted = [];
      this.#said(text.trim());
    }, PASTE_MS);
  };

  readonly #ended = (): void => this.#parts.quit();

  #said(text: string): void {
    const request = this.#lineTo?.id === this.#asked?.id ? this.#lineTo : undefined;
    if (request && !text.startsWith('/')) this.#answer(request, text);
    // An answer that came before it could be one is no message either.
    else if (this.#asked && /^\d$/.test(text)) this.#ask(this.#asked);
    else if (text !== '') this.#parts.submit(text);
    else if (this.#chat?.canResume) void this.#chat.resume();
  }

  #answer(request: Request, text: string): void {
    const match = /^(\d)(?:[.):]?\s+(.*))?$/s.exec(text);
    const option = match ? request.options[Number(match[1]) - 1] : undefined;
    const words = match?.[2]?.trim() || undefined;
    // Whoever says more than yes has more in mind than what the question shows.
    const isYesAnd = words !== undefined && request.kind === 'permission' && option?.value !== request.default;
    if (option && !isYesAnd) void this.#chat?.answer(request, option.value, words);
    else if (isFree(request) && text !== '') void this.#chat?.answer(request, text);
    else this.#ask(request);
  }
}

function isFree(request: Request): boolean {
  return request.kind === 'ask_user' || request.options.length === 0;
}
