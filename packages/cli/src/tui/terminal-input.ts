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

/** More than this at once nobody types, in characters: it is a paste of a terminal that does not mark them. */
const TYPED_AT_ONCE = 64;
/** What comes so soon after a part of such a paste belongs to it, in milliseconds. */
const BURST_MS = 30;
/** No key is in it but those of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys
const TEXT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+$/;

/** The keyboard of a terminal in raw mode: keys and pastes, each whole however the bytes came. */
export class TerminalInput {
  readonly #stdin: InputStream;
  readonly #out: Output;
  readonly #listener: InputListener;
  readonly #buffer = new StdinBuffer({ timeout: 30, escapeTimeout: 20 });
  /** An unmarked paste, as far as it has come. */
  #burst = '';
  #burstEnd: NodeJS.Timeout | undefined;

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
    this.#endBurst();
    this.#buffer.clear();
    // A terminal that is gone cannot be told; the error that comes of it must still find a listener.
    if (!stdin.destroyed) stdin.setRawMode?.(false);
    stdin.pause();
    this.#out.write(PASTES.off);
  }

  readonly #take = (data: string | Buffer): void => {
    const text = String(data);
    if (this.#isBurst(text)) {
      this.#burst += text;
      clearTimeout(this.#burstEnd);
      this.#burstEnd = setTimeout(() => this.#endBurst(), BURST_MS);
    } else {
      this.#endBurst();
      this.#buffer.process(text);
    }
  };

  /** A part of an unmarked paste: as keys it would cost time and memory by its square, and its line ends would send it. */
  #isBurst(text: string): boolean {
    const isBetweenKeys = !isInPaste(this.#buffer) && this.#buffer.getBuffer() === '';
    // Enter alone is a key, however soon it comes.
    const isLong = text.length > TYPED_AT_ONCE || (this.#burst !== '' && text !== '\r');
    return isLong && isBetweenKeys && TEXT.test(text);
  }

  #endBurst(): void {
    clearTimeout(this.#burstEnd);
    const text = this.#burst;
    this.#burst = '';
    if (text !== '') this.#listener.paste(text);
  }

  readonly #ended = (): void => {
    this.#endBurst();
    this.#listener.ended();
  };
}

/** The middle of a marked paste; the buffer does not tell, and a test tells when it is not there any more. */
function isInPaste(buffer: StdinBuffer): boolean {
  return (buffer as unknown as { pasteMode: boolean }).pasteMode;
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
