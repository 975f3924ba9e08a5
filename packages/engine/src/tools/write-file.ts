import { type Document, encodeFile, type FileChange, type ResolvedPath } from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext, type ToolResult, textResult } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import { refuseOmission } from './refuse-omission.ts';
import type { SessionServices } from './workspace-services.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a whole file, making its folders. For a new file, or one that changes nearly everywhere; read an existing one first.',
  access: 'write',
  parameters: z.object({ path: z.string(), content: z.string() }),
  paths: ({ path }) => [path],
  run: async ({ path, content }, context: ToolContext<SessionServices>) => {
    const { services, signal } = context;
    const resolved = services.resolve(path, 'write');
    const read = await services.documents.read(resolved.real, signal);
    const omission = refuseOmission(content, (read.ok && read.document.text) || '', resolved.relative);
    if (omission) return omission;
    if (!read.ok) {
      if (read.error.code !== 'missing') return errorResult(failureText(read.error));
      return commitOne(context, resolved, 'absent', Buffer.from(content), (change) => {
        return `Created ${change.path} (${change.added} lines).`;
      });
    }
    const { document } = read;
    const checked = services.ledger.check(document, resolved.relative);
    if (!checked.ok) return errorResult(failureText(checked.error));
    // The file keeps the encoding and byte order mark it has; what it cannot hold is refused with the characters named.
    const bytes = document.codec ? encodeFile(document.codec, content) : Buffer.from(content);
    return commitOne(context, resolved, document, bytes, (change) => {
      return `Wrote ${change.path} (+${change.added} −${change.removed}).`;
    });
  },
});

/**
 * Commits one file's new bytes and tells the model and the faces what changed.
 * @param undo `no`: it is a document about the work, and taking the work back leaves it.
 */
export async function commitOne(
  { services, signal, callId }: ToolContext<SessionServices>,
  resolved: ResolvedPath,
  base: Document | 'absent',
  bytes: Uint8Array,
  say: (change: FileChange) => string,
  undo: 'yes' | 'no' = 'yes',
): Promise<ToolResult> {
  const set = services.changeSet().write(resolved, bytes, { base });
  const committed = undo === 'yes' ? await services.commit(set, callId, signal) : await set.commit(signal);
  if (!committed.ok) return errorResult(failureText(committed.error));
  const [change] = committed.changes;
  if (!change?.after) return errorResult(`${resolved.relative} already has this content; nothing was written.`);
  const file = { path: change.real, version: change.after.version };
  services.ledger.record(file);
  const { path, kind, added, removed, diff, notes } = change;
  return textResult([say(change), ...notes].join('\n'), { kind, path, file, added, removed, diff });
}
