import type { View, ViewItem } from './view.ts';

/** The path of view items from a root to the leaf, oldest first. A cycle in a damaged log is cut, not followed. */
export function timeline(view: View, leafId: string | null = view.leafId): ViewItem[] {
  const byEntry = new Map<string, ViewItem[]>();
  for (const item of view.items) {
    const same = byEntry.get(item.entry.id);
    if (same) same.push(item);
    else byEntry.set(item.entry.id, [item]);
  }
  const path: ViewItem[] = [];
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const items = byEntry.get(id);
    if (!items) break;
    path.push(...items.toReversed());
    id = items[0]!.entry.parentId;
  }
  return path.reverse();
}

/** The questions that wait for an answer, oldest first. */
export function openRequests(view: View): View['requests'][string]['request'][] {
  return Object.values(view.requests)
    .filter((state) => !state.response)
    .map((state) => state.request);
}

export type TaskStatus = 'idle' | 'running' | 'waiting';

/** What the log says of the task on the active path: begun and not ended means running, or waiting for a person. */
export function taskStatus(view: View): TaskStatus {
  const path = timeline(view);
  const last = path.findLast((item) => item.kind === 'taskStart' || item.kind === 'taskEnd');
  if (last?.kind !== 'taskStart') return 'idle';
  // Questions of branches that were left do not hold this one up.
  const asked = new Set(path.map((item) => (item.kind === 'request' ? item.request.id : undefined)));
  return openRequests(view).some((request) => asked.has(request.id)) ? 'waiting' : 'running';
}
