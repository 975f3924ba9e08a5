export interface FrameReaderOptions {
  /**
   * Receives each body as soon as it is complete; valid only during the call. False: it makes no sense, so its length was
   * wrong, and the bytes are looked through again for a frame.
   */
  onFrame: (body: Buffer) => boolean;
  /** Receives what stands between frames: a banner, a stray print. Valid only during the call. */
  onNoise?: (bytes: Buffer) => void;
  /** Told the length of a body that is larger than `maxBody`; the body itself is skipped. */
  onOversized?: (length: number) => void;
  /** The most bytes of one body. Default 32 MiB. */
  maxBody?: number;
}

const DEFAULT_MAX_BODY = 32 * 1024 * 1024;
/** All lines of a header together. */
const MAX_HEADER = 4 * 1024;
/** A broken frame larger than this is not looked through again. */
const MAX_SALVAGE = 1024 * 1024;
const NAME = 'content-length';
/** So many frames one after the other may make no sense; the bytes of further ones are dropped. */
const MAX_BROKEN = 100;
/** A further line of a header, whole or cut off. A second length is none: the first one was a print. */
const FURTHER = /^(?!content-length:)[a-z][a-z0-9-]*:/i;
const FURTHER_CUT = /^(\r?|(?!content-length:)[a-z][a-z0-9-]*(:[^\n]*)?)$/i;
const EMPTY = Buffer.alloc(0);
const COLON = 0x3a;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Cuts a byte stream into the bodies of `Content-Length` frames, as the Language Server Protocol and the Debug Adapter
 * Protocol have them (INT-35). It finds its way back by itself: whatever is no frame is skipped up to the next
 * header, wherever in a line that begins. Header names are taken in any case, line ends as CRLF or LF.
 *
 * A body whose length is wrong is found all the same where the next header shows its true end. Memory stays within one
 * body and one header, and each byte is copied at most once.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #maxBody: number;
  /** Bytes that may be the beginning of a header. */
  #rest: Buffer = EMPTY;
  /** A body that has come in part, and how much of it. */
  #body: Buffer | undefined;
  #filled = 0;
  /** So much of an oversized body is still to come. */
  #skip = 0;
  /** Noise behind a frame that made no sense: with its true end it may be one. */
  #broken: Buffer[] | undefined;
  #brokenSize = 0;
  #brokenInRow = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    this.#maxBody = options.maxBody ?? DEFAULT_MAX_BODY;
  }

  /** Takes the next bytes of the stream, as they came. */
  push(chunk: Buffer): void {
    let data = chunk;
    if (this.#body) data = this.#fill(this.#body, data);
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, data.length);
      this.#skip -= skipped;
      data = data.subarray(skipped);
    }
    if (data.length === 0) return;
    if (this.#rest.length > 0) data = Buffer.concat([this.#rest, data]);
    this.#rest = EMPTY;
    this.#scan(data);
  }

  /** The stream has ended: what is left over is noise, or the last frame where its length was wrong. */
  end(): void {
    const left = this.#body ? this.#body.subarray(0, this.#filled) : this.#rest;
    this.#body = undefined;
    this.#rest = EMPTY;
    this.#noise(left);
    this.#mend();
  }

  #scan(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      const header = findHeader(data, at);
      this.#noise(data.subarray(at, header.start));
      if (header.kind === 'incomplete') {
        // Copied: the bytes belong to a chunk that may be large.
        this.#rest = Buffer.from(data.subarray(header.start));
        return;
      }
      this.#mend();
      at = header.bodyStart + this.#begin(header.length, data.subarray(header.bodyStart));
    }
  }

  /** Begins a body. @returns how many bytes of what follows its header it has taken */
  #begin(length: number, data: Buffer): number {
    if (length > this.#maxBody) {
      this.#options.onOversized?.(length);
      const skipped = Math.min(length, data.length);
      this.#skip = length - skipped;
      return skipped;
    }
    if (data.length < length) {
      this.#body = Buffer.allocUnsafe(length);
      this.#filled = data.copy(this.#body);
      return data.length;
    }
    return this.#deliver(data.subarray(0, length)) ? length : 0;
  }

  /** Goes on with a body that has come in part. @returns the bytes that are still to be looked at */
  #fill(body: Buffer, data: Buffer): Buffer {
    const taken = data.copy(body, this.#filled);
    this.#filled += taken;
    const rest = data.subarray(taken);
    if (this.#filled < body.length) return rest;
    this.#body = undefined;
    return this.#deliver(body) ? rest : Buffer.concat([body, rest]);
  }

  /** False: its bytes are to be looked through again. */
  #deliver(body: Buffer): boolean {
    if (this.#options.onFrame(body)) {
      this.#brokenInRow = 0;
      return true;
    }
    if (body.length > MAX_SALVAGE || ++this.#brokenInRow > MAX_BROKEN) {
      this.#options.onNoise?.(body);
      return true;
    }
    this.#broken = [];
    this.#brokenSize = 0;
    return false;
  }

  #noise(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#broken && this.#brokenSize + bytes.length <= MAX_SALVAGE) {
      this.#broken.push(Buffer.from(bytes));
      this.#brokenSize += bytes.length;
      return;
    }
    this.#giveUp();
    this.#options.onNoise?.(bytes);
  }

  /** A header, or the end, shows where the bytes of a broken frame end: it may be whole now. */
  #mend(): void {
    const [first, ...more] = this.#broken ?? [];
    if (first === undefined) return;
    const whole = more.length > 0 ? Buffer.concat([first, ...more]) : first;
    this.#broken = undefined;
    if (!this.#options.onFrame(whole)) this.#options.onNoise?.(whole);
  }

  #giveUp(): void {
    for (const part of this.#broken ?? []) this.#options.onNoise?.(part);
    this.#broken = undefined;
  }
}

