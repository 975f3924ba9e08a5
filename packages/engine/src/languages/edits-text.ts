import { applyEdits, type FileEdit } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import { type Documents, makeHunks, type ResolvedPath, unifiedDiff } from '@black-ide/workspace';

/** How the files of the workspace are read. */
export interface EditReach {
  root: string;
  documents: Documents;
  /** @throws BlackError where the guard refuses */
  resolve(path: string, access: 'read'): ResolvedPath;
}

/** A diff of this size is not shown whole. */
const MAX_DIFF = 30_000;

/**
 * What a server would change, as one unified diff that `apply_patch` takes; nothing is written.
 * @throws BlackError `outside` where a file lies outside of the workspace or may not be read; `overlapping_edits`
 */
export async function editsText(edits: readonly FileEdit[], { root, documents, resolve }: EditReach): Promise<string> {
  const parts: string[] = [];
  for (const edit of edits) {
    if (!edit.path.startsWith(`${root}/`)) {
      throw new BlackError('outside', `The server would change ${edit.path}, which is outside of the workspace.`);
    }
    const { real, relative } = resolve(edit.path, 'read');
    if (edit.kind === 'rename') parts.push(`Moves ${relative} to ${edit.to.slice(root.length + 1)}.`);
    else if (edit.kind !== 'edit') parts.push(`${edit.kind === 'create' ? 'Creates' : 'Deletes'} ${relative}.`);
    else {
      const read = await documents.read(real);
      const before = (read.ok && read.document.text) || '';
      const hunks = makeHunks(before, applyEdits(before, edit.edits));
      parts.push(unifiedDiff(hunks, { from: relative, to: relative }));
    }
  }
  const files = new Set(edits.map(({ path }) => path)).size;
  const diff = parts.join('\n');
  const shown =
    diff.length > MAX_DIFF ? `${diff.slice(0, MAX_DIFF).toWellFormed()}\n[cut: ${diff.length} characters]` : diff;
  return `${shown.trimEnd()}\n[${files} file${files === 1 ? '' : 's'}; nothing was written: apply_patch takes this diff]`;
}
