/** One line of ripgrep's JSON output, as far as we use it. Format: `rg --help`, `--json`; grep_printer's JSON. */
export type RipgrepRecord =
  | { type: 'begin'; path: string }
  | { type: 'line'; isContext: boolean; line: number; text: string /** Where the first match begins. */; start: number }
  | { type: 'end'; isBinary: boolean }
  | { type: 'summary' };

/** A record that is longer is not parsed: its line is some megabytes long, and only its beginning is kept. */
const MAX_RECORD = 1024 * 1024;
const KEPT_OF_LONG = 64 * 1024;
const NEWLINE = 0x0a;
/** Cannot occur inside a JSON string, where each quote has a backslash before it. */
const AFTER_TEXT = '"},"line_number":';
const AFTER_TEXT_LENGTH = AFTER_TEXT.length + 20;

/** Splits ripgrep's output into records, in bounded memory however long a line of a searched file is. */
export class RipgrepRecords {
  readonly #receive: (record: RipgrepRecord) => void;
  #parts: Buffer[] = [];
  #size = 0;
  #long: LongRecord | undefined;

  constructor(receive: (record: RipgrepRecord) => void) {
    this.#receive = receive;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#add(rest.subarray(0, end));
      this.#finish();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#add(rest);
  }

  /** The last record has no newline. */
  end(): void {
    if (this.#size > 0) this.#finish();
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#long) {
      this.#long.push(part);
      return;
    }
    this.#parts.push(part);
    if (this.#size <= MAX_RECORD) return;
    this.#long = new LongRecord();
    for (const each of this.#parts) this.#long.push(each);
    this.#parts = [];
  }

  #finish(): void {
    const record = this.#long ? this.#long.record() : parseRecord(Buffer.concat(this.#parts).toString('utf8'));
    this.#parts = [];
    this.#size = 0;
    this.#long = undefined;
    if (record) this.#receive(record);
  }
}

/** Keeps the beginning of a record and finds its line number as it passes. */
class LongRecord {
  #start = '';
  #window = '';
  #line: number | undefined;

  push(part: Buffer): void {
    // Every character that matters here is ASCII; the text itself is decoded from its escapes and bytes below.
    const text = part.toString('latin1');
    if (this.#start.length < KEPT_OF_LONG) this.#start += text.slice(0, KEPT_OF_LONG - this.#start.length);
    if (this.#line !== undefined) return;
    const seen = this.#window + text;
    const at = seen.indexOf(AFTER_TEXT);
    const digits = at === -1 ? undefined : /^(\d+)\D/.exec(seen.slice(at + AFTER_TEXT.length))?.[1];
    if (digits !== undefined) this.#line = Number(digits);
    this.#window = digits === undefined ? seen.slice(-AFTER_TEXT_LENGTH) : '';
  }

  record(): RipgrepRecord | undefined {
    const start = Buffer.from(this.#start, 'latin1').toString('utf8');
    const form = /^\{"type":"(match|context)","data":\{"path":\{[^}]*\},"lines":\{"(text|bytes)":"/.exec(start);
    if (!form || this.#line === undefined) return undefined;
    const raw = start.slice(form[0].length);
    const text = form[2] === 'bytes' ? decodeBytes(raw.slice(0, raw.length - (raw.length % 4))) : unescaped(raw);
    return { type: 'line', isContext: form[1] === 'context', line: this.#line, text, start: 0 };
  }
}

/** The text of a JSON string that breaks off somewhere. */
function unescaped(raw: string): string {
  // The longest escape has six characters, so one of these ends between two.
  for (let cut = 0; cut < 6; cut++) {
    try {
      return JSON.parse(`"${raw.slice(0, raw.length - cut)}"`) as string;
    } catch {
      // Torn within an escape: one character less.
    }
  }
  return '';
}

interface Data {
  text?: string;
  bytes?: string;
}

interface RawRecord {
  type: string;
  data: {
    path?: Data | null;
    lines?: Data;
    line_number?: number;
    binary_offset?: number | null;
    submatches?: { start: number }[];
  };
}

function parseRecord(text: string): RipgrepRecord | undefined {
  if (text === '') return undefined;
  const { type, data } = JSON.parse(text) as RawRecord;
  switch (type) {
    case 'begin':
      return { type, path: textOf(data.path ?? {}).text };
    case 'match':
    case 'context': {
      const { text: line, offset } = textOf(data.lines ?? {});
      const start = offset(data.submatches?.[0]?.start ?? 0);
      return { type: 'line', isContext: type === 'context', line: data.line_number ?? 0, text: line, start };
    }
    case 'end':
      return { type, isBinary: typeof data.binary_offset === 'number' };
    case 'summary':
      return { type };
    default:
      return undefined;
  }
}

/** Text, and what turns an offset in its bytes into one in its characters. */
function textOf({ text, bytes }: Data): { text: string; offset: (byte: number) => number } {
  if (text !== undefined) {
    return { text, offset: (byte) => (byte === 0 ? 0 : Buffer.from(text).subarray(0, byte).toString('utf8').length) };
  }
  return { text: decodeBytes(bytes ?? ''), offset: (byte) => byte };
}

/** Bytes that are not UTF-8 are shown as Windows-1252, one character a byte: right for most Western files. */
function decodeBytes(base64: string): string {
  return new TextDecoder('windows-1252').decode(Buffer.from(base64, 'base64'));
}
