import type { Usage } from '../messages.ts';
import { zeroUsage } from '../messages.ts';
import { addUsage } from './reduce.ts';
import type { Spending, View } from './view.ts';

export interface Costs {
  /** The whole session, abandoned branches included: spent is spent. */
  total: Usage;
  /** What the money went to: `turn`, `compaction`, or the type of another entry that cost something. */
  bySource: Record<string, Usage>;
  /** By `provider/model`. */
  byModel: Record<string, Usage>;
  /** Each task with its turns, oldest first; what was spent between two tasks belongs to none. */
  tasks: TaskCosts[];
}

export interface TaskCosts {
  /** The entry id of the message that began it. */
  messageId: string;
  usage: Usage;
  /** Answers of the model. */
  turns: number;
  bySource: Record<string, Usage>;
  /** Every single expense, oldest first. */
  spending: Spending[];
}

/** What a session has cost, from the providers' own numbers, by source, model, task and turn (IDE-24). Pure. */
export function costs(view: View): Costs {
  const found: Costs = { total: view.usage, bySource: {}, byModel: {}, tasks: [] };
  const tasks = tasksByEntry(view);
  const known = new Map<string, TaskCosts>();
  for (const spent of view.spending) {
    add(found.bySource, spent.source, spent.usage);
    add(found.byModel, spent.provider ? `${spent.provider}/${spent.model}` : 'unknown', spent.usage);
    const messageId = tasks.get(spent.entryId);
    if (messageId === undefined) continue;
    let task = known.get(messageId);
    if (!task) {
      task = { messageId, usage: zeroUsage(), turns: 0, bySource: {}, spending: [] };
      known.set(messageId, task);
      found.tasks.push(task);
    }
    task.usage = addUsage(task.usage, spent.usage);
    if (spent.source === 'turn') task.turns += 1;
    add(task.bySource, spent.source, spent.usage);
    task.spending.push(spent);
  }
  return found;
}

/** Providers that cost nothing by their nature: nothing leaves the machine. */
const FREE = ['offline', 'ollama'];

/** Whether something was used of which nobody knows what it costs: the sum of what is known is then too low. */
export function isUnpriced({ provider, usage }: Spending): boolean {
  const used = usage.input + usage.cacheRead + usage.cacheWrite + usage.output > 0;
  return used && usage.cost.total === 0 && !FREE.includes(provider);
}

/** The task that each entry belongs to, by the message that began it: a session has one task at a time. */
function tasksByEntry(view: View): Map<string, string> {
  const tasks = new Map<string, string>();
  let task: string | undefined;
  for (const item of view.items) {
    if (item.kind === 'taskStart') task = item.messageId;
    else if (item.kind === 'taskEnd') task = undefined;
    else if (task !== undefined) tasks.set(item.entry.id, task);
  }
  return tasks;
}

/** Keys come from files: `__proto__` must not become a prototype. */
function add(record: Record<string, Usage>, key: string, usage: Usage): void {
  const sum = addUsage(Object.hasOwn(record, key) ? record[key]! : zeroUsage(), usage);
  Object.defineProperty(record, key, { value: sum, enumerable: true, writable: true, configurable: true });
}
