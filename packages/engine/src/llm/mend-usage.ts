import { isRecord } from '@black-ide/protocol';
import { KnownEvents } from './known-events.ts';

/** More tokens than any one request can have: a number beyond is a mistake of the server's. */
const ABSURD = 100_000_000;

/** A count of tokens, or 0 for what is none: servers send strings, negatives and nonsense. */
export function tokenCount(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= ABSURD ? Math.round(number) : 0;
}

/**
 * Mends the usage figures of an answer's event stream before a provider's library sees them: one that is missing or no
 * number would make it refuse the event that ends a good answer. All other bytes pass as they are, whole lines at a time.
 */
export class UsageMender {
  /** The line that is not complete yet. */
  #rest: Buffer[] = [];
  #size = 0;
  readonly #known: KnownEvents | undefined;

  /** @param wire Anthropic's is freed of events that its library does not know, too. */
  constructor(wire?: 'anthropic') {
    this.#known = wire && new KnownEvents();
  }

  /** The lines that are complete now; empty where none is. Of a line that is longer than 1 MiB, what came of it. */
  push(chunk: Buffer): Buffer {
    const end = chunk.lastIndexOf(0x0a) + 1;
    if (end === 0) {
      this.#rest.push(chunk);
      this.#size += chunk.length;
      // Its usage is believed as it is, or fails: reading each line again and again costs the square of its length.
      return this.#size > LONGEST_LINE ? this.end() : NOTHING;
    }
    const lines =
      this.#rest.length > 0 ? Buffer.concat([...this.#rest, chunk.subarray(0, end)]) : chunk.subarray(0, end);
    const rest = chunk.subarray(end);
    this.#rest = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return mendLines(lines, this.#known);
  }

  /** What is left when the stream ends. */
  end(): Buffer {
    const rest = Buffer.concat(this.#rest);
    this.#rest = [];
    this.#size = 0;
    return rest;
  }
}

const LONGEST_LINE = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** Only what has these words is looked at. */
const WORDS = ['"usage', '"message_start"', '"message_delta"', '"response.completed"', '"response.incomplete"'];
/** Of OpenAI's stream every line says `"usage":null`; those are let go by unread. */
const TOLD = /"usage(?:Metadata)?"\s*:(?!\s*null)|"message_(?:start|delta)"|"response\.(?:completed|incomplete)"/;

function mendLines(bytes: Buffer, known: KnownEvents | undefined): Buffer {
  if (!known && !WORDS.some((word) => bytes.includes(word))) return bytes;
  const lines = bytes.toString('utf8').split('\n');
  const mended = lines.map((line) => mendLine(known ? known.line(line) : line));
  return mended.some((line, index) => line !== lines[index]) ? Buffer.from(mended.join('\n')) : bytes;
}

function mendLine(line: string): string {
  const match = TOLD.test(line) ? /^data:\s*(\{.*\})\s*$/.exec(line) : undefined;
  if (!match) return line;
  const event = parsed(match[1]!) ?? parsed(match[1]!.replaceAll(/:\s*-?(NaN|Infinity)\b/g, ':null'));
  if (!isRecord(event)) return line;
  const changed = mendEvent(event);
  return changed || parsed(match[1]!) === undefined ? `data: ${JSON.stringify(event)}` : line;
}

/** Mends an event in place; answers whether it had to. */
function mendEvent(event: Record<string, unknown>): boolean {
  let changed = false;
  for (const holder of [event, event.message, event.response]) {
    if (!isRecord(holder)) continue;
    for (const name of ['usage', 'usageMetadata']) {
      if (isRecord(holder[name])) changed = mendCounts(holder[name]) || changed;
      else if (name in holder && holder[name] !== null) {
        delete holder[name];
        changed = true;
      }
    }
  }
  return addMissing(event) || changed;
}

function mendCounts(usage: Record<string, unknown>, depth = 0): boolean {
  let changed = false;
  for (const [key, value] of Object.entries(usage)) {
    if (isRecord(value)) changed = (depth < 4 && mendCounts(value, depth + 1)) || changed;
    else if (/(tokens|count)$/i.test(key) && value !== tokenCount(value)) {
      usage[key] = tokenCount(value);
      changed = true;
    }
  }
  return changed;
}

/** Figures that Anthropic's and OpenAI's wires always have. */
function addMissing(event: Record<string, unknown>): boolean {
  switch (event.type) {
    case 'message_start':
      return isRecord(event.message) && addCounts(event.message, ['input_tokens', 'output_tokens']);
    case 'message_delta':
      return addCounts(event, ['output_tokens']);
    case 'response.completed':
    case 'response.incomplete':
      return isRecord(event.response) && addCounts(event.response, ['input_tokens', 'output_tokens']);
    default:
      return false;
  }
}

function addCounts(holder: Record<string, unknown>, names: readonly string[]): boolean {
  const usage = isRecord(holder.usage) ? holder.usage : {};
  const missing = names.filter((name) => !(name in usage));
  if (missing.length === 0) return false;
  holder.usage = { ...usage, ...Object.fromEntries(missing.map((name) => [name, 0])) };
  return true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not ours to judge: the library tells of a line that is no JSON.
    return undefined;
  }
}
