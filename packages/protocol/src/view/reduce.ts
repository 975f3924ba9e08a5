import type { Entry } from '../entries.ts';
import type { DurableEvent, TransientEvent } from '../events.ts';
import type { Usage } from '../messages.ts';
import { zeroUsage } from '../messages.ts';
import { eventsOf } from './events-of.ts';
import type { Live, Spending, View, ViewItem } from './view.ts';

/** How much of a running tool's output a view keeps; the full text is in the result. */
export const LIVE_OUTPUT_CHARS = 8_000;

type AnyEvent = DurableEvent | TransientEvent;

export function emptyView(sessionId: string, title = ''): View {
  return {
    sessionId,
    title,
    leafId: null,
    items: [],
    requests: {},
    labels: {},
    usage: zeroUsage(),
    spending: [],
    live: emptyLive(),
  };
}

export function emptyLive(): Live {
  return { running: false, text: '', thinking: '', tools: [], queue: [], background: [] };
}

/** The next view. Pure: the given one is never changed; an unknown event changes nothing but the leaf it may carry. */
export function reduce(view: View, event: AnyEvent): View {
  if ('entry' in event && event.entry) {
    const item = itemOf(event);
    const spent = spendingOf(event);
    return {
      ...view,
      leafId: event.entry.id,
      ...changes(view, event, copied),
      live: settle(view.live, event),
      ...(item ? { items: [...view.items, item] } : {}),
      ...(spent ? { spending: [...view.spending, spent] } : {}),
    };
  }
  const live = reduceLive(view.live, event as TransientEvent);
  return live === view.live ? view : { ...view, live };
}

/** The view of a whole log, in its file's order. One pass; what it builds is its own until it is handed out. */
export function foldEntries(sessionId: string, entries: Iterable<Entry>, title = ''): View {
  const view = emptyView(sessionId, title);
  const items: ViewItem[] = [];
  const spending: Spending[] = [];
  for (const entry of entries) {
    for (const event of eventsOf(entry)) {
      view.leafId = entry.id;
      Object.assign(view, changes(view, event, inPlace));
      const item = itemOf(event);
      if (item) items.push(item);
      const spent = spendingOf(event);
      if (spent) spending.push(spent);
    }
  }
  return { ...view, items, spending };
}

/** How a record gets another value under a key, or loses the key where the value is undefined. */
type Put = <T>(record: Readonly<Record<string, T>>, key: string, value: T | undefined) => Record<string, T>;

const copied: Put = (record, key, value) => inPlace({ ...record }, key, value);

const inPlace: Put = <T>(record: Readonly<Record<string, T>>, key: string, value: T | undefined) => {
  const own = record as Record<string, T>;
  if (value === undefined) delete own[key];
  // Assigning to `__proto__` would set the prototype: ids and labels come from files.
  else Object.defineProperty(own, key, { value, enumerable: true, writable: true, configurable: true });
  return own;
};

/** What a durable event changes in a view besides its items. */
function changes(view: View, event: DurableEvent, put: Put): Partial<View> | undefined {
  switch (event.type) {
    case 'UsageUpdated':
      return {
        usage: addUsage(view.usage, event.usage),
        ...(event.source === 'turn' ? { lastUsage: event.usage } : {}),
      };
    case 'Compacted':
      // How full the window is now, only the next answer tells.
      return { lastUsage: undefined };
    case 'LabelChanged':
      return { labels: put(view.labels, event.targetId, event.label || undefined) };
    case 'SessionRenamed':
      return { title: event.name };
    case 'RequestOpened':
    case 'PlanApprovalRequested':
    case 'LoopLimitReached':
      return { requests: put(view.requests, event.request.id, { request: event.request }) };
    case 'RequestAnswered':
    case 'PlanRejected': {
      const { response } = event;
      const open = Object.hasOwn(view.requests, response.requestId) ? view.requests[response.requestId] : undefined;
      // The first answer counts.
      if (!open || open.response) return undefined;
      return { requests: put(view.requests, response.requestId, { ...open, response }) };
    }
    default:
      return undefined;
  }
}

function spendingOf(event: DurableEvent): Spending | undefined {
  if (event.type !== 'UsageUpdated') return undefined;
  const { entry, source, provider, model, usage } = event;
  return { entryId: entry.id, source, provider, model, usage };
}

/** What is going on once an entry is in the log: it takes the place of the partial text or the running tool. */
function settle(live: Live, event: DurableEvent): Live {
  switch (event.type) {
    case 'AssistantMessageAdded': {
      const { retry: _over, ...rest } = live;
      return { ...rest, text: '', thinking: '' };
    }
    case 'Compacted':
      return withoutCompacting(live);
    case 'ToolStarted':
      return { ...live, tools: startTool(live.tools, event) };
    case 'ToolFinished':
      return { ...live, tools: live.tools.filter((tool) => tool.callId !== event.callId) };
    default:
      return live;
  }
}

