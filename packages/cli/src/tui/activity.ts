import type { RunningTool, View } from '@black-ide/protocol';
import { plainText } from '@black-ide/workspace';
import { doing } from '../text/fact-line.ts';
import { fitWidth, widthOf } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { wrap } from './wrap.ts';

/** Work that is over sooner is not worth a line of its own. */
const QUIET_MS = 300;
const MAX_TOOLS = 3;
const OUTPUT_LINES = 5;
const STOPS = ' · Ctrl+C stops';

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
}

/** What goes on right now: running tools with the end of their output, or that the model is at work. */
export function activityLines({ live }: Pick<View, 'live'>, { columns, paint, since, now }: ActivityFacts): string[] {
  if (!live.running) {
    since.of([], now);
    return [];
  }
  const fitted = (text: string): string => paint.dim(fitWidth(text, columns));
  // How long it takes, and what would stop it, stay on the line however long the command is.
  const running = (what: string, tail: string): string =>
    paint.dim(fitWidth(`… ${what}`, Math.max(columns - widthOf(tail), 8)) + tail);
  const waits = live.retry ? [retryName(live.retry)] : [];
  const lasting = since.of(['task', ...waits, ...live.tools.map(({ callId }) => callId)], now);
  if (live.retry) return retryLines(live.retry, columns, lasting(retryName(live.retry))).map(paint.dim);
  const tools = live.tools.filter(({ callId }) => lasting(callId) >= QUIET_MS);
  if (tools.length === 0) {
    const what = live.text ? 'writing' : live.thinking ? 'thinking' : 'working';
    return [fitted(`… ${what}${time(lasting('task'), STOPS)}`)];
  }
  const shown = tools.slice(0, MAX_TOOLS);
  const lines = shown.flatMap((tool) => [
    running(visibleLine(doing(tool)), time(lasting(tool.callId), tool === shown[0] ? STOPS : '')),
    ...outputLines(tool).map((line) => fitted(`  ${line}`)),
  ]);
  if (tools.length > shown.length) lines.push(fitted(`… and ${tools.length - shown.length} more`));
  return lines;
}

/** The end of what a tool has printed so far, as a terminal would show it. */
function outputLines({ output }: RunningTool): string[] {
  if (output === '') return [];
  // Only the end is shown, so only the end is worked on: output may come by the megabyte.
  const lines = plainText(output.slice(-4_000)).trimEnd().split('\n');
  return lines.slice(-OUTPUT_LINES).map((line) => visibleText(line.replaceAll('\t', '  ')));
}

/** How long it has taken, from the third second on, and then what else is to be known. */
function time(ms: number, more: string): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 3) return '';
  return ` · ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`}${more}`;
}

type Retry = NonNullable<View['live']['retry']>;

/** The wait for one attempt: the next one is another wait. */
function retryName({ attempt, delayMs }: Retry): string {
  return `retry ${attempt} ${delayMs}`;
}

/** How long it still waits, first and counting down; then why, in as many lines as it needs, at most three. */
function retryLines({ reason, delayMs, attempt }: Retry, columns: number, waited: number): string[] {
  const seconds = Math.max(0, Math.ceil((delayMs - waited) / 1000));
  const when = seconds > 0 ? `trying again in ${seconds} s` : 'trying again now';
  const lines = wrap(`${when} (attempt ${attempt + 1})${STOPS} · ${visibleLine(reason)}`, columns, '↻ ', '  ');
  return lines.length <= 3 ? lines : [...lines.slice(0, 2), fitWidth(`${lines[2]}…`, columns)];
}
