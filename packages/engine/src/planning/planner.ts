import {
  BlackError,
  type Entry,
  isRecord,
  type MessageEntry,
  type NewEntry,
  type Request,
  type Response,
  type TaskEnd,
  textOf,
} from '@black-ide/protocol';
import { PLAN_TEXTS } from '../context/plan-texts.ts';
import { appendCustom, isCancelled } from '../loop/session-port.ts';
import { assistantOf, callsOf, taskState } from '../loop/task-state.ts';
import type { AgentSession } from '../session/agent-session.ts';
import { PLAN_ARTIFACTS } from './artifacts.ts';
import { endWithoutPlan, saidInstead } from './no-plan.ts';
import { plannedRequest } from './planned-request.ts';
import { isFinalNo, PLAN_MESSAGES, type PlanningState, pendingPlan, planningState } from './planning-state.ts';
import type { SessionArtifacts } from './session-artifacts.ts';

export interface PlannerParts {
  artifactsOf(session: AgentSession): SessionArtifacts;
  /** A person has approved in advance whatever plan there will be (`--approve-plan`). */
  approvePlan: boolean;
  /** The face, as it is logged with an answer. */
  face: string;
  /** Whether a tool of that name could change anything. */
  changes(tool: string): boolean;
  /** A map of the repository, seen from a request; undefined where there is none, or not soon. */
  map(request: string, signal: AbortSignal): Promise<string | undefined>;
}

/** What a run does next: go round the loop, or stand still at a question, or end. */
export type PlannerStep = 'go' | 'waiting' | TaskEnd;

/**
 * Takes a planned task through its phases (IDE-31 … 34): plan, question, execution, walkthrough. It keeps no state: each
 * step is derived from the log, so that a run that was killed, or answered a week later, goes on where it stood.
 */
export class Planner {
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /** Before the loop runs: acts on the answer that was given, and tells the model of it. */
  async before(session: AgentSession, signal: AbortSignal): Promise<PlannerStep> {
    const state = planningState(session.path());
    if (!state) return 'go';
    if (state.pending) return await this.#settle(session, state.pending, signal);
    const { answer, told } = state;
    if (state.phase === 'executing') {
      if (!told.has(PLAN_MESSAGES.approved)) tell(session, PLAN_MESSAGES.approved, PLAN_TEXTS.approved);
      return 'go';
    }
    if (answer && isFinalNo(answer)) return rejected(answer);
    await this.#tellMap(session, signal);
    if (answer && !told.has(PLAN_MESSAGES.feedback)) tell(session, PLAN_MESSAGES.feedback, PLAN_TEXTS.feedback(answer));
    return 'go';
  }

  /** Whether the plan is made and only its question is missing, after a kill: the model is not asked again then. */
  isPlanned(path: readonly Entry[]): boolean {
    const state = planningState(path);
    if (state?.phase !== 'planning' || state.pending || missing(state).length > 0) return false;
    const last = path.findLast((entry) => entry.type === 'message' || entry.type === 'custom_message');
    return last !== undefined && assistantOf(last)?.stopReason === 'stop' && callsOf(last).length === 0;
  }

  /** After the loop has come to an end, or stands at a question of its own (undefined). */
  async after(session: AgentSession, end: TaskEnd | undefined, signal: AbortSignal): Promise<PlannerStep> {
    const state = planningState(session.path());
    if (!end) return 'waiting';
    if (!state) return end;
    return state.phase === 'planning'
      ? await this.#afterPlanning(session, state, end, signal)
      : await this.#afterExecution(session, state, end, signal);
  }

  /**
   * A person's answer to a plan. What they approve is what is on disk at this moment; it is logged before the answer, so
   * that nothing is lost whatever fails on the way, and the plan then still waits.
   * @throws BlackError `answered`, `unknown_request`, `bad_answer`, `artifact_…`, or why the log could not be written.
   */
  async answer(session: AgentSession, request: Request, { value, by, text }: Pick<Response, 'value' | 'by' | 'text'>) {
    if (value === 'approve') {
      const written = planningState(session.path())?.artifacts ?? new Map();
      const plan = await this.#parts.artifactsOf(session).approved(request, written, new AbortController().signal);
      // Another face may have answered while the files were read.
      if (pendingPlan(session.path())?.id === request.id) appendCustom(session, 'approved_plan', plan);
    }
    session.respond(request.id, value, by, text);
  }

  /** Drops the plan that waits, e.g. because another thread was opened; the session is idle then (IDE-35). */
  discard(session: AgentSession, why: string): void {
    const pending = pendingPlan(session.path());
    if (!pending || session.running || session.manager.readOnly) return;
    session.respond(pending.id, 'reject', 'policy', why);
    session.end({ outcome: 'cancelled', message: `The plan was dropped. ${why}`, code: 'plan_dropped' });
  }

