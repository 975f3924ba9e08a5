import type { Mode } from '../modes/mode.ts';
import type { ToolRegistry } from '../tools/registry.ts';

/** What may be used while a plan is made, beside every tool that only reads. Commands: see `Mode.readOnly`. */
const WHILE_PLANNING: ReadonlySet<string> = new Set([
  ...['run_command', 'web_search', 'web_fetch', 'call_tool'],
  ...['create_artifact', 'update_plan', 'ask_user', 'complete_task', 'cancel_task'],
]);

/** What planning itself needs, whatever the mode's own set is. */
const NEEDED = ['create_artifact', 'update_plan', 'ask_user', 'complete_task', 'cancel_task'];

/** Writes that are no change to the work: notes of the agent. */
const NOTES: ReadonlySet<string> = new Set(['create_artifact', 'remember']);

/** Whether a mode can change anything: only then is there something to plan. */
export function canWrite(mode: Mode, registry: ToolRegistry<never>): boolean {
  if (mode.readOnly) return false;
  return registry.all().some(({ name, access }) => {
    const changes = access === 'write' || access === 'execute';
    return changes && !NOTES.has(name) && !registry.withheld(name, mode);
  });
}

/** Whether a tool could change anything; nobody knows of an unknown one that it could not. */
export function mayChange(name: string, registry: ToolRegistry<never>): boolean {
  const access = registry.get(name)?.access;
  return access === undefined || access === 'write' || access === 'execute';
}

/** The chosen mode while its plan is made: the intersection of its tools and the plan set. */
export function planningMode(mode: Mode, registry: ToolRegistry<never>): Mode {
  const tools = registry
    .all()
    .filter(({ name, access }) => access === 'read' || WHILE_PLANNING.has(name))
    .filter(({ name }) => NEEDED.includes(name) || !registry.withheld(name, mode))
    .map(({ name }) => name);
  return { ...mode, tools, readOnly: true };
}

/** The chosen mode while it carries out a plan: its own tools, and those that tell of the plan. */
export function executingMode(mode: Mode, registry: ToolRegistry<never>): Mode {
  return { ...mode, tools: [...new Set([...(mode.tools ?? registry.names()), 'create_artifact', 'update_plan'])] };
}
