import { customData, type Entry, isRecord } from '@black-ide/protocol';
import type { PlacedMessage } from '../context/context-manager.ts';
import { convertPlaced } from '../context/convert-to-llm.ts';
import { buildSessionContext } from './build-session-context.ts';

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
  for (const entry of path) {
    const recorded: unknown = customData(entry, 'cut')?.cuts;
    for (const cut of Array.isArray(recorded) ? recorded : []) {
      if (isRecord(cut) && typeof cut.entryId === 'string' && typeof cut.text === 'string') {
        cuts.set(cut.entryId, cut.text);
      }
    }
  }
  return { placed, cuts };
}
