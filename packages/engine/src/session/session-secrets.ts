import type { MessageEntry, NewEntry, TransientEvent } from '@black-ide/protocol';
import type { MaskedStream, SecretMask } from '@black-ide/workspace';
import { isOpaque } from '../export/opaque-values.ts';

type Delta = Extract<TransientEvent, { type: 'TextDelta' | 'ThinkingDelta' | 'ToolOutput' }>;

/**
 * Keeps secrets out of one session's log and events (IDE-66). Values that are known to be keys go everywhere. What only
 * looks like one goes from what tools found: what the model or the person wrote is left as they wrote it, so that a
 * file is written as it was meant to be.
 */
export class SessionSecrets {
  readonly #mask: SecretMask;
  readonly #streams = new Map<string, { last: Delta; stream: MaskedStream }>();

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  /** The entry as it may be stored. */
  entry<T extends NewEntry>(entry: T): T {
    const clean = this.#mask.value(entry, { shapes: isFound(entry) }, isOpaque);
    return clean === entry ? entry : withoutBrokenSeals(entry, clean);
  }

  /** The events that may be told for this one: streamed text is held back where a known value may begin. */
  events(event: TransientEvent): TransientEvent[] {
    if (!isDelta(event)) return [...this.flush(), this.#mask.value(event)];
    const key = keyOf(event);
    const known = this.#streams.get(key);
    const before = known ? [] : this.flush();
    const stream = known?.stream ?? this.#mask.stream();
    this.#streams.set(key, { last: event, stream });
    const text = stream.push(event.text);
    return text === '' ? before : [...before, { ...event, text }];
  }

  /** What streams still hold, when something else comes. */
  flush(): TransientEvent[] {
    const rests = [...this.#streams.values()].map(({ last, stream }) => ({ ...last, text: stream.end() }));
    this.#streams.clear();
    return rests.filter(({ text }) => text !== '');
  }
}

function isDelta(event: TransientEvent): event is Delta {
  return event.type === 'TextDelta' || event.type === 'ThinkingDelta' || event.type === 'ToolOutput';
}

function keyOf(event: Delta): string {
  return event.type === 'ToolOutput' ? event.callId : event.type;
}

function isFound(entry: NewEntry): boolean {
  return entry.type === 'message' && (entry as Partial<MessageEntry>).message?.role === 'toolResult';
}

/** A thought that was changed no longer fits its seal, and the provider would refuse it. */
function withoutBrokenSeals<T extends NewEntry>(before: T, after: T): T {
  const [was, is] = [before, after].map((entry) => (entry as unknown as MessageEntry).message);
  if (was?.role !== 'assistant' || is?.role !== 'assistant') return after;
  const content = is.content.map((block, at) => {
    const old = was.content[at];
    if (block.type !== 'thinking' || old?.type !== 'thinking' || block.thinking === old.thinking) return block;
    const { thinkingSignature: _broken, ...rest } = block;
    return rest;
  });
  return { ...after, message: { ...is, content } };
}
