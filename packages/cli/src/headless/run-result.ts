import {
  type EngineError,
  isUnpriced,
  type Request,
  type TaskOutcome,
  type View,
  type ViewItem,
} from '@black-ide/protocol';
import type { RunOutcome } from './run-outcome.ts';

/** What `--output json` prints, and `stream-json` as its last line (there with `type: "Result"`). */
export interface RunResult {
  /** Absent when the task failed before there was a session. */
  sessionId?: string;
  outcome: TaskOutcome;
  /** The final answer; empty unless the outcome is `completed`. */
  result: string;
  error?: EngineError;
  /** The files that this run changed, relative to the workspace. */
  files?: string[];
  /** Tokens, and US dollars, of this run alone; the cost is null where tokens were used and no price is known. */
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number; cost: number | null };
  /** How often the model answered. */
  turns: number;
  durationMs: number;
  /** `provider/model`. */
  model: string;
  mode: string;
  /** The questions that wait for an answer. */
  requests?: Pick<Request, 'id' | 'kind' | 'title' | 'payload' | 'options' | 'default'>[];
}

/** The result of a run, out of the views before and after it. */
export function runResult(before: View, after: View, outcome: RunOutcome, durationMs: number): RunResult {
  const fresh = after.items.slice(before.items.length);
  const files = changedFiles(fresh);
  const task = after.items.findLast((item) => item.kind === 'taskStart');
  return {
    sessionId: after.sessionId,
    ...ending(outcome),
    ...(files.length > 0 ? { files } : {}),
    usage: {
      input: after.usage.input - before.usage.input,
      output: after.usage.output - before.usage.output,
      cacheRead: after.usage.cacheRead - before.usage.cacheRead,
      cacheWrite: after.usage.cacheWrite - before.usage.cacheWrite,
      cost: costOf(before, after),
    },
    turns: fresh.filter((item) => item.kind === 'assistant').length,
    durationMs,
    model: task?.model ?? '',
    mode: task?.mode ?? '',
    ...(outcome.requests.length > 0 ? { requests: outcome.requests } : {}),
  };
}

/** The result of a run that failed before there was a session. */
export function earlyResult(outcome: RunOutcome, durationMs: number): RunResult {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
  return { ...ending(outcome), usage, turns: 0, durationMs, model: '', mode: '' };
}

function ending({ outcome, result, error }: RunOutcome): Pick<RunResult, 'outcome' | 'result' | 'error'> {
  return { outcome, result, ...(error ? { error } : {}) };
}

/** The files that the run's checkpoints and the results of its tools name as changed. */
function changedFiles(items: readonly ViewItem[]): string[] {
  return [
    ...new Set(
      items.flatMap((item) => {
        if (item.kind === 'checkpoint') return item.files;
        return item.kind === 'toolResult' && !item.isError ? changedFile(item.details) : [];
      }),
    ),
  ];
}

/** What a tool's result says it changed: the details of a file change carry its diff. */
function changedFile(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return [];
  const { path, diff } = details as { path?: unknown; diff?: unknown };
  return typeof path === 'string' && typeof diff === 'string' ? [path] : [];
}

/** Null where a part has no known price: a sum without it would be too low. */
function costOf(before: View, after: View): number | null {
  if (after.spending.slice(before.spending.length).some(isUnpriced)) return null;
  return round(after.usage.cost.total - before.usage.cost.total);
}

/** Sums of prices without the dust of binary fractions. */
function round(dollars: number): number {
  return Number(dollars.toFixed(9));
}