/** What a durable event adds to the timeline. */
function itemOf(event: DurableEvent): ViewItem | undefined {
  const { entry } = event;
  switch (event.type) {
    case 'UserMessageAdded':
      return { kind: 'user', entry, content: event.content };
    case 'AssistantMessageAdded': {
      const { content, provider, model, stopReason, errorMessage } = event;
      return {
        kind: 'assistant',
        entry,
        content,
        provider,
        model,
        stopReason,
        ...(errorMessage ? { errorMessage } : {}),
      };
    }
    case 'ToolStarted':
      return { kind: 'toolStart', entry, callId: event.callId, name: event.name };
    case 'ToolFinished': {
      const { callId, name, isError, content, details } = event;
      return {
        kind: 'toolResult',
        entry,
        callId,
        name,
        isError,
        content,
        ...(details === undefined ? {} : { details }),
      };
    }
    case 'CommandRan': {
      const { command, output, exitCode } = event;
      return { kind: 'command', entry, command, output, ...(exitCode === undefined ? {} : { exitCode }) };
    }
    case 'NoticeAdded': {
      const { customType, content, display, details } = event;
      return { kind: 'notice', entry, customType, content, display, ...(details === undefined ? {} : { details }) };
    }
    case 'ModelChanged':
      return { kind: 'model', entry, provider: event.provider, modelId: event.modelId };
    case 'ModeChanged':
      return { kind: 'mode', entry, mode: event.mode };
    case 'ThinkingLevelChanged':
      return { kind: 'thinkingLevel', entry, level: event.level };
    case 'Compacted':
      return { kind: 'compaction', entry, summary: event.summary, tokensBefore: event.tokensBefore };
    case 'BranchSummarised':
      return { kind: 'branchSummary', entry, summary: event.summary, fromId: event.fromId };
    case 'LabelChanged':
      return { kind: 'other', entry, what: 'label' };
    case 'SessionRenamed':
      return { kind: 'other', entry, what: 'name' };
    case 'TaskStarted': {
      const { messageId, mode, model, maxIterations } = event;
      return { kind: 'taskStart', entry, messageId, mode, model, maxIterations };
    }
    case 'TaskCompleted':
    case 'TaskFailed':
    case 'TaskCancelled':
    case 'TaskStopped': {
      const { outcome, message, code, next } = event;
      return {
        kind: 'taskEnd',
        entry,
        end: { outcome, message, ...(code ? { code } : {}), ...(next ? { next } : {}) },
      };
    }
    case 'RequestOpened':
    case 'PlanApprovalRequested':
    case 'LoopLimitReached':
      return { kind: 'request', entry, request: event.request };
    case 'RequestAnswered':
    case 'PlanRejected':
      return { kind: 'response', entry, response: event.response };
    case 'CheckpointCreated': {
      const { checkpointId, messageId, files } = event;
      return { kind: 'checkpoint', entry, checkpointId, messageId, files };
    }
    case 'ContextCut':
      return { kind: 'other', entry, what: 'cut' };
    case 'LeafMoved':
      return { kind: 'other', entry, what: 'leaf' };
    case 'RulesInjected':
      return { kind: 'other', entry, what: 'rules' };
    case 'EntryAdded':
      return { kind: 'other', entry, what: event.entryType };
    default:
      return undefined;
  }
}

function reduceLive(live: Live, event: TransientEvent): Live {
  switch (event.type) {
    case 'TextDelta':
      return { ...live, text: live.text + event.text };
    case 'ThinkingDelta':
      return { ...live, thinking: live.thinking + event.text };
    case 'ToolStarted':
      return { ...live, tools: startTool(live.tools, event) };
    case 'ToolOutput':
      return {
        ...live,
        tools: live.tools.map((tool) =>
          tool.callId === event.callId
            ? { ...tool, output: (tool.output + event.text).slice(-LIVE_OUTPUT_CHARS) }
            : tool,
        ),
      };
    case 'RetryScheduled':
      return {
        ...live,
        text: '',
        thinking: '',
        retry: { attempt: event.attempt, delayMs: event.delayMs, reason: event.reason },
      };
    case 'QueueChanged':
      return { ...live, queue: event.queue };
    case 'CompactingChanged':
      return event.reason ? { ...live, compacting: event.reason } : withoutCompacting(live);
    case 'BackgroundChanged':
      return { ...live, background: event.commands };
    case 'RunningChanged':
      return event.running
        ? { ...live, running: true }
        : { ...emptyLive(), queue: live.queue, background: live.background };
    default:
      return live;
  }
}

function withoutCompacting({ compacting: _over, ...rest }: Live): Live {
  return rest;
}

function startTool(
  tools: Live['tools'],
  event: { callId: string; name: string; args: Record<string, unknown> },
): Live['tools'] {
  const { callId, name, args } = event;
  return tools.some((tool) => tool.callId === callId) ? tools : [...tools, { callId, name, args, output: '' }];
}

/** The sum of two usages, field by field. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + (b.input ?? 0),
    output: a.output + (b.output ?? 0),
    cacheRead: a.cacheRead + (b.cacheRead ?? 0),
    cacheWrite: a.cacheWrite + (b.cacheWrite ?? 0),
    totalTokens: a.totalTokens + (b.totalTokens ?? 0),
    cost: {
      input: a.cost.input + (b.cost?.input ?? 0),
      output: a.cost.output + (b.cost?.output ?? 0),
      cacheRead: a.cost.cacheRead + (b.cost?.cacheRead ?? 0),
      cacheWrite: a.cost.cacheWrite + (b.cost?.cacheWrite ?? 0),
      total: a.cost.total + (b.cost?.total ?? 0),
    },
  };
}
