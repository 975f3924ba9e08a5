import { isRecord, type Json, recordsOf } from '../json.ts';
import type { ServerMemory } from '../server-memory.ts';

/** An item's kind; a message may leave it out. */
export function typeOf(item: Json): string {
  if (typeof item.type === 'string') return item.type;
  return item.role === undefined ? '' : 'message';
}

/** The items of a request as they were sent; text stands for one message. */
export function inputItems(body: Json): Json[] {
  if (typeof body.input === 'string') return [{ type: 'message', role: 'user', content: body.input }];
  return recordsOf(body.input);
}

/** The whole conversation: what the previous response ended with, then the input with its references filled in. */
export function resolveInput(body: Json, memory: ServerMemory): Json[] {
  const before = typeof body.previous_response_id === 'string' ? memory.conversation(body.previous_response_id) : [];
  const items = inputItems(body).map((item) => {
    const stored = typeOf(item) === 'item_reference' ? memory.storedItems.get(String(item.id)) : undefined;
    return isRecord(stored) ? stored : item;
  });
  return [...(before ?? []), ...items];
}
