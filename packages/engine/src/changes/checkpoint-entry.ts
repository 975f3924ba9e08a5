import type { CustomData, Entry, FileChangeSummary, MessageEntry } from '@black-ide/protocol';
import type { Checkpoint } from '@black-ide/workspace';

/** A log line is read whole, again and again: it names so many files; the store knows them all. */
const MAX_FILES = 1_000;

/** What the log says of a checkpoint. */
export function checkpointData({ id, messageId, callId, files }: Checkpoint): CustomData['checkpoint'] {
  const changes = files.slice(0, MAX_FILES).map(
    ({ path, from, kind, added, removed }): FileChangeSummary => ({
      path,
      ...(from === undefined ? {} : { from }),
      kind,
      added,
      removed,
    }),
  );
  return {
    checkpointId: id,
    messageId,
    ...(callId === undefined ? {} : { callId }),
    files: changes.map(({ path }) => path),
    changes,
  };
}

/** The entry id of the user message that began the turn. */
export function turnMessageId(path: readonly Entry[]): string {
  const isFromUser = (entry: Entry) => entry.type === 'message' && (entry as MessageEntry).message?.role === 'user';
  return path.findLast(isFromUser)?.id ?? '';
}
