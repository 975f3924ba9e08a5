import type {
  BranchSummaryEntry,
  CompactionEntry,
  CustomEntry,
  CustomMessageEntry,
  Entry,
  KnownEntry,
  MessageEntry,
} from '../entries.ts';
import { customData } from '../entries.ts';
import type { DurableEvent, EntryRef } from '../events.ts';
import { isRequestType, type Request } from '../requests.ts';

/**
 * The events that an entry means: at least one, in order, each carrying the entry's place. Pure, so that the fold of
 * live events equals the fold of the log (IDE-12).
 */
export function eventsOf(line: Entry): DurableEvent[] {
  const entry: EntryRef = { id: line.id, parentId: line.parentId, timestamp: line.timestamp };
  const known = line as KnownEntry;
  switch (known.type) {
    case 'message':
      return ofMessage(entry, known);
    case 'custom_message':
      return [notice(entry, known)];
    case 'custom':
      return ofCustom(entry, known);
    case 'model_change':
      return [{ type: 'ModelChanged', entry, provider: known.provider, modelId: known.modelId }];
    case 'mode_change':
      return [{ type: 'ModeChanged', entry, mode: known.mode }];
    case 'thinking_level_change':
      return [{ type: 'ThinkingLevelChanged', entry, level: known.thinkingLevel }];
    case 'compaction':
      return [compacted(entry, known)];
    case 'branch_summary':
      return [summarised(entry, known)];
    case 'label':
      return [
        { type: 'LabelChanged', entry, targetId: known.targetId, ...(known.label ? { label: known.label } : {}) },
      ];
    case 'session_info':
      return [{ type: 'SessionRenamed', entry, name: known.name ?? '' }];
    case 'ttsr_injection':
      return [{ type: 'RulesInjected', entry, rules: known.injectedRules }];
    default:
      return [other(entry, line.type)];
  }
}

function ofMessage(entry: EntryRef, line: MessageEntry): DurableEvent[] {
  const message = line.message;
  switch (message?.role) {
    case 'user':
      return [{ type: 'UserMessageAdded', entry, content: message.content }];
    case 'assistant': {
      const { content, provider, model, stopReason, errorMessage, usage } = message;
      return [
        {
          type: 'AssistantMessageAdded',
          entry,
          content,
          provider,
          model,
          stopReason,
          ...(errorMessage ? { errorMessage } : {}),
        },
        ...(usage ? [{ type: 'UsageUpdated' as const, entry, usage, provider, model }] : []),
      ];
    }
    case 'toolResult':
      return [
        {
          type: 'ToolFinished',
          entry,
          callId: message.toolCallId,
          name: message.toolName,
          isError: message.isError,
          content: message.content,
          ...(message.details === undefined ? {} : { details: message.details }),
        },
      ];
    case 'bashExecution':
      return [
        {
          type: 'CommandRan',
          entry,
          command: message.command,
          output: message.output,
          ...(message.exitCode === undefined ? {} : { exitCode: message.exitCode }),
        },
      ];
    case 'custom':
      return [notice(entry, message)];
    default:
      return [other(entry, 'message')];
  }
}

function ofCustom(entry: EntryRef, line: CustomEntry): DurableEvent[] {
  if (isRequestType(line.customType)) {
    const request = line.data as Request | undefined;
    if (!request?.id) return [other(entry, line.customType)];
    const type =
      request.kind === 'plan'
        ? 'PlanApprovalRequested'
        : request.kind === 'loop_limit'
          ? 'LoopLimitReached'
          : 'RequestOpened';
    return [{ type, entry, request }];
  }
  const response = customData(line, 'response');
  if (response) {
    const rejected = response.kind === 'plan' && response.value === 'reject';
    return [{ type: rejected ? 'PlanRejected' : 'RequestAnswered', entry, response }];
  }
  const start = customData(line, 'tool_start');
  if (start) return [{ type: 'ToolStarted', entry, callId: start.callId, name: start.name, args: start.args }];
  const task = customData(line, 'task_start');
  if (task) return [{ type: 'TaskStarted', entry, ...task }];
  const end = customData(line, 'task_end');
  if (end) {
    const types = { completed: 'TaskCompleted', failed: 'TaskFailed', cancelled: 'TaskCancelled' } as const;
    const type = types[end.outcome as keyof typeof types] ?? 'TaskStopped';
    return [{ type, entry, ...end }];
  }
  const cut = customData(line, 'cut');
  if (cut) return [{ type: 'ContextCut', entry, count: cut.cuts?.length ?? 0 }];
  const checkpoint = customData(line, 'checkpoint');
  if (checkpoint) {
    const { checkpointId, messageId, files } = checkpoint;
    return [{ type: 'CheckpointCreated', entry, checkpointId, messageId, files }];
  }
  if (line.customType === 'leaf') return [{ type: 'LeafMoved', entry }];
  return [other(entry, line.customType)];
}

function notice(
  entry: EntryRef,
  line: Pick<CustomMessageEntry, 'customType' | 'content' | 'display' | 'details'>,
): DurableEvent {
  const { customType, content, display, details } = line;
  return { type: 'NoticeAdded', entry, customType, content, display, ...(details === undefined ? {} : { details }) };
}

function compacted(entry: EntryRef, line: CompactionEntry): DurableEvent {
  return { type: 'Compacted', entry, summary: line.summary, tokensBefore: line.tokensBefore };
}

function summarised(entry: EntryRef, line: BranchSummaryEntry): DurableEvent {
  return { type: 'BranchSummarised', entry, summary: line.summary, fromId: line.fromId };
}

function other(entry: EntryRef, entryType: string): DurableEvent {
  return { type: 'EntryAdded', entry, entryType };
}
