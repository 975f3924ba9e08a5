import {
  type ApprovedPlan,
  type CustomEntry,
  type CustomMessageEntry,
  customData,
  type Entry,
  isRecord,
  isRequestType,
  type MessageEntry,
  type Request,
  type Response,
  type TaskEnd,
} from '@black-ide/protocol';
import { ARTIFACT_KINDS, type ArtifactKind } from './artifacts.ts';

/** The messages that the planner puts into a conversation, by customType. */
export const PLAN_MESSAGES = {
  /** The plan is approved: carry it out. */
  approved: 'plan_approved',
  /** It is rejected: revise it. */
  feedback: 'plan_feedback',
  /** A map of the repository. */
  map: 'repo_map',
  /** Artifacts are missing. */
  missing: 'plan_missing',
  /** The walkthrough is missing; its details hold the end that the task had come to. */
  walkthrough: 'walkthrough_missing',
} as const;

/** An artifact as the newest call that wrote it left it. */
export interface WrittenArtifact {
  /** From the workspace root. */
  path: string;
  version: string;
}

/** Where a planned task stands; everything is read from the log (IDE-34). */
export interface PlanningState {
  phase: 'planning' | 'executing';
  artifacts: ReadonlyMap<ArtifactKind, WrittenArtifact>;
  /** What was written since the phase, or the newest planning run, began. */
  fresh: ReadonlySet<ArtifactKind>;
  /** The question that waits for its answer. */
  pending?: Request;
  /** The answer that began this phase or run; absent in the first. */
  answer?: Response;
  /** What was approved. */
  plan?: ApprovedPlan;
  /** The planner's messages since the phase or run began. */
  told: ReadonlySet<string>;
  /** The end that the task had come to before its walkthrough was asked for. */
  ended?: TaskEnd | undefined;
}

/** The state of the newest task of a path, from root to leaf; undefined where it is not a planned one, or is over. */
export function planningState(path: readonly Entry[]): PlanningState | undefined {
  const at = path.findLastIndex((entry) => customData(entry, 'task_start'));
  if (at < 0 || customData(path[at]!, 'task_start')?.planning !== true) return undefined;
  const artifacts = new Map<ArtifactKind, WrittenArtifact>();
  const asked = new Map<string, Request>();
  let plan: ApprovedPlan | undefined;
  let state: PlanningState = { phase: 'planning', artifacts, fresh: new Set(), told: new Set() };
  for (const entry of path.slice(at + 1)) {
    if (customData(entry, 'task_end')) return undefined;
    plan = approvedPlan(entry) ?? plan;
    if (plan?.carried) state = { ...state, phase: 'executing', plan };
    const request = planRequest(entry);
    if (request) {
      asked.set(request.id, request);
      state.pending = request;
    }
    const answer = customData(entry, 'response');
    if (answer?.kind === 'plan' && asked.delete(answer.requestId)) {
      const isApproved = answer.value === 'approve' && plan?.requestId === answer.requestId;
      const phase = isApproved ? 'executing' : 'planning';
      state = { phase, artifacts, fresh: new Set(), told: new Set(), answer, ...(isApproved && plan ? { plan } : {}) };
    }
    const written = writtenArtifact(entry);
    if (written) {
      artifacts.set(written.kind, written);
      state.fresh = new Set([...state.fresh, written.kind]);
    }
    if (entry.type === 'custom_message') {
      const { customType, details } = entry as CustomMessageEntry;
      state.told = new Set([...state.told, customType]);
      if (customType === PLAN_MESSAGES.walkthrough) state.ended = endIn(details) ?? state.ended;
    }
  }
  return state;
}

/**
 * Whether the newest task was to be planned and came to no plan that a person has said anything of: it failed, was cut off
 * or cancelled. A short “go on” then goes on with planning, not past it.
 */
export function planningBroke(path: readonly Entry[]): boolean {
  const at = path.findLastIndex((entry) => customData(entry, 'task_start'));
  if (at < 0 || customData(path[at]!, 'task_start')?.planning !== true) return false;
  return !path.slice(at + 1).some((entry) => {
    const answer = customData(entry, 'response');
    const isAnswered = answer?.kind === 'plan' && (answer.value === 'approve' || isFinalNo(answer));
    return isAnswered || approvedPlan(entry)?.carried === true || isOver(entry);
  });
}

/** The task came to an end of its own: there is nothing to go on with. */
function isOver(entry: Entry): boolean {
  const end = customData(entry, 'task_end');
  return end !== undefined && (end.code === 'no_plan' || end.outcome === 'completed');
}

/** The approved plan that the newest task did not bring to an end; undefined where there is none. */
export function unfinishedPlan(path: readonly Entry[]): ApprovedPlan | undefined {
  const at = path.findLastIndex((entry) => customData(entry, 'task_start'));
  const task = path.slice(Math.max(at, 0));
  const end = task.findIndex((entry) => customData(entry, 'task_end'));
  if (end < 0) return planningState(path)?.plan;
  const outcome = customData(task[end]!, 'task_end')?.outcome;
  return outcome === 'completed' ? undefined : planningState(path.slice(0, at + end))?.plan;
}

/** The plan that waits for a person on this path; undefined where none does. */
export function pendingPlan(path: readonly Entry[]): Request | undefined {
  return planningState(path)?.pending;
}

/** Whether an answer ends the task: a no without words, or one that the policy gave. */
export function isFinalNo({ value, text, by }: Response): boolean {
  return value !== 'approve' && (!text?.trim() || by === 'policy');
}

function endIn(details: unknown): TaskEnd | undefined {
  const end = isRecord(details) ? details.end : undefined;
  return isRecord(end) && typeof end.outcome === 'string' && typeof end.message === 'string'
    ? (end as unknown as TaskEnd)
    : undefined;
}

function planRequest(entry: Entry): Request | undefined {
  if (entry.type !== 'custom' || !isRequestType((entry as CustomEntry).customType)) return undefined;
  const request = (entry as CustomEntry).data as Request | undefined;
  return request?.kind === 'plan' && typeof request.id === 'string' ? request : undefined;
}

function approvedPlan(entry: Entry): ApprovedPlan | undefined {
  const plan = customData(entry, 'approved_plan');
  const isWhole = typeof plan?.implementationPlan === 'string' && typeof plan.taskList === 'string';
  return isWhole && Array.isArray(plan.edited) ? plan : undefined;
}

function writtenArtifact(entry: Entry): (WrittenArtifact & { kind: ArtifactKind }) | undefined {
  const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
  if (message?.role !== 'toolResult' || message.toolName !== 'create_artifact' || message.isError) return undefined;
  const { artifact, path, file } = isRecord(message.details) ? message.details : {};
  const kind = ARTIFACT_KINDS.find((each) => each === artifact);
  if (!kind || typeof path !== 'string' || !isRecord(file)) return undefined;
  return { kind, path, version: String(file.version) };
}
