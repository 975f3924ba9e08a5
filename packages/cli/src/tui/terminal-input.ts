import { parseKey, StdinBuffer } from '@earendil-works/pi-tui';
import type { Output } from '../headless/output.ts';
import type { InputStream } from '../world.ts';

export interface Key {
  /** What the terminal sent. */
  data: string;
  /** e.g. `ctrl+c`; undefined for what is only text. */
  name?: string | undefined;
  text?: string | undefined;
}

export interface InputListener {
  key(key: Key): void;
  paste(text: string): void;
  /** The terminal is gone. */
  ended(): void;
}

const PASTES = { on: '\u001b[?2004h', off: '\u001b[?2004l' };

/** The keyboard of a terminal in raw mode: keys and pastes, each whole however the bytes came. */
export class TerminalInput {
  readonly #stdin: InputStream;
  readonly #out: Output;
  readonly #listener: InputListener;
  readonly #buffer = new StdinBuffer({ timeout: 30, escapeTimeout: 20 });

  constructor(stdin: InputStream, out: Output, listener: InputListener) {
    this.#stdin = stdin;
    this.#out = out;
    this.#listener = listener;
    this.#buffer.on('data', (data) => listener.key(keyOf(data)));
    this.#buffer.on('paste', (text) => listener.paste(text));
  }

  start(): void {
    const stdin = this.#stdin;
    stdin.setRawMode?.(true);
    stdin.setEncoding('utf8');
    stdin.on('data', this.#take);
    stdin.on('end', this.#ended);
    stdin.on('error', this.#ended);
    stdin.resume();
    this.#out.write(PASTES.on);
  }

  /** Gives the keyboard back. */
  stop(): void {
    const stdin = this.#stdin;
    stdin.off('data', this.#take);
    stdin.off('end', this.#ended);
    this.#buffer.clear();
    // A terminal that is gone cannot be told; the error that comes of it must still find a listener.
    if (!stdin.destroyed) stdin.setRawMode?.(false);
    stdin.pause();
    this.#out.write(PASTES.off);
  }

  readonly #take = (data: string | Buffer): void => this.#buffer.process(String(data));

  readonly #ended = (): void => this.#listener.ended();
}

/** Home and End as the Linux console, tmux, screen, PuTTY and rxvt send them. */
const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['\u001b[1~', '\u001b[H'],
  ['\u001b[7~', '\u001b[H'],
  ['\u001b[4~', '\u001b[F'],
  ['\u001b[8~', '\u001b[F'],
]);

/** What the terminal sent, as a key. */
export function keyOf(sent: string): Key {
  const data = OTHER_SPELLINGS.get(sent) ?? sent;
  const name = parseKey(data);
  const code = data.codePointAt(0) ?? 0;
  const text = code >= 0x20 && code !== 0x7f ? data : undefined;
  return { data, ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { text }) };
}
