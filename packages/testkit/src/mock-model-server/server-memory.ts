import type { Json } from './json.ts';

const KEPT_RESPONSES = 200;

/** What a server remembers of the replies it gave, to check later requests against. */
export class ServerMemory {
  /** Anthropic: ids of calls that were sent after a thinking block. */
  readonly callsAfterThinking = new Set<string>();
  /** Signatures, sealed thinking and the like that scripts named; they pass over any text. */
  readonly scriptedSignatures = new Set<string>();
  /** Google: calls (name and arguments) that were sent with a thought signature. */
  readonly signedCalls = new Set<string>();
  /** Responses: output items by id, of replies that were to be stored. */
  readonly storedItems = new Map<string, Json>();
  /** Responses: the whole conversation up to and with a stored reply. */
  readonly #responses = new Map<string, Json[]>();

  conversation(responseId: string): Json[] | undefined {
    return this.#responses.get(responseId);
  }

  /** The oldest are forgotten: they hold the bodies they came from. */
  storeResponse(id: string, conversation: Json[], output: Json[]): void {
    this.#responses.set(id, conversation);
    for (const item of output) if (typeof item.id === 'string') this.storedItems.set(item.id, item);
    const [oldest] = this.#responses.keys();
    if (oldest !== undefined && this.#responses.size > KEPT_RESPONSES) this.#responses.delete(oldest);
  }
}
