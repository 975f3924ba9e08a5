const FIRST_SIZE = 4096;
/** Of what is kept, so much comes from the beginning; errors stand at the end. */
const HEAD_SHARE = 1 / 3;
/** A cut moves to the border of a line where that costs no more than this share of the part. */
const LINE_SHARE = 1 / 4;
const NEWLINE = 0x0a;

/**
 * Collects output of any length in a buffer of fixed size: all of it while it fits, after that its beginning and its
 * end. The end is a ring in the same buffer.
 */
export class BoundedOutput {
  readonly #limit: number;
  readonly #headLimit: number;
  #buffer: Buffer;
  #total = 0;

  /** @param limit the most bytes that are kept. */
  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
    this.#headLimit = Math.floor(this.#limit * HEAD_SHARE);
    this.#buffer = Buffer.allocUnsafe(Math.min(FIRST_SIZE, this.#limit));
  }

  /** How many bytes came, kept or not. */
  get totalBytes(): number {
    return this.#total;
  }

  /** Everything that came, or undefined once some of it is lost. */
  get whole(): Buffer | undefined {
    return this.#total <= this.#limit ? this.#buffer.subarray(0, this.#total) : undefined;
  }

  push(chunk: Uint8Array): void {
    const fits = Math.min(chunk.length, Math.max(0, this.#limit - this.#total));
    if (fits > 0) {
      this.#grow(this.#total + fits);
      this.#buffer.set(chunk.subarray(0, fits), this.#total);
    }
    this.#total += fits;
    if (fits < chunk.length) this.#pushTail(chunk.subarray(fits));
  }

  /** The text that was kept (UTF-8; broken sequences as U+FFFD), with a line where something is missing. */
  text(): { text: string; cutBytes: number } {
    const { whole } = this;
    if (whole) return { text: whole.toString('utf8'), cutBytes: 0 };
    const head = endAtBorder(this.#buffer.subarray(0, this.#headLimit));
    const tail = startAtBorder(this.#tail());
    const cutBytes = this.#total - head.length - tail.length;
    const start = head.toString('utf8');
    const gap = `${start === '' || start.endsWith('\n') ? '' : '\n'}[${cutBytes} bytes cut here]\n`;
    return { text: start + gap + tail.toString('utf8'), cutBytes };
  }

  #pushTail(chunk: Uint8Array): void {
    const size = this.#limit - this.#headLimit;
    const rest = size > 0 ? chunk.subarray(Math.max(0, chunk.length - size)) : chunk.subarray(0, 0);
    if (rest.length > 0) {
      // Byte number n of the output lies at (n - head) modulo the ring's size.
      const at = (this.#total + chunk.length - rest.length - this.#headLimit) % size;
      const first = Math.min(rest.length, size - at);
      this.#buffer.set(rest.subarray(0, first), this.#headLimit + at);
      this.#buffer.set(rest.subarray(first), this.#headLimit);
    }
    this.#total += chunk.length;
  }

  #tail(): Buffer {
    const ring = this.#buffer.subarray(this.#headLimit, this.#limit);
    if (ring.length === 0) return ring;
    const start = (this.#total - this.#headLimit) % ring.length;
    return Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
  }

  #grow(needed: number): void {
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(needed, this.#buffer.length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#total);
    this.#buffer = larger;
  }
}

/** Cuts the end of a part off so that no line, or at least no character, is torn. */
function endAtBorder(part: Buffer): Buffer {
  const line = part.lastIndexOf(NEWLINE) + 1;
  if (part.length - line <= part.length * LINE_SHARE) return part.subarray(0, line);
  let start = part.length;
  while (start > 0 && part.length - start < 3 && isContinuation(part[start - 1]!)) start--;
  const lead = part[start - 1];
  if (lead === undefined || lead < 0xc0) return part;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return part.length - start + 1 < length ? part.subarray(0, start - 1) : part;
}

/** Cuts the start of a part off so that no line, or at least no character, is torn. */
function startAtBorder(part: Buffer): Buffer {
  const line = part.indexOf(NEWLINE) + 1;
  if (line > 0 && line <= part.length * LINE_SHARE) return part.subarray(line);
  let start = 0;
  while (start < 3 && start < part.length && isContinuation(part[start]!)) start++;
  return part.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
