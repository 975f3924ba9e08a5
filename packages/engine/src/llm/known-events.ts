import { isRecord } from '@black-ide/protocol';

/** What the library for Anthropic's wire reads, as far as we ask for it. */
const EVENTS: readonly unknown[] = [
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'ping',
  'error',
];
const BLOCKS: readonly unknown[] = ['text', 'thinking', 'redacted_thinking', 'tool_use'];
const DELTAS: readonly unknown[] = ['text_delta', 'input_json_delta', 'thinking_delta', 'signature_delta'];

/** Most lines of an answer; they need not be parsed. */
const USUAL =
  /^data:\s?\{\s?"type":\s?"content_block_delta",\s?"index":\s?\d+,\s?"delta":\s?\{\s?"type":\s?"(?:text|input_json|thinking|signature)_delta"/;
const NOTHING = 'data: {"type":"ping"}';

/**
 * Takes out of one answer of Anthropic's wire what its library does not know and would fail at: new kinds of events come
 * without notice, and a client has to pass over them.
 */
export class KnownEvents {
  /** Content blocks of a kind that nobody here knows, by their index. */
  readonly #unknown = new Set<unknown>();

  /** The line itself, or one that says nothing. */
  line(line: string): string {
    if (!line.startsWith('data:') || (this.#unknown.size === 0 && USUAL.test(line))) return line;
    const event = parsed(line.slice('data:'.length));
    return isRecord(event) && !this.#isKnown(event) ? NOTHING : line;
  }

  #isKnown({ type, index, content_block: block, delta }: Record<string, unknown>): boolean {
    if (!EVENTS.includes(type)) return type === undefined;
    if (type === 'content_block_start' && isRecord(block) && !BLOCKS.includes(block.type)) this.#unknown.add(index);
    if (String(type).startsWith('content_block_') && this.#unknown.has(index)) return false;
    return type !== 'content_block_delta' || !isRecord(delta) || DELTAS.includes(delta.type);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The library tells of a line that is no JSON.
    return undefined;
  }
}
