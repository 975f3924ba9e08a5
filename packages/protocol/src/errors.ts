/** A failure as a value, for every border between packages, processes and people. */
export interface EngineError {
  /** Stable, machine-readable, snake_case. */
  code: string;
  /** What happened, in one sentence for a person. */
  message: string;
  /** What to do about it. */
  next?: string;
}

/** The exception form of an EngineError, thrown inside and turned into a value at the border. */
export class BlackError extends Error {
  readonly code: string;
  readonly next: string | undefined;

  constructor(code: string, message: string, next?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlackError';
    this.code = code;
    this.next = next;
  }

  /** The value form; any other exception becomes `internal`. */
  static toValue(error: unknown): EngineError {
    if (error instanceof BlackError) {
      return { code: error.code, message: error.message, ...(error.next ? { next: error.next } : {}) };
    }
    return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
  }
}
