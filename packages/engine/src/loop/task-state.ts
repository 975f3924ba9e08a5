import {
  type AssistantMessage,
  answerContent,
  type CompactionEntry,
  type CustomData,
  customData,
  type Entry,
  type MessageEntry,
  type ToolCall,
} from '@black-ide/protocol';

/** Where the newest task of a path stands; everything is read from the log, so that a killed run can go on. */
export interface TaskState {
  start: CustomData['task_start'];
  ended: boolean;
  /** Model calls so far, of the phase where the task is a planned one. */
  iterations: number;
  /** The ceiling with everything a person granted on top. */
  limit: number;
  /** US dollars so far, those of compactions too. */
  cost: number;
  /** Tokens so far: in and out, cached ones too. */
  tokens: number;
  /** Calls of a model so far, those for summaries too. */
  calls: number;
}

/** The state of the newest task on a path from root to leaf, or undefined where none has begun. */
export function taskState(path: readonly Entry[]): TaskState | undefined {
  const at = path.findLastIndex((entry) => customData(entry, 'task_start'));
  if (at < 0) return undefined;
  const start = customData(path[at]!, 'task_start')!;
  const state: TaskState = {
    start,
    ended: false,
    iterations: 0,
    limit: start.maxIterations,
    cost: 0,
    tokens: 0,
    calls: 0,
  };
  for (const entry of path.slice(at + 1)) {
    const message = assistantOf(entry);
    if (message) {
      state.iterations += 1;
    }
    const usage = message?.usage ?? (entry.type === 'compaction' ? (entry as CompactionEntry).usage : undefined);
    if (message || usage) {
      state.calls += 1;
      state.cost += usage?.cost?.total ?? 0;
      state.tokens += usage?.totalTokens ?? 0;
    }
    const response = customData(entry, 'response');
    if (response?.kind === 'loop_limit' && response.value === 'continue') {
      state.limit += grantedIterations(response.text, start.maxIterations);
    }
    // Carrying out a plan, or making it anew, has the whole ceiling for itself.
    if (response?.kind === 'plan') {
      state.iterations = 0;
      state.limit = start.maxIterations;
    }
    if (customData(entry, 'task_end')) state.ended = true;
  }
  return state;
}

/** How many more iterations an answer grants: its text where that is a number, else as many again. */
function grantedIterations(text: string | undefined, ceiling: number): number {
  return text && /^\d{1,4}$/.test(text) && Number(text) > 0 ? Number(text) : ceiling;
}

/** Whether the newest thing on the path is the answer "stop" to a question of the loop itself. */
export function declined(path: readonly Entry[]): boolean {
  const last = path.findLast((entry) => entry.type === 'message' || customData(entry, 'response'));
  const response = last && customData(last, 'response');
  return (response?.kind === 'loop_limit' || response?.kind === 'repeated_failure') && response.value !== 'continue';
}

export function assistantOf(entry: Entry): AssistantMessage | undefined {
  const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
  return message?.role === 'assistant' ? message : undefined;
}

/** The calls of an answer; a damaged log may hold anything in their place. */
export function callsOf(entry: Entry): ToolCall[] {
  return answerContent(assistantOf(entry)?.content).filter((block): block is ToolCall => block.type === 'toolCall');
}

/** A call of the newest answer that has no result yet. */
export interface OpenCall {
  call: ToolCall;
  /** It was begun: it may have had effects. */
  started: boolean;
}

/** The calls of the newest answer on the path that have no result, in their order. */
export function openCalls(path: readonly Entry[]): OpenCall[] {
  const at = path.findLastIndex((entry) => assistantOf(entry));
  if (at < 0) return [];
  const calls = callsOf(path[at]!);
  const done = new Set<string>();
  const started = new Set<string>();
  for (const entry of path.slice(at + 1)) {
    const start = customData(entry, 'tool_start');
    if (start) started.add(start.callId);
    const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
    if (message?.role === 'toolResult') done.add(message.toolCallId);
  }
  return calls.filter((call) => !done.has(call.id)).map((call) => ({ call, started: started.has(call.id) }));
}
