import { BlackError } from '@black-ide/protocol';
import type { OutputFormat } from '../args/parse-invocation.ts';
import { UsageError } from '../args/usage-error.ts';
import { CliFailure, EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { Interrupts } from './interrupts.ts';
import { printResult } from './print-result.ts';
import { failed, type RunOutcome } from './run-outcome.ts';
import { earlyResult } from './run-result.ts';

/** What a command that works on a task is given. */
export interface TaskContext {
  interrupts: Interrupts;
  /** When the command began, in the clock's milliseconds. */
  startedAt: number;
}

/**
 * Runs a command that works on a task: interrupts are heard from here on, and whatever fails on the way still ends in a
 * result for a script that reads JSON. Wrong use is no result.
 */
export async function taskCommand(
  output: OutputFormat,
  io: Io,
  work: (context: TaskContext) => Promise<number>,
): Promise<number> {
  const startedAt = io.world.clock.now();
  const interrupts = new Interrupts(io.world);
  try {
    return await work({ interrupts, startedAt });
  } catch (error) {
    if (error instanceof UsageError || (error instanceof CliFailure && error.exitCode === EXIT.usage)) throw error;
    const { aborted } = interrupts.signal;
    const outcome = aborted ? CANCELLED : failed(BlackError.toValue(error));
    printResult(earlyResult(outcome, Math.round(io.world.clock.now() - startedAt)), output, io);
    if (aborted) return outcome.exitCode;
    throw error;
  } finally {
    interrupts.dispose();
  }
}

const CANCELLED: RunOutcome = {
  outcome: 'cancelled',
  exitCode: EXIT.cancelled,
  result: '',
  error: { code: 'cancelled', message: 'Cancelled.' },
  requests: [],
};
