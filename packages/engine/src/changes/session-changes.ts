import {
  BlackError,
  type ChangeCommandResults,
  type CustomMessageEntry,
  customData,
  type Entry,
  eventsOf,
  type LeftFile,
  type RestoredFiles,
  SETTLED,
  type SettleAction,
  type SettledChange,
  type SettledDetails,
  type TrackedChange,
} from '@black-ide/protocol';
import type { CheckpointManager, RestoreResult } from '@black-ide/workspace';
import { appendCustom } from '../loop/session-port.ts';
import type { AgentSession } from '../session/agent-session.ts';
import { checkpointData } from './checkpoint-entry.ts';
import { refusalOf } from './refusal-words.ts';
import { uncoveredIn } from './uncovered-changes.ts';

/** So many files are named to the model; it is told how many more there are. */
const NAMED = 20;

/**
 * What a person does with a session's changes: keeping them, taking them back, taking that back (IDE-49, IDE-50). Every
 * one of these is logged as a message, so that the model knows.
 */
export class SessionChanges {
  readonly #open: () => Promise<CheckpointManager>;
  readonly #onRestored: () => void;

  /** @param onRestored files are as they were before, or as they were again. */
  constructor(open: () => Promise<CheckpointManager>, onRestored: () => void = () => undefined) {
    this.#open = open;
    this.#onRestored = onRestored;
  }

  async list(session: AgentSession): Promise<ChangeCommandResults['listChanges']> {
    const manager = await this.#open();
    if (!session.manager.readOnly) this.#reconcile(session, manager);
    return { changes: tracked(manager, session.id), canRedo: manager.canRedo(session.id) };
  }

  async show(session: AgentSession, path?: string): Promise<ChangeCommandResults['showChanges']> {
    const manager = await this.#open();
    return { diff: await manager.diff({ sessionId: session.id, ...(path === undefined ? {} : { path }) }) };
  }

  async keep(session: AgentSession, path?: string): Promise<ChangeCommandResults['keepFile']> {
    const manager = await this.#open();
    this.#reconcile(session, manager);
    const kept = await manager.keep({ sessionId: session.id, ...(path === undefined ? {} : { path }) });
    const settled = kept.map(
      ({ checkpoint, path: file }): SettledChange => ({ checkpointId: checkpoint, path: file, state: 'kept' }),
    );
    const paths = [...new Set(kept.map((each) => each.path))];
    tell(session, 'keep', settled, `The user keeps the changes to ${named(paths)}.`);
    return { paths };
  }

  async restoreFile(session: AgentSession, path: string, merge = false): Promise<RestoredFiles> {
    const manager = await this.#ready(session);
    const restored = await manager.restore({ sessionId: session.id, path }, { merge });
    return this.#restored(session, 'restore', restored);
  }

  async undoMessage(
    session: AgentSession,
    messageId: string | undefined,
    merge = false,
  ): Promise<ChangeCommandResults['undoMessage']> {
    const manager = await this.#ready(session);
    const meant = messageId ?? tracked(manager, session.id).findLast(({ state }) => state === 'pending')?.messageId;
    if (meant === undefined) {
      throw new BlackError(
        'nothing_to_undo',
        'No change of this session is pending.',
        ['A kept file can be restored by name.', leftText(manager.leftOf(uncoveredIn(session.path())))]
          .filter(Boolean)
          .join(' '),
      );
    }
    const files = tracked(manager, session.id).filter((one) => one.messageId === meant && one.state === 'pending');
    const restored = await manager.restore({ sessionId: session.id, messageId: meant }, { merge });
    const meantPaths = files.map(({ path }) => path);
    const notCovered = manager.leftOf(uncoveredIn(session.path(), meant));
    return { ...this.#restored(session, 'undo', restored, { meantPaths, notCovered }), messageId: meant, notCovered };
  }

  async redo(session: AgentSession, merge = false): Promise<RestoredFiles> {
    const manager = await this.#ready(session);
    return this.#restored(session, 'redo', await manager.redo(session.id, { merge }));
  }

  /** Logs what the store knows and the log does not, e.g. because the run was killed in between. */
  async reconcile(session: AgentSession): Promise<void> {
    this.#reconcile(session, await this.#open());
  }

  async #ready(session: AgentSession): Promise<CheckpointManager> {
    if (session.running) {
      throw new BlackError('session_busy', 'A task runs in this session.', 'Cancel it, or wait until it is done.');
    }
    const manager = await this.#open();
    this.#reconcile(session, manager);
    return manager;
  }

