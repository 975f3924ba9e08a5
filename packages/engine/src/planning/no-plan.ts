import {
  type CustomMessageEntry,
  customData,
  type Entry,
  isRecord,
  type MessageEntry,
  type TaskEnd,
} from '@black-ide/protocol';
import { PLAN_MESSAGES, type PlanningState } from './planning-state.ts';

/** How much of what was said is kept in the log beside the reminder, and in an error, in characters. */
const MAX_WORDS = 4_000;

/** What is kept beside the reminder that artifacts are missing: what was said instead of them. */
export function saidInstead({ message }: TaskEnd): { said: string } {
  return { said: clipped(message) };
}

/**
 * The end of a planning run that came to no plan although the model was reminded (IDE-31). Where it wrote no artifact and
 * tried to change nothing, the request asked for words: they are its answer. Else it failed, and what was said is not lost.
 * @param changes whether a tool of that name could change anything; an unknown one could.
 */
export function endWithoutPlan(
  path: readonly Entry[],
  state: PlanningState,
  { lacking, end, changes }: { lacking: readonly string[]; end: TaskEnd; changes: (tool: string) => boolean },
): TaskEnd {
  const at = path.findLastIndex((entry) => customData(entry, 'task_start'));
  const task = path.slice(at + 1);
  const words = together(firstWords(task), end.message.trim());
  if (words !== '' && state.artifacts.size === 0 && !task.some((entry) => triedToChange(entry, changes))) {
    const note = 'No plan was made; nothing was changed.';
    const isCut = end.code === 'cut_short' && end.next;
    return { outcome: 'completed', message: words, code: 'no_plan', next: isCut ? `${note} ${end.next}` : note };
  }
  const said = clipped(words);
  return {
    outcome: 'failed',
    message: `The model ended without ${lacking.join(' and ')}, twice; nothing was changed.${said ? ` It said: ${said}` : ''}`,
    code: 'no_plan',
    next: 'Ask again: “/ask …” for an answer alone, “/direct …” to have it done without a plan.',
  };
}

/** What was said before the reminder. */
function firstWords(task: readonly Entry[]): string {
  const reminder = task.findLast(
    (entry) => entry.type === 'custom_message' && (entry as CustomMessageEntry).customType === PLAN_MESSAGES.missing,
  ) as CustomMessageEntry | undefined;
  const said = isRecord(reminder?.details) ? reminder.details.said : undefined;
  return typeof said === 'string' ? said.trim() : '';
}

/** Both answers; one that the other repeats is told once. */
function together(first: string, second: string): string {
  if (second.includes(first)) return second;
  return second === '' || first.includes(second) ? first : `${first}\n\n${second}`;
}

/** A call that would have changed something and was refused, or an artifact that could not be written. */
function triedToChange(entry: Entry, changes: (tool: string) => boolean): boolean {
  const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
  if (message?.role !== 'toolResult' || !message.isError) return false;
  if (message.toolName === 'create_artifact') return true;
  return isRecord(message.details) && message.details.refused === true && changes(message.toolName);
}

function clipped(words: string): string {
  return words.trim().slice(0, MAX_WORDS).toWellFormed();
}
