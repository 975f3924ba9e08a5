import type { AnswerPage, GraphAnswer } from '@black-ide/intel';
import type { GraphInvocation } from '../args/parse-code.ts';
import { relativeName } from '../code/relative-name.ts';
import { type OpenedCode, withCode } from '../code/with-code.ts';
import { EXIT } from '../failure.ts';
import { type Io, printError } from '../io.ts';
import { pageLines } from '../text/page-lines.ts';
import { painter } from '../text/painter.ts';

/** So many of each list a person is shown; a program that reads JSON gets all. */
const SHOWN = 50;
const SHOWN_OF_MANY = 12;
const ALL = 1_000_000;

/** `black graph`: what a symbol or a file is, and what depends on it (INT-2, INT-6). */
export function graph(invocation: GraphInvocation, io: Io): Promise<number> {
  return withCode(io, async (code) => {
    const { answerPage, graphDot } = await import('@black-ide/intel');
    const answer = await ask(code, invocation);
    if (invocation.output === 'json') io.out.line(JSON.stringify(answer, undefined, 2));
    else if (answer.status !== 'ok') tellUndecided(answer, answerPage(answer), io);
    else if (invocation.output === 'dot') io.out.line(graphDot(code.intel, answer));
    else print(answerPage(answer), io);
    return answer.status === 'ok' ? EXIT.done : answer.status === 'unknown' ? EXIT.failed : EXIT.usage;
  });
}

async function ask({ intel, signal }: OpenedCode, invocation: GraphInvocation): Promise<GraphAnswer> {
  const { askGraph } = await import('@black-ide/intel');
  const {
    action,
    of,
    to,
    depth,
    output,
    limit = output === 'text' ? (action === 'explain' ? SHOWN_OF_MANY : SHOWN) : ALL,
  } = invocation;
  return askGraph(intel, {
    action,
    ...(of === undefined ? {} : { of: relativeName(of, intel.root) }),
    ...(to === undefined ? {} : { to: relativeName(to, intel.root) }),
    ...(depth === undefined ? {} : { depth }),
    limit,
    signal,
  });
}

function print(page: AnswerPage, io: Io): void {
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  for (const line of pageLines(page, columns, painter(io.world.env, io.out.isTerminal))) io.out.line(line);
}

/** Nothing, or several things, have that name: no answer, so it goes to stderr. */
function tellUndecided({ status, candidates }: GraphAnswer, { sections, notes }: AnswerPage, io: Io): void {
  const [message = ''] = notes;
  const first = candidates?.items[0];
  const next = first && status === 'ambiguous' ? `black graph ${first.path}:${first.line}` : undefined;
  printError(io, { message, ...(next ? { next } : {}) });
  const columns = io.err.isTerminal ? io.err.columns : Number.POSITIVE_INFINITY;
  const paint = painter(io.world.env, io.err.isTerminal);
  for (const line of pageLines({ head: undefined, sections, notes: [] }, columns, paint)) io.err.line(line);
}
