import { CHANGE_STATES, type FileChangeSummary, type SettleAction, type SettledChange } from '../changes.ts';
import { isRecord } from '../content.ts';
import type { CustomData, TaskEnd } from '../entries.ts';
import type { DurableEvent, EntryRef } from '../events.ts';

/** What the log says of a piece of `data`: nothing is known of its fields. */
type Unchecked<T extends keyof CustomData> = { [K in keyof CustomData[T]]?: unknown };

const ENDS = {
  completed: 'TaskCompleted',
  failed: 'TaskFailed',
  cancelled: 'TaskCancelled',
  limit: 'TaskStopped',
  budget: 'TaskStopped',
  needs_approval: 'TaskStopped',
} as const satisfies Record<TaskEnd['outcome'], DurableEvent['type']>;

const KINDS: readonly FileChangeSummary['kind'][] = ['created', 'modified', 'deleted', 'renamed'];
const ACTIONS: readonly SettleAction[] = ['keep', 'restore', 'undo', 'redo'];

/** The event of a `custom` entry that this program writes; undefined for others and for one without its main parts. */
export function customEvent(
  entry: EntryRef,
  customType: string,
  data: Record<string, unknown>,
): DurableEvent | undefined {
  switch (customType) {
    case 'tool_start': {
      const { callId, name, args }: Unchecked<'tool_start'> = data;
      if (typeof callId !== 'string' || typeof name !== 'string') return undefined;
      return { type: 'ToolStarted', entry, callId, name, args: isRecord(args) ? args : {} };
    }
    case 'task_start': {
      const { messageId, mode, model, maxIterations, planning }: Unchecked<'task_start'> = data;
      if (typeof messageId !== 'string' || typeof mode !== 'string') return undefined;
      if (typeof model !== 'string' || typeof maxIterations !== 'number') return undefined;
      const planned = planning === true ? { planning } : {};
      return { type: 'TaskStarted', entry, messageId, mode, model, maxIterations, ...planned };
    }
    case 'task_end':
      return taskEnd(entry, data);
    case 'cut': {
      const { cuts }: Unchecked<'cut'> = data;
      return Array.isArray(cuts) ? { type: 'ContextCut', entry, count: cuts.length } : undefined;
    }
    case 'checkpoint': {
      const { checkpointId, messageId, files, changes }: Unchecked<'checkpoint'> = data;
      if (typeof checkpointId !== 'string' || typeof messageId !== 'string' || !Array.isArray(files)) return undefined;
      const paths = files.filter((file) => typeof file === 'string');
      return {
        type: 'CheckpointCreated',
        entry,
        checkpointId,
        messageId,
        files: paths,
        changes: Array.isArray(changes) ? changes.flatMap(changeOf) : [],
      };
    }
    case 'rules': {
      const { files }: Unchecked<'rules'> = data;
      if (!Array.isArray(files)) return undefined;
      const rules = files.flatMap((file) => (isRecord(file) && typeof file.path === 'string' ? [file.path] : []));
      return { type: 'RulesInjected', entry, rules };
    }
    case 'leaf':
      return { type: 'LeafMoved', entry };
    default:
      return undefined;
  }
}

/** What a person did with changes, out of the `details` of a message that tells it; undefined where it does not. */
export function settledEvent(entry: EntryRef, details: unknown): DurableEvent | undefined {
  if (!isRecord(details) || !Array.isArray(details.settled)) return undefined;
  const action = ACTIONS.find((known) => known === details.action);
  if (!action) return undefined;
  const settled = details.settled.flatMap((each): SettledChange[] => {
    const { checkpointId, path, state }: Record<string, unknown> = isRecord(each) ? each : {};
    const known = CHANGE_STATES.find((one) => one === state);
    return typeof checkpointId === 'string' && typeof path === 'string' && known
      ? [{ checkpointId, path, state: known }]
      : [];
  });
  return { type: 'ChangesSettled', entry, action, settled };
}

function changeOf(change: unknown): FileChangeSummary[] {
  if (!isRecord(change) || typeof change.path !== 'string') return [];
  const { path, from, added, removed } = change;
  const kind = KINDS.find((known) => known === change.kind) ?? 'modified';
  const lines = (count: unknown): number => (typeof count === 'number' && Number.isFinite(count) ? count : 0);
  return [{ path, ...(typeof from === 'string' ? { from } : {}), kind, added: lines(added), removed: lines(removed) }];
}

function taskEnd(entry: EntryRef, data: Record<string, unknown>): DurableEvent | undefined {
  const { outcome, message, code, next }: Unchecked<'task_end'> = data;
  if (typeof outcome !== 'string' || !Object.hasOwn(ENDS, outcome)) return undefined;
  const known = outcome as TaskEnd['outcome'];
  return {
    type: ENDS[known],
    entry,
    outcome: known,
    message: typeof message === 'string' ? message : '',
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof next === 'string' ? { next } : {}),
  };
}
