import { BlackError, type EngineError } from '@black-ide/protocol';

/** Exit codes of `black` (IDE-83). */
export const EXIT = { done: 0, failed: 1, usage: 2, needsApproval: 3, limit: 4, cancelled: 130 } as const;

/** What ends a command early: the words for stderr and the exit code. */
export class CliFailure extends BlackError {
  readonly exitCode: number;

  constructor(error: EngineError, exitCode: number = EXIT.failed) {
    super(error.code, error.message, error.next);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}

/** Engine errors that mean the command line was wrong, not the work. */
const USAGE_CODES = new Set(['unknown_mode', 'unknown_model', 'unknown_provider', 'no_model']);

/** The value of a command's result, or the failure thrown. */
export function unwrap<T>(result: { ok: true; value: T } | { ok: false; error: EngineError }): T {
  if (result.ok) return result.value;
  const { code } = result.error;
  const exitCode = USAGE_CODES.has(code) ? EXIT.usage : code === 'plan_pending' ? EXIT.needsApproval : EXIT.failed;
  throw new CliFailure(result.error, exitCode);
}
