import { customData, type Entry, isRecord, type MessageEntry } from '@black-ide/protocol';

/**
 * What the log tells of changes that no undo covers: the `notCovered` of commands' results and of questions about them.
 */

/** The files that commands of a message changed and that cannot be taken back; without a message, those of all. */
export function uncoveredIn(path: readonly Entry[], messageId?: string): string[] {
  const found = new Set<string>();
  let at = '';
  for (const entry of path) {
    const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
    if (message?.role === 'user') at = entry.id;
    if (message?.role !== 'toolResult' || (messageId !== undefined && at !== messageId)) continue;
    const { details } = message as { details?: unknown };
    const notCovered = isRecord(details) ? details.notCovered : undefined;
    for (const file of isRecord(notCovered) ? namesOf(notCovered.changed) : []) found.add(file);
  }
  return [...found];
}

/** Whether earlier questions of the session have told all that a new one would tell. */
export function wasTold(notCovered: unknown, path: readonly Entry[]): boolean {
  const told = new Set(path.flatMap((entry) => toldBy(customData(entry, 'request')?.payload?.notCovered)));
  const now = toldBy(notCovered);
  return now.length > 0 && now.every((each) => told.has(each));
}

function toldBy(notCovered: unknown): string[] {
  if (!isRecord(notCovered)) return [];
  return Object.values(notCovered).flatMap((value) => (typeof value === 'string' ? [value] : namesOf(value)));
}

function namesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
}
