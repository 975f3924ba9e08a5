import type { Engine } from '@black-ide/engine';
import type { OutputFormat } from '../args/parse-invocation.ts';
import { type Io, printError } from '../io.ts';
import { costLine } from '../text/cost-line.ts';
import { painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import { printResult } from './print-result.ts';
import { type RunOutcome, runOutcome } from './run-outcome.ts';
import { type RunResult, runResult } from './run-result.ts';
import { SessionFollower } from './session-follower.ts';
import type { TaskContext } from './task-command.ts';
import { TaskListener } from './task-listener.ts';
import { printWaiting } from './waiting.ts';

export interface TaskToFollow extends TaskContext {
  engine: Engine;
  sessionId: string;
  output: OutputFormat;
  /** Whether the session is on disk, so that a later command finds it. */
  saved: boolean;
  /** Sets the session to work; throws where it cannot. */
  start(follower: SessionFollower): Promise<void>;
}

/** How long a cancelled task may take to end, in milliseconds. */
const CANCEL_MS = 1_000;

/** Follows a session's work to its end, prints the result and answers the exit code. */
export async function followTask(task: TaskToFollow, io: Io): Promise<number> {
  const { engine, sessionId, interrupts, output } = task;
  const listener = await TaskListener.create({ io, output });
  const follower = await SessionFollower.attach(engine, sessionId);
  try {
    const before = follower.view;
    follower.listener = (event) => listener.take(event);
    if (output === 'stream-json') io.out.onceClosed(() => interrupts.cancel());
    await untilIdle(task, follower, io);
    listener.clear();
    const { view, engineError } = follower;
    const outcome = runOutcome(view, before.items.length, { cancelled: interrupts.signal.aborted, engineError });
    const result = runResult(before, view, outcome, Math.round(io.world.clock.now() - task.startedAt));
    printResult(result, output, io);
    if (!io.out.isClosed) explain(task, outcome, io);
    if (io.err.isTerminal) printSummary(task, result, io);
    return outcome.exitCode;
  } finally {
    listener.clear();
    follower.dispose();
  }
}

/** For a person at the terminal: how to take back what was written, the documents to read, and what it cost. */
function printSummary({ sessionId, saved }: TaskToFollow, result: RunResult, { err, world }: Io): void {
  const { dim } = painter(world.env, true);
  const { files = [], artifacts = [], usage } = result;
  for (const path of artifacts) err.line(dim(`Written about it: ${visibleLine(path)}`));
  if (files.length > 0 && saved) {
    const what = files.length === 1 ? '1 file changed' : `${files.length} files changed`;
    err.line(dim(`${what} · take back: black undo ${sessionId.slice(0, 8)}`));
  }
  err.line(dim(costLine({ ...result, cost: usage.cost ?? 0, unpriced: usage.cost === null }, err.columns)));
}

/** Starts the work and waits for its end; an interrupt cancels it, and what takes too long after that is left behind. */
async function untilIdle(task: TaskToFollow, follower: SessionFollower, io: Io): Promise<void> {
  const { engine, sessionId } = task;
  const { signal } = task.interrupts;
  const gaveUp = Promise.withResolvers<void>();
  const patience = new AbortController();
  const stop = (): void => void engine.execute({ type: 'cancelTask', sessionId });
  const cancel = (): void => {
    stop();
    io.world.clock.sleep(CANCEL_MS, patience.signal).then(gaveUp.resolve, gaveUp.resolve);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const work = task.start(follower).then(() => {
      // An interrupt that came while the task was being started found nothing to cancel.
      if (signal.aborted) stop();
      return follower.whenIdle();
    });
    await Promise.race([work, gaveUp.promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
    patience.abort();
  }
}

/** Says on stderr why the task is not done, and the command that goes on. */
function explain(task: TaskToFollow, { error, note, requests }: RunOutcome, io: Io): void {
  if (requests.length > 0) printWaiting(task, requests, io);
  else if (error) printError(io, error);
  if (note) printError(io, { message: note });
}
