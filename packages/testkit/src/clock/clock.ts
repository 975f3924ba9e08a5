/** The time a component runs on. Product code declares the same shape for itself, so that a `FakeClock` fits. */
export interface Clock {
  /** Milliseconds; only differences matter unless the owner says it is Unix time. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
