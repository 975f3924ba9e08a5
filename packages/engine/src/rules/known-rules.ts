import { type CustomMessageEntry, customData, type Entry, isRecord } from '@black-ide/protocol';

/** The customType of rules that come as a message of their own. */
export const RULES_MESSAGE = 'rules';

/** What a conversation has been told of standing rules, by its log alone. */
export interface KnownRules {
  /** The rules of the system prompt; undefined as long as no task was begun on this path. */
  system: string | undefined;
  /** The version of each file that the model has before it; '' for one that is gone. */
  versions: ReadonlyMap<string, string>;
  /** The files that hold from the beginning. */
  standing: ReadonlySet<string>;
}

/**
 * Reads a path. Messages that a compaction has condensed do not count: what they told is told again when it comes up.
 */
export function knownRules(path: readonly Entry[]): KnownRules {
  const versions = new Map<string, string>();
  const standing = new Set<string>();
  let system: string | undefined;
  for (const entry of path) {
    const rules = customData(entry, 'rules');
    if (rules && system === undefined) {
      system = typeof rules.text === 'string' ? rules.text : '';
      learn(rules.files, true);
    }
    if (customData(entry, 'task_start')) system ??= '';
  }
  for (const entry of path.slice(keptFrom(path))) {
    if (entry.type !== 'custom_message') continue;
    const { customType, details } = entry as CustomMessageEntry;
    if (customType === RULES_MESSAGE && isRecord(details)) learn(details.files, details.standing === true);
  }
  return { system, versions, standing };

  function learn(files: unknown, fromBeginning: boolean): void {
    for (const file of Array.isArray(files) ? files : []) {
      if (!isRecord(file) || typeof file.path !== 'string' || typeof file.version !== 'string') continue;
      versions.set(file.path, file.version);
      if (fromBeginning) standing.add(file.path);
    }
  }
}

/** Where what the newest compaction keeps begins. */
function keptFrom(path: readonly Entry[]): number {
  const at = path.findLastIndex((entry) => entry.type === 'compaction');
  if (at < 0) return 0;
  const { firstKeptEntryId } = path[at] as { firstKeptEntryId?: unknown };
  const kept = path.findIndex((entry) => entry.id === firstKeptEntryId);
  return kept < 0 || kept > at ? at : kept;
}
