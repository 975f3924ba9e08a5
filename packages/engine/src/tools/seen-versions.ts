import { isRecord, type MessageEntry } from '@black-ide/protocol';
import { ReadLedger } from '@black-ide/workspace';
import type { AgentSession } from '../session/agent-session.ts';

/** What the session's own log says it has seen: the `file` of its results' details, oldest first. */
export function seenVersions(session: AgentSession): ReadLedger {
  const ledger = new ReadLedger();
  for (const entry of session.path()) {
    if (entry.type !== 'message') continue;
    const { message } = entry as MessageEntry;
    if (message?.role !== 'toolResult' || !isRecord(message.details)) continue;
    const { file, files } = message.details;
    for (const each of [file, ...(Array.isArray(files) ? files.map((one) => isRecord(one) && one.file) : [])]) {
      if (isRecord(each) && typeof each.path === 'string' && typeof each.version === 'string') {
        ledger.record({ path: each.path, version: each.version });
      }
    }
  }
  return ledger;
}
