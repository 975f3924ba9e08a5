import { resolve } from 'node:path';
import type { PathGuard } from '../../paths/path-guard.ts';
import type { LedgerEntry } from '../store/checkpoint-ledger.ts';
import { entryAt } from './live-file.ts';
import type { Chosen } from './plan-restore.ts';

/**
 * Tells of which file a created one may be the last copy: a command of the session destroyed bytes that nothing of ours
 * knows. Where it deleted them, that is whatever the same message made, for it may be an archive of them; otherwise what is
 * of the same size. Once the file is there again, it holds no longer.
 */
export function lastCopies(entries: readonly LedgerEntry[], guard: PathGuard): (chosen: Chosen) => string | undefined {
  const lost = entries.flatMap(({ record }) => (record.lost ?? []).map((file) => ({ ...file, record })));
  return ({ entry: { record }, file }) => {
    if (file.before !== null || record.kind === 'restore' || record.kind === 'redo') return undefined;
    return lost.find(
      (each) =>
        each.record.sessionId === record.sessionId &&
        ((each.gone && each.record.messageId === record.messageId) || each.size === file.after?.size) &&
        !(each.gone && entryAt(resolve(guard.root, each.path))),
    )?.path;
  };
}