  /**
   * Shows the model a map of the repository, once a task. It is a message of the log, so that every later request begins
   * with the same bytes, also in another process.
   */
  async #tellMap(session: AgentSession, signal: AbortSignal): Promise<void> {
    const request = plannedRequest(session.path());
    if (request === undefined) return;
    try {
      const map = await this.#parts.map(request, signal);
      if (map) tell(session, PLAN_MESSAGES.map, PLAN_TEXTS.map(map));
    } catch (cause) {
      if (signal.aborted) return;
      const message = `The plan is made without a map of the repository: ${BlackError.toValue(cause).message}`;
      session.emit({ type: 'DiagnosticReported', level: 'warning', message });
    }
  }

  async #afterPlanning(
    session: AgentSession,
    state: PlanningState,
    end: TaskEnd,
    signal: AbortSignal,
  ): Promise<PlannerStep> {
    if (end.outcome !== 'completed') return end;
    const lacking = missing(state);
    if (lacking.length > 0) {
      const { changes } = this.#parts;
      if (state.told.has(PLAN_MESSAGES.missing))
        return endWithoutPlan(session.path(), state, { lacking, end, changes });
      tell(session, PLAN_MESSAGES.missing, PLAN_TEXTS.missing(lacking), saidInstead(end));
      const message = `The model ended without ${lacking.join(' and ')}; it is asked once more.`;
      session.emit({ type: 'DiagnosticReported', level: 'warning', message });
      return 'go';
    }
    const artifacts = await this.#parts.artifactsOf(session).previews(signal);
    // What was said in the meantime steers the plan before it is shown.
    if (session.hasQueued) return 'go';
    const task = taskState(session.path())?.start;
    const response = await session.ask(
      {
        kind: 'plan',
        title: 'Carry out this plan?',
        payload: { mode: task?.mode ?? '', summary: end.message || lastWords(session.path()), artifacts },
        options: [
          { value: 'approve', label: 'Approve & Execute' },
          { value: 'reject', label: 'Reject & Revise' },
        ],
        default: 'reject',
      },
      signal,
    );
    if (response) return 'go';
    return await this.#settle(session, pendingPlan(session.path())!, signal);
  }

  /** A plan waits: it stays so, unless it was approved in advance. */
  async #settle(session: AgentSession, request: Request, signal: AbortSignal): Promise<PlannerStep> {
    if (!this.#parts.approvePlan || isCancelled(signal)) return 'waiting';
    try {
      await this.answer(session, request, { value: 'approve', by: this.#parts.face, text: 'approved in advance' });
      return 'go';
    } catch (cause) {
      const { message, next = '' } = BlackError.toValue(cause);
      const told = `The plan could not be approved: ${message} ${next}`.trim();
      session.emit({ type: 'DiagnosticReported', level: 'error', message: told });
      return 'waiting';
    }
  }

  async #afterExecution(
    session: AgentSession,
    state: PlanningState,
    end: TaskEnd,
    signal: AbortSignal,
  ): Promise<PlannerStep> {
    const done = state.ended ?? (end.outcome === 'completed' ? end : undefined);
    if (!done || isCancelled(signal)) return end;
    if (state.fresh.has('walkthrough')) return done;
    const path = session.path();
    const task = taskState(path);
    const mayAsk = state.ended === undefined && task !== undefined && task.iterations < task.limit;
    if (mayAsk) {
      session.append({
        type: 'custom_message',
        customType: PLAN_MESSAGES.walkthrough,
        content: PLAN_TEXTS.walkthrough,
        display: false,
        details: { end },
      });
      return 'go';
    }
    return await this.#writeWalkthrough(session, done, signal);
  }

  /** The task is done: that its walkthrough cannot be written does not make it fail. */
  async #writeWalkthrough(session: AgentSession, done: TaskEnd, signal: AbortSignal): Promise<TaskEnd> {
    const text = PLAN_TEXTS.mechanicalWalkthrough(done.message, changedFiles(session.path()));
    const tellPerson = (level: 'info' | 'warning', message: string) =>
      session.emit({ type: 'DiagnosticReported', level, message });
    try {
      const { path } = await this.#parts.artifactsOf(session).write('walkthrough', text, signal);
      tellPerson('info', `The model wrote no walkthrough; ${path} is from the log.`);
    } catch (cause) {
      tellPerson('warning', `There is no walkthrough: ${BlackError.toValue(cause).message}`);
    }
    return done;
  }
}

function lastWords(path: readonly Entry[]): string {
  const answer = path.findLast((entry) => assistantOf(entry));
  return answer ? textOf(assistantOf(answer)!.content) : '';
}

/** The artifacts that this planning run has yet to write; a revision has to change at least one. */
function missing({ artifacts, fresh }: PlanningState): string[] {
  const lacking = PLAN_ARTIFACTS.filter((kind) => !artifacts.has(kind));
  if (lacking.length > 0 || PLAN_ARTIFACTS.some((kind) => fresh.has(kind))) return lacking;
  return ['a revised implementation_plan'];
}

function tell(session: AgentSession, customType: string, content: string, details?: Record<string, unknown>): void {
  const more = details ? { details } : {};
  const entry: NewEntry = { type: 'custom_message', customType, content, display: false, ...more };
  session.append(entry);
}

function rejected({ by, text }: Response): TaskEnd {
  const why = by === 'policy' && text ? ` ${text}` : '';
  return {
    outcome: 'cancelled',
    message: `The plan was rejected; nothing was changed.${why}`,
    code: 'plan_rejected',
  };
}

/** The files that tools say they changed since the plan was approved. */
function changedFiles(path: readonly Entry[]): string[] {
  const since = path.findLastIndex(
    (entry) => entry.type === 'custom' && 'customType' in entry && entry.customType === 'approved_plan',
  );
  const files = path.slice(since + 1).flatMap((entry) => {
    const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
    if (message?.role !== 'toolResult' || message.isError || !isRecord(message.details)) return [];
    const { path: file, diff, artifact, files: several } = message.details;
    if (Array.isArray(several)) return several.flatMap((each) => (isRecord(each) ? [String(each.path)] : []));
    return typeof file === 'string' && typeof diff === 'string' && artifact === undefined ? [file] : [];
  });
  return [...new Set(files)];
}
