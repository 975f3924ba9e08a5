import { BlackError, type StagedCommandResults } from '@black-ide/protocol';
import type { StagedEdits } from './staged-edits.ts';

/** Does what a person says to a staged rewrite. @throws BlackError where it cannot be committed; it stays staged then */
export async function resolveStaged(
  staged: StagedEdits,
  id: string,
  action: 'commit' | 'discard',
): Promise<StagedCommandResults['resolveStaged']> {
  if (action === 'discard') {
    staged.discard(id);
    return { files: [] };
  }
  const committed = await staged.commit(id, id, new AbortController().signal);
  if (!committed.ok) throw new BlackError(committed.error.code, committed.error.message, committed.error.next);
  return { files: committed.changes.map(({ path, added, removed }) => ({ path, added, removed })) };
}
