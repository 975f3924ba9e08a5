import {
  type CustomMessageEntry,
  customData,
  type Entry,
  type MessageEntry,
  textOf,
  userContent,
} from '@black-ide/protocol';
import { PLAN_MESSAGES } from './planning-state.ts';

/**
 * What the newest task of a path was asked for, as long as nothing has been said or shown to its planner; undefined
 * afterwards.
 */
export function plannedRequest(path: readonly Entry[]): string | undefined {
  const at = path.findLastIndex((entry) => customData(entry, 'task_start'));
  const since = path.slice(Math.max(at, 0));
  const messageId = customData(since[0]!, 'task_start')?.messageId;
  if (messageId === undefined || since.some(isPlannersOwn)) return undefined;
  const asked = path.find(({ id }) => id === messageId);
  const message = asked?.type === 'message' ? (asked as MessageEntry).message : undefined;
  return message?.role === 'user' ? textOf(userContent(message.content)) : undefined;
}

function isPlannersOwn(entry: Entry): boolean {
  if (entry.type === 'message') return (entry as MessageEntry).message?.role !== 'user';
  return entry.type === 'custom_message' && (entry as CustomMessageEntry).customType === PLAN_MESSAGES.map;
}
