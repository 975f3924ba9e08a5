import type { Entry, MessageEntry, NewEntry, RuleFileSummary, ToolCall } from '@black-ide/protocol';
import { laterRules, type RuleFile, systemRules } from './assemble-rules.ts';
import { knownRules, RULES_MESSAGE } from './known-rules.ts';
import type { RulesReader } from './rules-reader.ts';

export interface SessionRulesParts {
  reader: RulesReader;
  /** The path arguments of a call. */
  pathsOf(call: ToolCall): string[];
}

/** The part of a session that rules are read from and logged to. */
interface RulesPort {
  path(): readonly Entry[];
  append(entry: NewEntry): Entry;
}

interface Visited {
  /** The newest compaction, and the last entry, when it was looked at. */
  compaction: string | undefined;
  last: string | undefined;
  folders: Set<string>;
}

/**
 * Keeps a conversation told of the standing rules (IDE-72) in a way that never changes what was sent before (IDE-23):
 * the rules of the beginning are logged once and stay in the system prompt byte by byte; what changes, or comes up in a
 * folder that the agent touches for the first time, is appended as a message.
 */
export class SessionRules {
  readonly #parts: SessionRulesParts;
  /** Folders whose rules a session has, so that each is looked into once. */
  readonly #visited = new WeakMap<object, Visited>();

  constructor(parts: SessionRulesParts) {
    this.#parts = parts;
  }

  /** The files that a session which begins now would be told. */
  async list(): Promise<RuleFileSummary[]> {
    return (await this.#parts.reader.standing()).map(({ path, text, importedBy, notes }) => {
      return { path, bytes: Buffer.byteLength(text), ...(importedBy ? { importedBy } : {}), notes };
    });
  }

  /**
   * For a task that begins: the rules of the system prompt, and the entries to be logged before the user's message.
   */
  async begin(path: readonly Entry[]): Promise<{ system: string; entries: NewEntry[] }> {
    const known = knownRules(path);
    const files = await this.#parts.reader.standing();
    if (known.system === undefined) {
      const system = systemRules(files);
      const data = { text: system, files: files.map(versionOf) };
      return { system, entries: system === '' ? [] : [{ type: 'custom', customType: 'rules', data }] };
    }
    const changed = files.filter((file) => known.versions.get(file.path) !== file.version);
    const here = new Set(files.map((file) => file.path));
    const gone = [...known.standing].filter((file) => !here.has(file) && known.versions.get(file) !== '');
    const entries = changed.length + gone.length === 0 ? [] : [message(changed, gone, true)];
    return { system: known.system, entries };
  }

  /** For a task that goes on: what its system prompt has said from its beginning. */
  resume(path: readonly Entry[]): string {
    return knownRules(path).system ?? '';
  }

  /** After the calls of a turn: tells the rules of folders that they touched for the first time. */
  async afterCalls(port: RulesPort, session: object = port): Promise<void> {
    const path = port.path();
    const folders = await this.#newFolders(path, session);
    if (folders.length === 0) return;
    const { versions } = knownRules(path);
    const files = new Map<string, RuleFile>();
    for (const folder of folders) {
      for (const file of await this.#parts.reader.nested(folder)) {
        if (versions.get(file.path) !== file.version) files.set(file.path, file);
      }
    }
    if (files.size > 0) port.append(message([...files.values()], [], false));
  }

  async #newFolders(path: readonly Entry[], session: object): Promise<string[]> {
    const compaction = path.findLast((entry) => entry.type === 'compaction')?.id;
    let visited = this.#visited.get(session);
    // A conversation that was condensed, or that goes on from another place, may have lost what it was told.
    if (!visited || visited.compaction !== compaction || !path.some(({ id }) => id === visited?.last)) {
      visited = { compaction, last: undefined, folders: new Set(['.', '']) };
      this.#visited.set(session, visited);
    }
    visited.last = path.at(-1)?.id;
    const found: string[] = [];
    for (const call of finishedCalls(path)) {
      for (const given of this.#parts.pathsOf(call)) {
        const folder = await this.#parts.reader.folderOf(given);
        if (folder === undefined || visited.folders.has(folder)) continue;
        visited.folders.add(folder);
        found.push(folder);
      }
    }
    return found.sort((a, b) => a.split('/').length - b.split('/').length);
  }
}

function message(files: readonly RuleFile[], gone: readonly string[], standing: boolean): NewEntry {
  const versions = [...files.map(versionOf), ...gone.map((path) => ({ path, version: '' }))];
  return {
    type: 'custom_message',
    customType: RULES_MESSAGE,
    content: laterRules(files, gone),
    display: false,
    details: { files: versions, standing },
  };
}

function versionOf({ path, version }: RuleFile): { path: string; version: string } {
  return { path, version };
}

/** The calls of the newest answer that did what they were asked. */
function finishedCalls(path: readonly Entry[]): ToolCall[] {
  const at = path.findLastIndex((entry) => entry.type === 'message' && roleOf(entry) === 'assistant');
  if (at < 0) return [];
  const done = new Set(
    path.slice(at).flatMap((entry) => {
      const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
      return message?.role === 'toolResult' && !message.isError ? [message.toolCallId] : [];
    }),
  );
  const { message } = path[at] as MessageEntry;
  if (message.role !== 'assistant' || !Array.isArray(message.content)) return [];
  return message.content.filter((block): block is ToolCall => block.type === 'toolCall' && done.has(block.id));
}

function roleOf(entry: Entry): string | undefined {
  return (entry as MessageEntry).message?.role;
}