type Header =
  | { kind: 'whole'; start: number; length: number; bodyStart: number }
  /** From `start` on it may become a header. */
  | { kind: 'incomplete'; start: number };

/** The first header in the bytes from `from` on. */
function findHeader(data: Buffer, from: number): Header {
  for (let colon = data.indexOf(COLON, from); colon >= 0; colon = data.indexOf(COLON, colon + 1)) {
    const start = colon - NAME.length;
    if (start < from || data.toString('latin1', start, colon).toLowerCase() !== NAME) continue;
    const header = readHeader(data, start, colon + 1);
    if (header) return header;
  }
  return { kind: 'incomplete', start: startOfName(data, from) };
}

/** Reads what follows `Content-Length:`; undefined where it is no header. */
function readHeader(data: Buffer, start: number, afterColon: number): Header | undefined {
  let length: number | undefined;
  for (let at = afterColon; ; ) {
    const newline = data.indexOf(NEWLINE, at);
    const isCut = newline < 0;
    const end = isCut ? data.length : newline > at && data[newline - 1] === RETURN ? newline - 1 : newline;
    if (end - start > MAX_HEADER) return undefined;
    const line = data.toString('latin1', at, end);
    if (length === undefined) {
      if (!(isCut ? /^\s*\d*\s*$/ : /^[ \t]*\d+[ \t]*$/).test(line)) return undefined;
      length = Number(line);
    } else if (line === '' && !isCut) {
      return { kind: 'whole', start, length, bodyStart: newline + 1 };
    } else if (!(isCut ? FURTHER_CUT : FURTHER).test(line)) return undefined;
    if (isCut) return { kind: 'incomplete', start };
    at = newline + 1;
  }
}

/** Where at the end of the bytes the name of the header may have begun; their end where it has not. */
function startOfName(data: Buffer, from: number): number {
  const tail = data.toString('latin1', Math.max(from, data.length - NAME.length)).toLowerCase();
  for (let size = tail.length; size > 0; size--) {
    if (NAME.startsWith(tail.slice(tail.length - size))) return data.length - size;
  }
  return data.length;
}
