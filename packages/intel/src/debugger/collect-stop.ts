import { relative, sep } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import type { Handles } from './handles.ts';
import { type AdapterFrame, type AdapterVariable, field, framesOf, scopesOf, variablesOf } from './read-dap.ts';
import type { Frame, SourceExcerpt, StopReport, Variable } from './report.ts';
import type { SessionMember } from './session-member.ts';
import type { Stop } from './session-stops.ts';

/** What turns an adapter's answers into a report. */
export interface ReportFacts {
  /** The workspace, absolute. */
  root: string;
  frames: Handles<SessionMember>;
  values: Handles<SessionMember>;
  /** Functions whose call means that something has failed, beside those that a person wants to stop at. */
  failures: readonly string[];
  /** The text of a file for its lines; undefined where it is not to be shown. */
  readText(path: string): Promise<string | undefined>;
  signal: AbortSignal;
}

const MOST_FRAMES = 20;
/** Of a deep stack so much is asked for. */
const ASKED_FRAMES = 60;
const MOST_LOCALS = 30;
const MOST_VALUE = 200;
const MOST_TEXT = 1_500;
const LINES_AROUND = 5;
const MOST_LINE = 160;
/** Packages and what is built from elsewhere: code of the workspace's folder that is not the person's. */
const FOREIGN =
  /[\\/](node_modules|site-packages|dist-packages|\.venv|venv|vendor|target[\\/](debug|release)[\\/]build)[\\/]/;
const NO_LOCALS = /global|static|register/i;
/** Variables of a whole file: of interest where there are none closer by. */
const OF_FILE = /script|module/i;

/**
 * Asks for all that a stopped frame has to tell: the stack, the locals of the innermost frame of the person's code, the
 * lines around (INT-33). What the adapter fails to answer is said, not fatal.
 */
export async function collectStop(stop: Stop, facts: ReportFacts): Promise<Omit<StopReport, 'thread' | 'alsoStopped'>> {
  const { member, threadId, event } = stop;
  const problems: string[] = [];
  const attempt = async <T>(what: string, otherwise: T, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (cause) {
      problems.push(`${what}: ${BlackError.toValue(cause).message}`);
      return otherwise;
    }
  };
  const all = await attempt('the stack', [], () => stackOf(member, threadId, facts));
  const top = all.find(({ isUser }) => isUser) ?? all.find(({ isLabel }) => !isLabel);
  const locals = top && !top.isPast ? await attempt('the locals', [], () => localsOf(member, top, facts)) : [];
  const text = await attempt('the exception', '', () => exceptionText(stop, facts.signal));
  const source = top && (await attempt('the source', undefined, () => excerptOf(member, top, facts)));
  const said = (text || event.text || '').replaceAll(/\n\s+at .*/g, '');
  const failure = facts.failures.find((name) => name === all[0]?.name);
  return {
    reason: failure === undefined ? event.reason : 'exception',
    // The stack stands below.
    text: (said || failure || event.description || '').trimEnd().slice(0, MOST_TEXT),
    frames: all.slice(0, MOST_FRAMES),
    moreFrames: Math.max(0, all.length - MOST_FRAMES),
    top,
    locals: locals.slice(0, MOST_LOCALS),
    moreLocals: Math.max(0, locals.length - MOST_LOCALS),
    source,
    problems,
  };
}

/** The stack of a thread, the innermost frame first. */
export async function stackOf(member: SessionMember, threadId: number, facts: ReportFacts): Promise<Frame[]> {
  const asked = { threadId, startFrame: 0, levels: ASKED_FRAMES };
  const frames = framesOf(await member.request('stackTrace', asked, facts.signal));
  const now = frames.findIndex(({ hint }) => hint === 'label');
  return frames.map((frame, at) => ({ ...shownFrame(frame, member, facts), isPast: now >= 0 && at > now }));
}

/** A value as it is told to a model or a person, with a number where there is something in it. */
export function shownVariable(
  { name, value, type, reference }: AdapterVariable,
  member: SessionMember,
  values: Handles<SessionMember>,
): Variable {
  const short = value.length > MOST_VALUE ? `${value.slice(0, MOST_VALUE).toWellFormed()}…` : value;
  return { name, value: short, type, reference: reference > 0 ? values.of(member, reference) : 0 };
}

function shownFrame(frame: AdapterFrame, member: SessionMember, { root, frames }: ReportFacts): Omit<Frame, 'isPast'> {
  const { path, sourceName, sourceReference, name, line, column, hint, id } = frame;
  const isInside = path?.startsWith(root + sep) === true;
  const below = isInside ? relative(root, path!) : undefined;
  return {
    id: hint === 'label' ? 0 : frames.of(member, id),
    name: name.replace(/ \(Current frame\)$/, ''),
    path,
    sourceReference,
    place: below ?? path ?? sourceName ?? '',
    line,
    column,
    isUser: hint === 'normal' && isInside && !FOREIGN.test(`${sep}${below}`),
    isLabel: hint === 'label',
  };
}

async function localsOf(
  member: SessionMember,
  frame: Frame,
  { frames, values, signal }: ReportFacts,
): Promise<Variable[]> {
  const frameId = frames.get(frame.id).id;
  const scopes = scopesOf(await member.request('scopes', { frameId }, signal));
  const found = new Map<string, Variable>();
  for (const { name, reference, expensive } of scopes) {
    if (expensive || reference === 0 || NO_LOCALS.test(name) || found.size > MOST_LOCALS) continue;
    if (OF_FILE.test(name) && found.size > 0) continue;
    const asked = { variablesReference: reference, start: 0, count: MOST_LOCALS + 1 };
    for (const variable of variablesOf(await member.request('variables', asked, signal))) {
      // The name of an inner scope hides that of an outer one.
      if (!variable.isGroup && !found.has(variable.name))
        found.set(variable.name, shownVariable(variable, member, values));
    }
  }
  return [...found.values()];
}

async function exceptionText({ member, threadId, event }: Stop, signal: AbortSignal): Promise<string> {
  if (event.reason !== 'exception' || !member.can('supportsExceptionInfoRequest')) return '';
  const info = await member.request('exceptionInfo', { threadId }, signal);
  // debugpy explains itself in there.
  const id = (field(info, 'exceptionId', 'string') ?? '').replace(/\s*\(note: .*\)$/s, '');
  const description = field(info, 'description', 'string') ?? event.text ?? '';
  return description.startsWith(id) ? description : [id, description].filter(Boolean).join(': ');
}

async function excerptOf(
  member: SessionMember,
  { path, sourceReference, line }: Frame,
  { readText, signal }: ReportFacts,
): Promise<SourceExcerpt | undefined> {
  const told = async (): Promise<string | undefined> =>
    sourceReference > 0
      ? field(
          await member.request('source', { sourceReference, source: { sourceReference } }, signal),
          'content',
          'string',
        )
      : undefined;
  const text = path === undefined ? await told() : await readText(path);
  const lines = text?.split(/\r?\n/);
  if (!lines || line < 1 || line > lines.length) return undefined;
  const from = Math.max(1, line - LINES_AROUND);
  return { from, lines: lines.slice(from - 1, line + LINES_AROUND).map((each) => each.slice(0, MOST_LINE)) };
}
