import { SETTLED } from '../changes.ts';
import { answerContent, isRecord, resultContent, stopReasonOf, userContent } from '../content.ts';
import type { Entry, EntryBase } from '../entries.ts';
import type { DurableEvent, EntryRef } from '../events.ts';
import type { Usage } from '../messages.ts';
import { isRequestType, requestSchema, responseSchema } from '../requests.ts';
import { customEvent, settledEvent } from './custom-event.ts';

/**
 * The events that an entry means: at least one, in order, each carrying the entry's place. Pure, so that the fold of
 * live events equals the fold of the log (IDE-12). Never throws: an entry may be foreign, of a later version or
 * damaged; what it does not say is left empty, and one without its main part is told as `EntryAdded`.
 */
export function eventsOf(line: Entry): DurableEvent[] {
  const entry: EntryRef = {
    id: line.id,
    parentId: typeof line.parentId === 'string' ? line.parentId : null,
    timestamp: string(line.timestamp),
  };
  const fields = line as EntryBase & Record<string, unknown>;
  const spent = line.type === 'message' ? [] : usageEvents(entry, fields);
  return [mainEvent(entry, fields), ...spent].flat();
}

function mainEvent(entry: EntryRef, line: Record<string, unknown>): DurableEvent | DurableEvent[] {
  switch (line.type) {
    case 'message':
      return messageEvents(entry, isRecord(line.message) ? line.message : {});
    case 'custom_message': {
      const settled = line.customType === SETTLED ? settledEvent(entry, line.details) : undefined;
      return settled ? [notice(entry, line), settled] : notice(entry, line);
    }
    case 'custom':
      return customEvents(entry, line);
    case 'model_change':
      return { type: 'ModelChanged', entry, provider: string(line.provider), modelId: string(line.modelId) };
    case 'mode_change':
      return { type: 'ModeChanged', entry, mode: string(line.mode) };
    case 'thinking_level_change':
      return { type: 'ThinkingLevelChanged', entry, level: string(line.thinkingLevel) };
    case 'compaction':
      return { type: 'Compacted', entry, summary: string(line.summary), tokensBefore: number(line.tokensBefore) };
    case 'branch_summary':
      return { type: 'BranchSummarised', entry, summary: string(line.summary), fromId: string(line.fromId) };
    case 'label': {
      const label = string(line.label);
      return { type: 'LabelChanged', entry, targetId: string(line.targetId), ...(label ? { label } : {}) };
    }
    case 'session_info':
      return { type: 'SessionRenamed', entry, name: string(line.name) };
    case 'ttsr_injection':
      return { type: 'RulesInjected', entry, rules: strings(line.injectedRules) };
    default:
      return other(entry, string(line.type));
  }
}

function messageEvents(entry: EntryRef, message: Record<string, unknown>): DurableEvent[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'UserMessageAdded', entry, content: userContent(message.content) }];
    case 'assistant': {
      const errorMessage = string(message.errorMessage);
      return [
        {
          type: 'AssistantMessageAdded',
          entry,
          content: answerContent(message.content),
          provider: string(message.provider),
          model: string(message.model),
          stopReason: stopReasonOf(message.stopReason),
          ...(errorMessage ? { errorMessage } : {}),
        },
        ...usageEvents(entry, message),
      ];
    }
    case 'toolResult':
      return [
        {
          type: 'ToolFinished',
          entry,
          callId: string(message.toolCallId),
          name: string(message.toolName),
          isError: message.isError === true,
          content: resultContent(message.content),
          ...(message.details === undefined ? {} : { details: message.details }),
        },
      ];
    case 'bashExecution':
      return [
        {
          type: 'CommandRan',
          entry,
          command: string(message.command),
          output: string(message.output),
          ...(typeof message.exitCode === 'number' ? { exitCode: message.exitCode } : {}),
        },
      ];
    case 'custom':
      return [notice(entry, message)];
    default:
      return [other(entry, 'message')];
  }
}

function customEvents(entry: EntryRef, line: Record<string, unknown>): DurableEvent {
  const customType = string(line.customType);
  const data = isRecord(line.data) ? line.data : {};
  if (isRequestType(customType)) return requestEvent(entry, data) ?? other(entry, customType);
  if (customType === 'response') return responseEvent(entry, data) ?? other(entry, customType);
  return customEvent(entry, customType, data) ?? other(entry, customType);
}

function requestEvent(entry: EntryRef, data: Record<string, unknown>): DurableEvent | undefined {
  const { success, data: request } = requestSchema.safeParse(data);
  if (!success) return undefined;
  const types = { plan: 'PlanApprovalRequested', loop_limit: 'LoopLimitReached' } as const;
  return { type: types[request.kind as keyof typeof types] ?? 'RequestOpened', entry, request };
}

function responseEvent(entry: EntryRef, data: Record<string, unknown>): DurableEvent | undefined {
  const { success, data: response } = responseSchema.safeParse(data);
  if (!success) return undefined;
  const rejected = response.kind === 'plan' && response.value === 'reject';
  return { type: rejected ? 'PlanRejected' : 'RequestAnswered', entry, response };
}

function notice(entry: EntryRef, line: Record<string, unknown>): DurableEvent {
  const { customType, content, display, details } = line;
  return {
    type: 'NoticeAdded',
    entry,
    customType: string(customType),
    content: userContent(content),
    display: display === true,
    ...(details === undefined ? {} : { details }),
  };
}

/** What an answer, a summary or another program's bookkeeping (`usage` entries) says it has cost. */
function usageEvents(entry: EntryRef, source: Record<string, unknown>): DurableEvent[] {
  if (!isRecord(source.usage)) return [];
  const usage = usageOf(source.usage);
  const by = { provider: string(source.provider), model: string(source.model) };
  const what = source.role === 'assistant' ? 'turn' : string(source.type);
  return [{ type: 'UsageUpdated', entry, usage, ...by, source: what }];
}

function usageOf(source: Record<string, unknown>): Usage {
  const cost = isRecord(source.cost) ? source.cost : {};
  return {
    input: number(source.input),
    output: number(source.output),
    cacheRead: number(source.cacheRead),
    cacheWrite: number(source.cacheWrite),
    totalTokens: number(source.totalTokens),
    cost: {
      input: number(cost.input),
      output: number(cost.output),
      cacheRead: number(cost.cacheRead),
      cacheWrite: number(cost.cacheWrite),
      total: number(cost.total),
    },
  };
}

function other(entry: EntryRef, entryType: string): DurableEvent {
  return { type: 'EntryAdded', entry, entryType };
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
