import { isRecord, SESSION_VERSION } from '@black-ide/protocol';

type Line = Record<string, unknown>;

/**
 * Brings the lines of an old session (header included, in the file's order) to the current version (SES-5). Pure: the
 * given lines stay as they are, and equal lines give equal ids. Lines of the current version or a later one come back
 * unchanged.
 */
export function migrateSession(lines: readonly Line[], version: number): readonly Line[] {
  if (version >= SESSION_VERSION) return lines;
  const linked = version < 2 ? linkInOrder(lines) : lines;
  return linked.map((line) => (line.type === 'session' ? { ...line, version: SESSION_VERSION } : renameRole(line)));
}

/** v1 → v2: a line hangs below the one before it, and a compaction names what it keeps by id instead of by place. */
function linkInOrder(lines: readonly Line[]): Line[] {
  const ids = lines.map((line, i) => (line.type === 'session' ? null : i.toString(16).padStart(8, '0')));
  let parentId: string | null = null;
  return lines.map((line, i) => {
    const id = ids[i];
    if (typeof id !== 'string') return line;
    const { firstKeptEntryIndex, ...rest } = line;
    const kept = line.type === 'compaction' ? ids[Number(firstKeptEntryIndex)] : undefined;
    const linked = { ...(line.type === 'compaction' ? rest : line), id, parentId };
    parentId = id;
    return kept ? { ...linked, firstKeptEntryId: kept } : linked;
  });
}

/** v2 → v3: the role `hookMessage` is called `custom`. */
function renameRole(line: Line): Line {
  const { message } = line;
  if (line.type !== 'message' || !isRecord(message) || message.role !== 'hookMessage') return line;
  return { ...line, message: { ...message, role: 'custom' } };
}
