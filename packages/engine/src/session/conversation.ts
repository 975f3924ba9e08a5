import { customData, type Entry, isRecord } from '@black-ide/protocol';
import type { PlacedMessage } from '../context/context-manager.ts';
import { convertPlaced, Pairing } from '../context/convert-to-llm.ts';
import { activeEntries, buildSessionContext, messageOf } from './build-session-context.ts';

/** What a path has the model read: its messages with the entries they come from, and the cuts recorded on it. */
export interface Conversation {
  placed: PlacedMessage[];
  /** The text that stands in place of a tool result, by its entry. */
  cuts: ReadonlyMap<string, string>;
}

/** The conversation of a path from a root to a leaf. */
export function conversationOf(path: readonly Entry[]): Conversation {
  const { messages, entryIds } = buildSessionContext(path);
  const placed = convertPlaced(messages.map((message, i) => ({ entryId: entryIds[i]!, message })));
  const cuts = new Map<string, string>();
  for (const entry of path) addCuts(entry, cuts);
  return { placed, cuts };
}

/**
 * The conversation of a path that is appended to, turn after turn: only what is new is looked at. Its answer equals
 * `conversationOf`, and messages stay the very same objects.
 */
export class GrowingConversation {
  #path: readonly Entry[] = [];
  #count = 0;
  #last: Entry | undefined;
  #pairing = new Pairing();
  #cuts = new Map<string, string>();

  of(path: readonly Entry[]): Conversation {
    const grown = path === this.#path && path.length >= this.#count && path[this.#count - 1] === this.#last;
    const added = grown ? path.slice(this.#count) : path;
    if (!grown || added.some(changesWhatWas)) {
      if (path.some(({ type }) => type === 'context_edit')) return conversationOf(path);
      this.#pairing = new Pairing();
      this.#cuts = new Map();
      for (const entry of activeEntries(path)) this.#add(entry);
      for (const entry of path) addCuts(entry, this.#cuts);
    } else {
      for (const entry of added) {
        this.#add(entry);
        addCuts(entry, this.#cuts);
      }
    }
    this.#path = path;
    this.#count = path.length;
    this.#last = path.at(-1);
    return { placed: this.#pairing.placed(), cuts: this.#cuts };
  }

  #add(entry: Entry): void {
    const message = messageOf(entry);
    if (message) this.#pairing.add({ entryId: entry.id, message });
  }
}

/** Entries that change what the ones before them mean. */
function changesWhatWas({ type }: Entry): boolean {
  return type === 'compaction' || type === 'context_edit';
}

function addCuts(entry: Entry, cuts: Map<string, string>): void {
  const recorded: unknown = customData(entry, 'cut')?.cuts;
  for (const cut of Array.isArray(recorded) ? recorded : []) {
    if (isRecord(cut) && typeof cut.entryId === 'string' && typeof cut.text === 'string') {
      cuts.set(cut.entryId, cut.text);
    }
  }
}
