import type { Engine } from '@black-ide/engine';
import { openRequests, type Request, type View } from '@black-ide/protocol';
import type { AnswerInvocation } from '../args/parse-invocation.ts';
import { CliFailure, EXIT, unwrap } from '../failure.ts';
import { followTask } from '../headless/follow-task.ts';
import { openWhereBegun } from '../headless/open-where-begun.ts';
import type { SessionFollower } from '../headless/session-follower.ts';
import { taskCommand } from '../headless/task-command.ts';
import type { Io } from '../io.ts';
import { requestLine } from '../text/request-text.ts';
import { visibleLine } from '../text/visible-text.ts';

/** The options that go on and those that do not, most usual first. */
const VALUES = {
  approve: ['allow', 'accept', 'approve', 'continue', 'yes', 'trust'],
  reject: ['deny', 'reject', 'stop', 'no', 'read-only'],
} as const;

/** `black approve` and `black reject`: answers a stopped session's question and goes on with its work. */
export function answer(invocation: AnswerInvocation, io: Io): Promise<number> {
  return taskCommand(invocation.output, io, async (context) => {
    const { autoApprove, approvePlan, trust, session, output } = invocation;
    const options = { face: 'headless', asks: 'stop', autoApprove, approvePlan, trust, needsHome: true } as const;
    const where = (folder: string) => `The question was asked in ${folder}; the work goes on there.`;
    const opened = await openWhereBegun(options, session, io, where);
    const { engine, sessionId } = opened;
    try {
      const start = ({ view }: SessionFollower): Promise<void> => answerAndResume(engine, view, invocation);
      return await followTask({ ...context, engine, sessionId, output, saved: true, start }, io);
    } finally {
      await opened.dispose();
    }
  });
}

async function answerAndResume(engine: Engine, view: View, invocation: AnswerInvocation): Promise<void> {
  const { sessionId } = view;
  const request = choose(view, invocation);
  const said = request.kind === 'ask_user' ? wordsOf(request, invocation) : verdictOn(request, invocation);
  unwrap(await engine.execute({ type: 'respond', sessionId, requestId: request.id, by: 'person', ...said }));
  const { resumed } = unwrap(await engine.execute({ type: 'resumeTask', sessionId }));
  if (resumed) return;
  throw new CliFailure({
    code: 'nothing_to_resume',
    message: 'The answer is recorded, but the task that asked had ended.',
    next: 'black -p -c "go on" goes on with the session.',
  });
}

/** The one question that is meant. Throws a CliFailure that lists them where that is not clear. */
function choose(view: View, { command, request: named }: AnswerInvocation): Request {
  const open = openRequests(view);
  if (open.length === 0) {
    throw new CliFailure({
      code: 'nothing_asked',
      message: `Nothing waits for an answer in the session ${view.sessionId}.`,
      next: `black sessions show ${view.sessionId} shows how it stands.`,
    });
  }
  const meant = named === undefined ? open : open.filter(({ id }) => id === named || id.startsWith(named));
  if (meant.length === 1) return meant[0]!;
  const listed = (meant.length > 0 ? meant : open).map(
    (request) => `\nblack ${command} ${view.sessionId} ${request.id}   ${requestLine(request)}`,
  );
  throw new CliFailure(
    {
      code: 'which_request',
      message: `${named === undefined ? 'Several questions wait' : `No single question is called ${JSON.stringify(named)}`}; choose one:${listed.join('')}`,
    },
    EXIT.usage,
  );
}

interface Answer {
  value: string;
  text?: string;
}

/** The answer to a question of the model: an option by its words or its number, or words of the person's own. */
function wordsOf({ id, title, options }: Request, { session, command, reason }: AnswerInvocation): Answer {
  if (command === 'reject') return { value: '', ...(reason ? { text: reason } : {}) };
  if (reason) {
    const wanted = reason.trim().toLowerCase();
    const byWords = options.find(({ value, label }) => [value, label].some((each) => each.toLowerCase() === wanted));
    const byNumber = /^\d{1,2}$/.test(wanted) ? options[Number(wanted) - 1] : undefined;
    return { value: (byWords ?? byNumber)?.value ?? reason };
  }
  throw new CliFailure({
    code: 'answer_needed',
    message: `The question "${visibleLine(title)}" needs an answer in words.`,
    next: `Say it so: black approve ${session} ${id} --reason "the answer"`,
  });
}

function verdictOn(request: Request, { command, reason, lasting }: AnswerInvocation): Answer {
  const value = lasting ? lastingValue(request, lasting) : answerValue(request, command);
  return { value, ...(reason ? { text: reason } : {}) };
}

function lastingValue({ title, options }: Request, lasting: 'session' | 'folder'): string {
  const value = lasting === 'session' ? 'allow-session' : 'allow-workspace';
  if (options.some((option) => option.value === value)) return value;
  throw new CliFailure({
    code: 'no_such_answer',
    message: `"${visibleLine(title)}" offers nothing that could be allowed from now on.`,
    next: 'Leave out --for: it is allowed this once then.',
  });
}

function answerValue(request: Request, command: 'approve' | 'reject'): string {
  const offered = request.options.map(({ value }) => value);
  const value = VALUES[command].find((each) => offered.includes(each));
  if (value) return value;
  throw new CliFailure({
    code: 'no_such_answer',
    message: `The question "${visibleLine(request.title)}" cannot be answered by black ${command}.`,
    next: `Its answers are: ${request.options.map(({ label }) => label).join(', ')}.`,
  });
}
