import type { Entry, LabelEntry } from '@black-ide/protocol';
import { newEntryId, type RandomHex } from './session-ids.ts';

/**
 * The entries of a session that is one path of another (SES-12): the path without its label entries, linked up again
 * across them, then a fresh label entry for each kept entry that has a label. Entries that need no new link are the
 * very same objects.
 *
 * @param path from a root to the new leaf.
 * @param labels the label entry in force, by the entry it names.
 * @param taken ids that fresh entries must not have.
 */
export function extractBranch(
  path: readonly Entry[],
  labels: ReadonlyMap<string, LabelEntry>,
  taken: { has(id: string): boolean },
  randomHex: RandomHex,
): Entry[] {
  const kept: Entry[] = [];
  const next = followers(path);
  for (const entry of path) {
    if (entry.type === 'label') continue;
    const parentId = kept.at(-1)?.id ?? null;
    const linked = entry.parentId === parentId ? entry : { ...entry, parentId };
    const keeps = entry.type === 'compaction' ? entry.firstKeptEntryId : undefined;
    const first = typeof keeps === 'string' ? next.get(keeps) : undefined;
    kept.push(first === undefined ? linked : ({ ...linked, firstKeptEntryId: first } as Entry));
  }
  const fresh = new Set<string>();
  const isTaken = { has: (id: string) => fresh.has(id) || taken.has(id) };
  for (const { id } of [...kept]) {
    const label = labels.get(id);
    if (!label) continue;
    const parentId = kept.at(-1)!.id;
    const copy = { ...label, id: newEntryId(isTaken, randomHex), parentId };
    fresh.add(copy.id);
    kept.push(copy);
  }
  return kept;
}

/** For each label on the path the next entry that is none: a compaction may keep everything from a label on. */
function followers(path: readonly Entry[]): Map<string, string> {
  const next = new Map<string, string>();
  let following: string | undefined;
  for (const entry of path.toReversed()) {
    if (entry.type !== 'label') following = entry.id;
    else if (following !== undefined) next.set(entry.id, following);
  }
  return next;
}
