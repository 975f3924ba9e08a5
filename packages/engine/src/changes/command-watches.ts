import { type BackgroundCommand, BlackError, type FileChangeSummary } from '@black-ide/protocol';
import type { Checkpoint, CheckpointManager, CommandWatch, Uncovered } from '@black-ide/workspace';

export interface CommandWatchesParts {
  open: () => Promise<CheckpointManager>;
  sessionId: string;
  messageId: () => string;
  /** Logs a checkpoint. */
  onCheckpoint: (checkpoint: Checkpoint) => void;
  /** Told what went wrong with a command for which nobody waits. */
  onFailure: (cause: unknown) => void;
}

/** What a result tells of what a command has changed. */
export interface CommandReport {
  changes?: FileChangeSummary[];
  /** Files that it changed, or may have, and that cannot be taken back. */
  notCovered?: { changed?: string[]; ignored?: string[]; large?: string[]; unreadable?: string[]; why?: string };
}

/** Files that a result names; the checkpoint has them all. */
const NAMED = 50;

/** Sees to it that what the commands of a session change on the disk can be taken back (IDE-51). */
export class CommandWatches {
  readonly #parts: CommandWatchesParts;
  readonly #background = new Map<string, { watch: CommandWatch; settling: Promise<unknown> }>();

  constructor(parts: CommandWatchesParts) {
    this.#parts = parts;
  }

  /**
   * Knows the workspace before a command runs. What keeps it from that is no reason not to run the command, but is said.
   * @throws the signal's reason
   */
  async before(callId: string, signal?: AbortSignal, command?: string): Promise<CommandWatch> {
    const { open, sessionId, messageId } = this.#parts;
    try {
      return await (await open()).beforeCommand({ sessionId, messageId: messageId(), callId }, signal, command);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const nothing = BlackError.toValue(cause).message;
      const coverage: Uncovered = { ignored: [], ignoredCount: 0, large: [], unreadable: [], nothing };
      return { coverage, settle: async () => ({ uncovered: [] }), end: () => undefined };
    }
  }

  /** Records what a command has changed. */
  async after(watch: CommandWatch): Promise<CommandReport> {
    const report = await this.#settle(watch);
    try {
      watch.end();
      return report;
    } catch (cause) {
      return { ...report, notCovered: { ...report.notCovered, why: BlackError.toValue(cause).message } };
    }
  }

  /** Keeps an eye on a command that runs beside the conversation. */
  follow(id: string, watch: CommandWatch): void {
    this.#background.set(id, { watch, settling: Promise.resolve() });
  }

  /** Commands beside the conversation have begun or ended; nobody waits for what they have changed. */
  noticed(commands: readonly BackgroundCommand[]): void {
    for (const { id, state } of commands) if (state !== 'running') this.look(id, true).catch(this.#parts.onFailure);
  }

  /** Records what a background command has changed up to now; `ended`: for the last time. */
  async look(id: string, ended: boolean): Promise<CommandReport> {
    const followed = this.#background.get(id);
    if (!followed) return {};
    if (ended) this.#background.delete(id);
    const report = followed.settling.then(() => (ended ? this.after(followed.watch) : this.#settle(followed.watch)));
    followed.settling = report.catch(() => undefined);
    return report;
  }

  /** All have ended. */
  async close(): Promise<void> {
    for (const id of [...this.#background.keys()]) await this.look(id, true);
  }

  async #settle(watch: CommandWatch): Promise<CommandReport> {
    try {
      const { checkpoint, uncovered } = await watch.settle();
      if (checkpoint) this.#parts.onCheckpoint(checkpoint);
      return reportOf(checkpoint, uncovered, watch.coverage);
    } catch (cause) {
      return { notCovered: { why: BlackError.toValue(cause).message } };
    }
  }
}

function reportOf(checkpoint: Checkpoint | undefined, changed: readonly string[], coverage: Uncovered): CommandReport {
  const notCovered = uncoveredOf(coverage, changed);
  return {
    ...(checkpoint ? { changes: checkpoint.files.slice(0, NAMED).map(({ state: _, ...file }) => file) } : {}),
    ...(notCovered ? { notCovered } : {}),
  };
}

/** What of a workspace cannot be taken back, as a card or a result tells it; undefined where everything can. */
export function uncoveredOf(
  { ignored, large, unreadable, nothing }: Uncovered,
  changed: readonly string[] = [],
): CommandReport['notCovered'] {
  const lists = { changed, ignored, large, unreadable };
  const told = Object.entries(lists).flatMap(([name, list]) => (list.length > 0 ? [[name, list.slice(0, NAMED)]] : []));
  if (told.length === 0 && nothing === undefined) return undefined;
  return { ...(Object.fromEntries(told) as object), ...(nothing === undefined ? {} : { why: nothing }) };
}
