import type { Engine } from '@black-ide/engine';
import type { EngineEvent } from '@black-ide/protocol';
import type { OutputFormat } from '../args/parse-invocation.ts';
import { type Io, printError } from '../io.ts';
import { costLine } from '../text/cost-line.ts';
import { canPaint, painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import { printResult } from './print-result.ts';
import { Progress } from './progress.ts';
import { type RunOutcome, runOutcome } from './run-outcome.ts';
import { runResult } from './run-result.ts';
import { SessionFollower } from './session-follower.ts';
import type { TaskContext } from './task-command.ts';
import { printWaiting } from './waiting.ts';

export interface TaskToFollow extends TaskContext {
  engine: Engine;
  sessionId: string;
  output: OutputFormat;
  /** Whether the session is on disk, so that a later command finds it. */
  saved: boolean;
  /** US dollars that the task may cost; absent: no ceiling. */
  maxCost?: number;
  /** Sets the session to work; throws where it cannot. */
  start(follower: SessionFollower): Promise<void>;
}

/** How long a cancelled task may take to end, in milliseconds. */
const CANCEL_MS = 1_000;

/** Events whose content comes again in a durable one. */
const DELTAS: ReadonlySet<string> = new Set(['TextDelta', 'ThinkingDelta', 'ToolOutput']);

/** Follows a session's work to its end, prints the result and answers the exit code. */
export async function followTask(task: TaskToFollow, io: Io): Promise<number> {
  const { engine, sessionId, interrupts, output } = task;
  const { env, clock } = io.world;
  const follower = await SessionFollower.attach(engine, sessionId);
  const paint = painter(env, io.err.isTerminal);
  const progress = new Progress(io.err, paint, canPaint(env, io.err.isTerminal));
  try {
    const before = follower.view;
    let toldOfPrice = task.maxCost === undefined;
    follower.listener = (event) => {
      if (output === 'stream-json') streamEvent(event, io);
      if (event.type === 'DiagnosticReported' && event.level !== 'info') {
        progress.line(`black: ${visibleLine(event.message)}`);
      }
      if (!toldOfPrice && isUnpriced(event)) {
        toldOfPrice = true;
        progress.line(
          `black: No price is known for ${event.provider}/${event.model}: --max-cost cannot stop this run.`,
        );
      }
      if (io.err.isTerminal) progress.take(event);
    };
    if (output === 'stream-json') io.out.onceClosed(() => interrupts.cancel());
    await untilIdle(task, follower, io);
    progress.clear();
    const { view, engineError } = follower;
    const outcome = runOutcome(view, before.items.length, { cancelled: interrupts.signal.aborted, engineError });
    const result = runResult(before, view, outcome, Math.round(clock.now() - task.startedAt));
    printResult(result, output, io);
    if (!io.out.isClosed) explain(task, outcome, io);
    if (io.err.isTerminal) io.err.line(paint.dim(costLine({ ...result, cost: result.usage.cost }, io.err.columns)));
    return outcome.exitCode;
  } finally {
    progress.clear();
    follower.dispose();
  }
}

/** Starts the work and waits for its end; an interrupt cancels it, and what takes too long after that is left behind. */
async function untilIdle(task: TaskToFollow, follower: SessionFollower, io: Io): Promise<void> {
  const { engine, sessionId } = task;
  const { signal } = task.interrupts;
  const gaveUp = Promise.withResolvers<void>();
  const patience = new AbortController();
  const cancel = (): void => {
    void engine.execute({ type: 'cancelTask', sessionId });
    io.world.clock.sleep(CANCEL_MS, patience.signal).then(gaveUp.resolve, gaveUp.resolve);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await Promise.race([task.start(follower).then(() => follower.whenIdle()), gaveUp.promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
    patience.abort();
  }
}

/** Whether a model used tokens that nobody can put a price on: a ceiling of money would be none. */
function isUnpriced(event: EngineEvent): event is Extract<EngineEvent, { type: 'UsageUpdated' }> {
  return event.type === 'UsageUpdated' && event.usage.totalTokens > 0 && event.usage.cost.total === 0;
}

/** A line of `stream-json`. For a reader that is far behind, deltas are left out; everything else always comes. */
function streamEvent(event: EngineEvent, { out }: Io): void {
  if (!(DELTAS.has(event.type) && out.isBehind)) out.line(JSON.stringify(event));
}

/** Says on stderr why the task is not done, and the command that goes on. */
function explain(task: TaskToFollow, { error, note, requests }: RunOutcome, io: Io): void {
  if (requests.length > 0) printWaiting(task, requests, io);
  else if (error) printError(io, error);
  if (note) printError(io, { message: note });
}
