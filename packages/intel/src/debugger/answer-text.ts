import type { BreakpointState, DebugAnswer, Frame, SourceExcerpt, StopReport, Thread, Variable } from './report.ts';

/** Frames that are not the person's code are counted where more of them follow each other. */
const SHOWN_IN_A_ROW = 2;

/** An answer as text, for a model and for a terminal: how it stands, what it printed, what is wrong with breakpoints. */
export function answerText({ title, outcome, output, dropped, breakpoints }: DebugAnswer): string {
  const parts: string[] = [];
  if (outcome.state === 'stopped') parts.push(stopText(outcome.stop));
  else if (outcome.state === 'running') parts.push(`${title} is running; it has not stopped yet.`);
  else parts.push(endText(title, outcome));
  const printed = output.trimEnd();
  if (printed)
    parts.push(
      [dropped > 0 ? `Output (${dropped} characters before it are left out):` : 'Output:', printed].join('\n'),
    );
  // Where a person has ended it, it does not matter any more.
  const matters = outcome.state !== 'ended' || outcome.why === undefined;
  const wrong = matters ? breakpoints.filter(({ verified }) => !verified) : [];
  if (wrong.length > 0) parts.push(wrong.map(breakpointText).join('\n'));
  return parts.join('\n\n');
}

/** A stopped program: why, where, the lines around, the locals, the stack. */
function stopText(stop: StopReport): string {
  const { reason, text, thread, top, frames, moreFrames, locals, moreLocals, source, alsoStopped, problems } = stop;
  const [first = '', ...rest] = text.split('\n');
  const where = top ? `at ${frameText(top)}` : '';
  const head = [
    `Stopped (${reason})${first ? `: ${first}` : ''}`,
    ...rest,
    `${where}  [thread ${thread.id}: ${thread.name}]`,
  ];
  const parts = [head.join('\n').trimEnd()];
  if (source && top) parts.push(sourceText(source, top.line));
  if (locals.length > 0) {
    const more = moreLocals > 0 ? [`  … ${moreLocals} more`] : [];
    parts.push(['Locals:', ...locals.map((each) => `  ${variableText(each)}`), ...more].join('\n'));
  }
  if (frames.length > 0) parts.push(['Stack:', ...stackLines(frames, moreFrames)].join('\n'));
  if (alsoStopped.length > 0) parts.push(`Also stopped: ${alsoStopped.map(threadText).join(', ')}`);
  if (problems.length > 0) parts.push(problems.map((problem) => `[${problem}]`).join('\n'));
  return parts.join('\n\n');
}

/**
 * One line for each frame; rows of frames that are not the person's are counted. Of the parts behind an `await` or a
 * callback only the person's frames are told.
 */
export function stackLines(frames: readonly Frame[], more = 0): string[] {
  const lines: string[] = [];
  let foreign: Frame[] = [];
  let label: Frame | undefined;
  const flush = (): void => {
    const shown = foreign.length > SHOWN_IN_A_ROW ? foreign.slice(0, 1) : foreign;
    const left = foreign.length - shown.length;
    lines.push(...shown.map(stackLine), ...(left > 0 ? [`     … ${left} not of this workspace`] : []));
    foreign = [];
  };
  for (const frame of frames) {
    if (frame.isLabel) {
      flush();
      label = frame;
    } else if (frame.isUser) {
      flush();
      if (label) lines.push(`     — ${label.name} —`);
      label = undefined;
      lines.push(stackLine(frame));
    } else if (!frame.isPast) foreign.push(frame);
  }
  flush();
  return more > 0 ? [...lines, `     … ${more} more`] : lines;
}

/** When a session is ended, whatever it does. */
export function deadlineText({ leftMs }: DebugAnswer): string {
  const seconds = Math.ceil(leftMs / 1000);
  return `[the session is ended in ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}]`;
}

export function variableText({ name, value, type, reference }: Variable): string {
  const shown = value === '' ? type : value;
  return `${name}${shown ? ` = ${shown}` : ''}${reference > 0 ? `  [ref ${reference}]` : ''}`;
}

export function threadText({ id, name, stopped }: Thread): string {
  return `thread ${id} (${name}${stopped ? ', stopped' : ''})`;
}

function stackLine(frame: Frame): string {
  return `  ${`#${frame.id}`.padEnd(4)} ${frameText(frame)}`;
}

function frameText({ name, place, line, column }: Frame): string {
  const at = line > 0 ? `${place}:${line}${column > 0 ? `:${column}` : ''}` : place;
  return at ? `${name} (${at})` : name;
}

function sourceText({ from, lines }: SourceExcerpt, current: number): string {
  const width = String(from + lines.length - 1).length;
  return lines
    .map((line, at) => `${from + at === current ? '>' : ' '} ${String(from + at).padStart(width)} | ${line}`.trimEnd())
    .join('\n');
}

function endText(title: string, outcome: DebugAnswer['outcome'] & { state: 'ended' }): string {
  const { exitCode, why, words } = outcome;
  const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  const how = {
    deadline: `The time of the debug session is over: ${title} and its debugger were ended.`,
    stopped: `The debug session was ended, and ${title} with it.`,
    adapter: `The debugger has died; ${title} was ended with it.`,
  };
  const line = why === undefined ? `${title} has ended${code}.` : how[why];
  return [line, words].filter(Boolean).join('\n');
}

function breakpointText({ place, line, message }: BreakpointState): string {
  const where = line === undefined || place.endsWith(`:${line}`) ? '' : ` (line ${line})`;
  return `[breakpoint ${place}${where} is not set yet: ${message ?? 'its code is not loaded'}]`;
}
