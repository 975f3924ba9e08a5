import {
  BlackError,
  type BranchSummaryEntry,
  type Entry,
  type EntryBase,
  type LabelEntry,
  type NewEntry,
  SESSION_VERSION,
  type SessionHeader,
  type SessionInfoEntry,
} from '@black-ide/protocol';
import { buildSessionContext, type SessionContext } from './build-session-context.ts';
import { extractBranch } from './extract-branch.ts';
import { newEntryId, newSessionId, type RandomHex } from './session-ids.ts';
import type { ReadOnly, SessionLog } from './session-log.ts';
import { cyclesOf, oldestFirst, parentOf, pathTo, type SessionTreeNode, treeOf } from './session-tree.ts';
import { wellFormedJson } from './well-formed-json.ts';

export interface SessionParts {
  header: SessionHeader;
  /** In the file's order, with unique ids; the last one is the leaf. The manager owns the array. */
  entries: Entry[];
  log: SessionLog;
  readOnly?: ReadOnly;
  problems?: string[];
  /** Milliseconds since the epoch. */
  now: () => number;
  randomHex: RandomHex;
}

/**
 * A session: an append-only log that is a tree at run time. Moving in it only changes where the next entry is attached;
 * an entry, once appended, never changes.
 */
export class SessionManager {
  readonly #now: () => number;
  readonly #randomHex: RandomHex;
  readonly #listeners = new Set<(entry: Entry) => void>();
  #header: SessionHeader;
  #log: SessionLog;
  #readOnly: ReadOnly | undefined;
  #problems: readonly string[];
  #entries: Entry[] = [];
  #byId = new Map<string, Entry>();
  #cut: ReadonlySet<string> = new Set();
  #leafId: string | null = null;
  #labelsById = new Map<string, string>();

  constructor({ header, entries, log, readOnly, problems = [], now, randomHex }: SessionParts) {
    this.#header = header;
    this.#log = log;
    this.#readOnly = readOnly;
    this.#problems = problems;
    this.#now = now;
    this.#randomHex = randomHex;
    this.#load(entries);
  }

  /** Why nothing can be appended, in a sentence; undefined where it can. */
  get readOnly(): string | undefined {
    return this.#readOnly?.message;
  }

  /** The same with its reason, what to do about it, and who holds the session. */
  get readOnlyBecause(): ReadOnly | undefined {
    return this.#readOnly;
  }

