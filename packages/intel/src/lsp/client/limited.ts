/** What to do while a limit holds; the limit's own reason, or that of the signal that fired first. */
export interface Limit {
  signal: AbortSignal;
  /** Whether the time is over. */
  isOver: () => boolean;
  /** Takes timer and listeners away: thousands of limits are set in a session, and most are never reached. */
  clear: () => void;
}

/** A signal that fires after so many milliseconds, or with one of the others. Its timer keeps no process alive. */
export function limited(milliseconds: number, ...signals: AbortSignal[]): Limit {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort(new DOMException('The time is over.', 'TimeoutError'));
  }, milliseconds).unref();
  const listeners = signals.map((signal) => {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return () => signal.removeEventListener('abort', abort);
  });
  const clear = (): void => {
    clearTimeout(timer);
    for (const remove of listeners) remove();
  };
  return { signal: controller.signal, isOver: () => over, clear };
}
