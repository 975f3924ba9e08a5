import type { PlanProgress, RunningTool, View } from '@black-ide/protocol';
import { plainText } from '@black-ide/workspace';
import { doing } from '../text/fact-line.ts';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';

/** Work that is over sooner is not worth a line of its own. */
const QUIET_MS = 300;
const MAX_TOOLS = 3;
const OUTPUT_LINES = 5;

/** Since when what is going on has been going on, in the clock's milliseconds. */
export class Since {
  readonly #since = new Map<string, number>();

  /** How long each has gone on; what is no longer named is forgotten. */
  of(names: readonly string[], now: number): (name: string) => number {
    for (const name of this.#since.keys()) if (!names.includes(name)) this.#since.delete(name);
    for (const name of names) if (!this.#since.has(name)) this.#since.set(name, now);
    return (name) => now - (this.#since.get(name) ?? now);
  }
}

interface ActivityFacts {
  columns: number;
  paint: Painter;
  since: Since;
  now: number;
  /** How far the task's own steps are. */
  plan?: PlanProgress;
}

/** What goes on right now: running tools with the end of their output, or that the model is at work. */
export function activityLines(
  { live }: Pick<View, 'live'>,
  { columns, paint, since, now, plan }: ActivityFacts,
): string[] {
  if (!live.running) {
    since.of([], now);
    return [];
  }
  const fitted = (text: string): string => paint.dim(fitWidth(text, columns));
  const lasting = since.of(['task', ...live.tools.map(({ callId }) => callId)], now);
  if (live.retry) {
    const { reason, delayMs, attempt } = live.retry;
    const seconds = Math.max(1, Math.round(delayMs / 1000));
    return [fitted(`↻ ${visibleLine(reason)}; trying again in ${seconds} s (${attempt})`)];
  }
  const steps = plan
    ? [fitted(visibleLine(`${plan.done} of ${plan.total} steps done${plan.current ? ` · ${plan.current}` : ''}`))]
    : [];
  const tools = live.tools.filter(({ callId }) => lasting(callId) >= QUIET_MS);
  if (tools.length === 0) {
    const what = live.text ? 'writing' : live.thinking ? 'thinking' : 'working';
    return [...steps, fitted(`… ${what}${time(lasting('task'))}`)];
  }
  const shown = tools.slice(0, MAX_TOOLS);
  const lines = shown.flatMap((tool) => [
    fitted(`… ${visibleLine(doing(tool))}${time(lasting(tool.callId))}`),
    ...outputLines(tool).map((line) => fitted(`  ${line}`)),
  ]);
  if (tools.length > shown.length) lines.push(fitted(`… and ${tools.length - shown.length} more`));
  return [...steps, ...lines];
}

/** The end of what a tool has printed so far, as a terminal would show it. */
function outputLines({ output }: RunningTool): string[] {
  if (output === '') return [];
  // Only the end is shown, so only the end is worked on: output may come by the megabyte.
  const lines = plainText(output.slice(-4_000)).trimEnd().split('\n');
  return lines.slice(-OUTPUT_LINES).map((line) => visibleText(line.replaceAll('\t', '  ')));
}

/** How long it has taken, from the third second on. */
function time(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 3) return '';
  return seconds < 60 ? ` · ${seconds} s` : ` · ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