  /** What was skipped or mended when the session was read (SES-6), one sentence each. */
  get problems(): string[] {
    return [...this.#problems];
  }

  getSessionId(): string {
    return this.#header.id;
  }

  getHeader(): SessionHeader {
    return this.#header;
  }

  /** The session's file; undefined in memory. The file appears with the first entry. */
  getPath(): string | undefined {
    return this.#log.path;
  }

  getLeafId(): string | null {
    return this.#leafId;
  }

  getLeafEntry(): Entry | undefined {
    return this.#leafId === null ? undefined : this.#byId.get(this.#leafId);
  }

  getEntry(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** All entries, of every branch, in the order in which they were appended. */
  getEntries(): Entry[] {
    return [...this.#entries];
  }

  /** The path from a root to an entry, by default to the leaf; empty for an unknown entry. */
  getBranch(fromId: string | null = this.#leafId): Entry[] {
    return pathTo(fromId, this.#byId, this.#cut);
  }

  /** All entries as trees; what hangs from a missing parent is a root, and a cycle is cut at its first entry. */
  getTree(): SessionTreeNode[] {
    return treeOf(this.#entries, this.#byId, this.#cut, this.#labelsById);
  }

  /** The entries that hang from this one, oldest first; of null the roots. */
  getChildren(parentId: string | null): Entry[] {
    return this.#entries
      .filter((entry) => (parentOf(entry, this.#byId, this.#cut)?.id ?? null) === parentId)
      .sort(oldestFirst);
  }

  getLabel(id: string): string | undefined {
    return this.#labelsById.get(id);
  }

  /** The name that was given last; undefined where there is none or it was taken away. */
  getSessionName(): string | undefined {
    const named = this.#entries.findLast((entry) => entry.type === 'session_info');
    const name: unknown = named ? (named as SessionInfoEntry).name : this.#header.title;
    return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
  }

  /** What the model is told of the active path (SES-14). */
  buildSessionContext(): SessionContext {
    return buildSessionContext(this.getBranch());
  }

  /**
   * Appends an entry as a child of the leaf, and makes it the leaf. It is on disk when this returns; what is returned
   * is what the disk holds (a copy: later changes of the given object do not count).
   * @throws BlackError `session_read_only`, or why the log cannot be written; the session is as before then.
   */
  append<T extends NewEntry>(entry: T): T & EntryBase {
    return this.#append(entry, this.#leafId);
  }

  /**
   * Calls the listener with every entry once it is on disk; answers the call that ends it. It must not throw: the
   * caller of `append` would take the entry for lost.
   */
  onAppend(listener: (entry: Entry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Names an entry, or takes its name away where the label is empty. The label takes effect at once.
   * @throws BlackError `unknown_entry`.
   */
  appendLabelChange(targetId: string, label?: string): LabelEntry {
    this.#known(targetId);
    return this.append({ type: 'label', targetId, ...(label ? { label } : {}) });
  }

  /**
   * Moves the leaf to an entry: the next one becomes its child. Writes nothing.
   * @throws BlackError `unknown_entry`, also for null: see `resetLeaf`.
   */
  branch(entryId: string): void {
    this.#known(entryId);
    this.#leafId = entryId;
  }

  /** Moves the leaf before the first entry: the next one becomes a root. Writes nothing. */
  resetLeaf(): void {
    this.#leafId = null;
  }

  /**
   * Moves the leaf and appends a summary of what is left behind as a child of the new place; from null as a root.
   * @throws BlackError `unknown_entry`, or as `append`; the leaf stays where it was then.
   */
  branchWithSummary(
    branchFromId: string | null,
    summary: string,
    details?: unknown,
    fromExtension?: boolean,
  ): BranchSummaryEntry {
    if (branchFromId !== null) this.#known(branchFromId);
    return this.#append(
      {
        type: 'branch_summary',
        fromId: branchFromId ?? 'root',
        summary,
        ...(details === undefined ? {} : { details }),
        ...(fromExtension === undefined ? {} : { fromExtension }),
      },
      branchFromId,
    );
  }

  /**
   * Writes the path to an entry into a new session, with fresh labels for those of its entries that have one, and
   * switches to it.
   * @returns the new session's file; undefined in memory.
   * @throws BlackError `unknown_entry`, `session_too_new`, or why it cannot be written; the session is as before then.
   */
  createBranchedSession(leafId: string): string | undefined {
    this.#known(leafId);
    const ids = { has: (id: string) => this.#byId.has(id) };
    return this.#switchTo(extractBranch(this.getBranch(leafId), this.#labels(), ids, this.#randomHex));
  }

  /**
   * Writes all entries into a new session and switches to it, e.g. because another process holds this one (SES-7).
   * @returns the new session's file; undefined in memory.
   * @throws BlackError `session_too_new`, or why it cannot be written; the session is as before then.
   */
  fork(): string | undefined {
    const leafId = this.#leafId;
    const path = this.#switchTo(this.getEntries());
    this.#leafId = leafId;
    // The log alone gives the leaf.
    if (leafId !== null && leafId !== this.#entries.at(-1)?.id) {
      this.append({ type: 'custom', customType: 'leaf', data: {} });
    }
    return path;
  }

  /** Lets go of the file and its lock. */
  close(): void {
    this.#log.dispose();
    this.#readOnly ??= { reason: 'unwritable', message: 'The session is closed.', next: 'Open it again.' };
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #append<T extends NewEntry>(entry: T, parentId: string | null): T & EntryBase {
    if (this.#readOnly) {
      const { message, next } = this.#readOnly;
      throw new BlackError('session_read_only', message, next);
    }
    const { type, ...fields } = entry;
    const id = newEntryId(this.#byId, this.#randomHex);
    const timestamp = new Date(this.#now()).toISOString();
    const line = wellFormedJson(JSON.stringify({ type, id, parentId, timestamp, ...fields }));
    const added = JSON.parse(line) as Entry;
    this.#log.append(added, line);
    this.#add(added);
    for (const listener of this.#listeners) listener(added);
    return added as unknown as T & EntryBase;
  }

  #switchTo(entries: Entry[]): string | undefined {
    if (this.#readOnly?.reason === 'newer_version') {
      throw new BlackError('session_too_new', this.#readOnly.message, this.#readOnly.next);
    }
    const { id, cwd, title } = this.#header;
    const header: SessionHeader = {
      type: 'session',
      version: SESSION_VERSION,
      id: newSessionId(this.#randomHex),
      timestamp: new Date(this.#now()).toISOString(),
      cwd,
      parentSession: this.#log.path ?? id,
      ...(title === undefined ? {} : { title }),
    };
    const log = this.#log.branch(header, entries);
    this.#log.dispose();
    this.#log = log;
    this.#header = header;
    this.#readOnly = undefined;
    this.#problems = [];
    this.#load(entries);
    return log.path;
  }

  #load(entries: Entry[]): void {
    this.#entries = [];
    this.#byId = new Map();
    this.#labelsById = new Map();
    this.#leafId = null;
    for (const entry of entries) this.#add(entry);
    this.#cut = cyclesOf(this.#entries, this.#byId);
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leafId = entry.id;
    if (entry.type === 'label') {
      const { targetId, label } = entry as LabelEntry;
      if (typeof label === 'string' && label !== '') this.#labelsById.set(targetId, label);
      else this.#labelsById.delete(targetId);
    }
  }

  #known(id: string): void {
    if (!this.#byId.has(id)) {
      throw new BlackError('unknown_entry', `The session has no entry ${id}.`, 'Choose one of its entries.');
    }
  }

  /** The label entries that count, by what they name. */
  #labels(): Map<string, LabelEntry> {
    const labels = new Map<string, LabelEntry>();
    for (const entry of this.#entries) {
      if (entry.type === 'label' && this.#labelsById.has((entry as LabelEntry).targetId)) {
        labels.set((entry as LabelEntry).targetId, entry as LabelEntry);
      }
    }
    return labels;
  }
}
