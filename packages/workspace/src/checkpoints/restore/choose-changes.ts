import type { LedgerEntry } from '../store/checkpoint-ledger.ts';
import type { FileTransaction } from '../store/records.ts';
import type { Chosen } from './plan-restore.ts';

/** Which changes of a session are meant: of a file (and of those it was renamed from or to), of a message, or all. */
export interface Selection {
  sessionId: string;
  /** As the manifest has it. */
  path?: string;
  messageId?: string;
}

/** The changes that are meant and stand so, the newest first. */
export function chooseChanges(
  entries: readonly LedgerEntry[],
  { sessionId, path, messageId }: Selection,
  wanted: FileTransaction,
): Chosen[] {
  const standing = entries.flatMap((entry) => {
    const { record } = entry;
    const isMeant = record.sessionId === sessionId && (messageId === undefined || record.messageId === messageId);
    if (!isMeant || record.kind === 'restore' || record.kind === 'redo') return [];
    return record.files.flatMap((file, n): Chosen[] =>
      entry.states[n] === wanted ? [{ entry, file, ref: [record.id, n] }] : [],
    );
  });
  const names = path === undefined ? undefined : namesOf(path, standing);
  return standing.filter(({ file }) => names?.has(file.path) ?? true).reverse();
}

/** The changes of a restore, for taking it back. */
export function changesOfRestore(entry: LedgerEntry): Chosen[] {
  return entry.record.files.map((file, n): Chosen => ({ entry, file, ref: [entry.record.id, n] })).reverse();
}

/** All names that one file has had, as far as these changes tell. */
function namesOf(path: string, changes: readonly Chosen[]): Set<string> {
  const names = new Set([path]);
  for (let size = 0; size !== names.size; ) {
    size = names.size;
    for (const { file } of changes) {
      if (file.from === undefined || !(names.has(file.path) || names.has(file.from))) continue;
      names.add(file.path).add(file.from);
    }
  }
  return names;
}

/** Who has changed a file since one of our changes left it: this session itself, another one, or a person. */
export function changedBy(
  entries: readonly LedgerEntry[],
  sessionId: string,
  { path, left, now }: { path: string; left: string | null; now: string | null },
): 'this session' | 'another session' | 'somebody' {
  let version = left;
  let isForeign = false;
  for (const { record } of entries) {
    for (const file of record.files) {
      const before = file.before?.version ?? null;
      if (before !== version || (file.path !== path && file.from !== path)) continue;
      version = file.from === path ? null : (file.after?.version ?? null);
      isForeign ||= record.sessionId !== sessionId;
      if (version === now) return isForeign ? 'another session' : 'this session';
    }
  }
  return 'somebody';
}