  /**
   * @param meantPaths the files of a message, which can be taken back one by one where not all can be
   * @param notCovered what of the message no undo covers
   */
  #restored(
    session: AgentSession,
    action: SettleAction,
    result: RestoreResult,
    { meantPaths = [], notCovered = [] }: { meantPaths?: string[]; notCovered?: LeftFile[] } = {},
  ): RestoredFiles {
    if (!result.ok) throw refusalOf(result, meantPaths);
    this.#onRestored();
    const { files, skipped, settled } = result;
    const changes = settled.map(
      ({ checkpoint, path, state }): SettledChange => ({ checkpointId: checkpoint, path, state }),
    );
    tell(
      session,
      action,
      changes,
      [sentence(action, result), leftText(notCovered)].filter(Boolean).join(' '),
      notCovered,
    );
    return { files, skipped };
  }

  #reconcile(session: AgentSession, manager: CheckpointManager): void {
    const logged = statesInLog(session.manager.getEntries());
    const missed: SettledChange[] = [];
    for (const checkpoint of manager.list(session.id)) {
      const known = logged.get(checkpoint.id);
      if (!known) appendCustom(session, 'checkpoint', checkpointData(checkpoint));
      for (const { path, state } of checkpoint.files) {
        const stands = known ? known.get(path) : 'pending';
        if (stands !== undefined && stands !== state) missed.push({ checkpointId: checkpoint.id, path, state });
      }
    }
    if (missed.length === 0) return;
    const paths = [...new Set(missed.map(({ path }) => path))];
    tell(
      session,
      'restore',
      missed,
      `Before a crash the user settled the changes to ${named(paths)}. Read them again.`,
    );
  }
}

/** How the log says that each file of each checkpoint stands. */
function statesInLog(entries: readonly Entry[]): Map<string, Map<string, TrackedChange['state']>> {
  const states = new Map<string, Map<string, TrackedChange['state']>>();
  for (const entry of entries) {
    const isOurs =
      customData(entry, 'checkpoint') !== undefined || (entry as CustomMessageEntry).customType === SETTLED;
    for (const event of isOurs ? eventsOf(entry) : []) {
      if (event.type === 'CheckpointCreated' && !states.has(event.checkpointId)) {
        states.set(event.checkpointId, new Map(event.changes.map(({ path }) => [path, 'pending'])));
      }
      if (event.type !== 'ChangesSettled') continue;
      for (const { checkpointId, path, state } of event.settled) {
        const files = states.get(checkpointId);
        if (files?.has(path)) files.set(path, state);
      }
    }
  }
  return states;
}

function tracked(manager: CheckpointManager, sessionId: string): TrackedChange[] {
  return manager
    .list(sessionId)
    .flatMap(({ id, messageId, files }) =>
      files.map((file): TrackedChange => ({ ...file, checkpointId: id, messageId })),
    );
}

function tell(
  session: AgentSession,
  action: SettleAction,
  settled: SettledChange[],
  content: string,
  notCovered: LeftFile[] = [],
): void {
  const details: SettledDetails = { action, settled, ...(notCovered.length > 0 ? { notCovered } : {}) };
  session.append({ type: 'custom_message', customType: SETTLED, content, display: true, details });
}

/** What no undo covers; empty where that is nothing. */
function leftText(files: readonly LeftFile[]): string {
  const there = files.filter(({ gone }) => !gone).map(({ path }) => path);
  const gone = files.filter((file) => file.gone).map(({ path }) => path);
  return [
    ...(there.length > 0 ? [`Not covered, still there: ${named(there)}.`] : []),
    ...(gone.length > 0 ? [`Not covered, gone: ${named(gone)}.`] : []),
  ].join(' ');
}

function sentence(action: SettleAction, { files, skipped }: Extract<RestoreResult, { ok: true }>): string {
  const rows = files.map(({ path, kind, added, removed }) => {
    const how = kind === 'deleted' ? 'deleted' : kind === 'created' ? 'is back' : `+${added} −${removed}`;
    return `${path} (${how})`;
  });
  const what = action === 'redo' ? 'brought back changes that they had taken back' : 'took back changes of yours';
  const left = skipped.map(({ path, why }) => `${path} (${why})`);
  return [
    `The user ${what}: ${rows.length > 0 ? named(rows) : 'the files were so already'}.`,
    ...(left.length > 0 ? [`Left alone: ${named(left)}.`] : []),
    'Read a file again before you change it.',
  ].join(' ');
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
