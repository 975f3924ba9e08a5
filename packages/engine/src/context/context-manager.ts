import { BlackError, type CustomData, type ToolResultMessage } from '@black-ide/protocol';
import type { LlmMessage } from '../llm/to-prompt.ts';
import { estimateTokens, TokenMeter } from './tokens.ts';

/** What stands in place of a tool result that was cut (IDE-14). */
export const TRUNCATED = '[Truncated by ContextManager to save budget]';

/** Cuts go down to this part of the budget, so that they are large and rare and the prefix stays cached between them. */
const CUT_TO = 0.6;
/** The newest results that are never replaced whole. */
const KEEP_NEWEST = 2;

/**
 * What tool results may take together, in parts of the budget. Every turn sends them all again, and what a long task
 * read long ago is rarely looked at: the first cut comes late, so that most tasks see none; a conversation that was cut
 * once is a long one, and is kept short from then on.
 */
const FIRST_ALLOWANCE = 0.45;
const LATER_ALLOWANCE = 0.18;
const ALLOWANCE_CUT_TO = 0.05;
/** In a small window little is sent anyway: there results may take so many tokens, up to half of it. */
const ALLOWANCE_TOKENS = 20_000;
const CUT_TO_TOKENS = 6_000;

/** What results may take before they are cut, and what they are cut to. */
function allowanceOf(budget: number, cutBefore: boolean): { most: number; cutTo: number } {
  const part = cutBefore ? LATER_ALLOWANCE : FIRST_ALLOWANCE;
  return {
    most: Math.max(budget * part, Math.min(budget / 2, ALLOWANCE_TOKENS)),
    cutTo: Math.max(budget * ALLOWANCE_CUT_TO, Math.min(budget / 6, CUT_TO_TOKENS)),
  };
}

/** A message with the entry it comes from; synthesised ones have none. */
export interface PlacedMessage {
  entryId?: string;
  message: LlmMessage;
}

export type Cut = CustomData['cut']['cuts'][number];

/** The text that stands in place of a tool result, by its entry. */
type RecordedCuts = ReadonlyMap<string, string>;

export interface Fitted {
  messages: LlmMessage[];
  /** Cuts that are new with this call, to be recorded so that a resumed session sends the same bytes. */
  cuts: Cut[];
  tokens: number;
}

/**
 * Keeps a conversation inside a model's budget by cutting tool results, oldest first. Calls and results stay paired;
 * the system prompt, the user's messages and the newest results stay whole, unless one result alone is larger than the
 * budget: then it is cut to head and tail.
 */
export class ContextManager {
  readonly meter = new TokenMeter();
  /** Message objects with a cut applied, kept so that equal input gives the same object and the same bytes. */
  readonly #cutMessages = new WeakMap<LlmMessage, { text: string; message: LlmMessage }>();

  /**
   * @param budget tokens that messages may take: the model's window less its answer, the system prompt and the tools.
   * @param recorded cuts of earlier calls, by entry.
   * @param longestMessage what a single user message may take, where that is more than the budget.
   * @throws BlackError `message_too_long` when a user message alone exceeds it, naming its size.
   */
  fit(placed: readonly PlacedMessage[], budget: number, recorded: RecordedCuts, longestMessage = budget): Fitted {
    const current = this.#withCuts(placed, recorded);
    let tokens = 0;
    for (const { message } of current) {
      const size = this.meter.of(message);
      if (message.role === 'user' && size > longestMessage) throw tooLong(size, longestMessage);
      tokens += size;
    }
    if (tokens <= budget) return { messages: current.map((item) => item.message), cuts: [], tokens };

    const cuts: Cut[] = [];
    const results = current.filter(isResult);
    const replace = (item: (typeof results)[number], text: string) => {
      const before = this.meter.of(item.message);
      item.message = this.#withText(item.message, text) as ToolResultMessage;
      tokens -= before - this.meter.of(item.message);
      cuts.push({ entryId: item.entryId, text });
    };

    const target = budget * CUT_TO;
    for (const item of results.slice(0, Math.max(0, results.length - KEEP_NEWEST))) {
      if (tokens <= target) break;
      if (this.meter.of(item.message) > WORTH_CUTTING) replace(item, TRUNCATED);
    }
    // What is left over budget is in the newest results: share the room among them, the largest first.
    for (const item of results
      .slice(-KEEP_NEWEST)
      .sort((a, b) => this.meter.of(b.message) - this.meter.of(a.message))) {
      if (tokens <= budget) break;
      const room = Math.max(200, this.meter.of(item.message) - (tokens - Math.floor(target)));
      replace(item, headAndTail(textOfResult(item.message), room));
    }
    return { messages: current.map((item) => item.message), cuts, tokens };
  }

  /**
   * Cuts old tool results once all of them together take more than their allowance, long before the room is used up.
   * Those of the newest turn, which the model has not seen yet, stay whole.
   */
  economise(placed: readonly PlacedMessage[], room: number, recorded: RecordedCuts): Fitted {
    const current = this.#withCuts(placed, recorded);
    const unseen = current.findLastIndex(({ message }) => message.role === 'assistant');
    let tokens = 0;
    let taken = 0;
    for (const { message } of current) {
      const size = this.meter.of(message);
      tokens += size;
      if (message.role === 'toolResult' && size > WORTH_CUTTING) taken += size;
    }
    const cuts: Cut[] = [];
    const { most, cutTo } = allowanceOf(room, recorded.size > 0);
    if (taken > most) {
      for (const item of current.slice(0, Math.max(0, unseen)).filter(isResult)) {
        if (taken <= cutTo) break;
        const size = this.meter.of(item.message);
        if (size <= WORTH_CUTTING) continue;
        item.message = this.#withText(item.message, TRUNCATED) as ToolResultMessage;
        taken -= size;
        tokens -= size - this.meter.of(item.message);
        cuts.push({ entryId: item.entryId, text: TRUNCATED });
      }
    }
    return { messages: current.map((item) => item.message), cuts, tokens };
  }

  #withCuts(placed: readonly PlacedMessage[], recorded: RecordedCuts): PlacedMessage[] {
    return placed.map(({ entryId, message }) => {
      const text = entryId === undefined ? undefined : recorded.get(entryId);
      const now = text === undefined ? message : this.#withText(message, text);
      return entryId === undefined ? { message: now } : { entryId, message: now };
    });
  }

  #withText(message: LlmMessage, text: string): LlmMessage {
    if (message.role !== 'toolResult') return message;
    const known = this.#cutMessages.get(message);
    if (known?.text === text) return known.message;
    const cut: ToolResultMessage = { ...message, content: [{ type: 'text', text }] };
    this.#cutMessages.set(message, { text, message: cut });
    return cut;
  }
}

/** A result that is hardly larger than what would stand in its place stays. */
const WORTH_CUTTING = estimateTokens(TRUNCATED) + 16;

function isResult(item: PlacedMessage): item is { entryId: string; message: ToolResultMessage } {
  return item.message.role === 'toolResult' && item.entryId !== undefined;
}

function textOfResult(message: ToolResultMessage): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}

/** Two thirds head, one third tail, with a note of what is missing and how to get it. Cuts at characters, never inside one. */
function headAndTail(text: string, tokens: number): string {
  const density = Math.max(1, estimateTokens(text)) / Math.max(1, text.length);
  const room = Math.floor(tokens / density);
  const headEnd = whole(text, Math.floor((room * 2) / 3));
  const tailStart = whole(text, Math.max(headEnd, text.length - Math.floor(room / 3)));
  const missing = tailStart - headEnd;
  return `${text.slice(0, headEnd)}\n[${missing} of ${text.length} characters cut here to fit the context; ask for a smaller part, e.g. with offset and limit]\n${text.slice(tailStart)}`;
}

/** The index, moved so that it does not split a surrogate pair. */
function whole(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}

function tooLong(size: number, budget: number): BlackError {
  return new BlackError(
    'message_too_long',
    `The message alone is about ${size} tokens; the model has room for ${budget}.`,
    'Shorten it, or put the text in a file and name the file.',
  );
}
