import { zeroUsage } from '@black-ide/protocol';
import { FakeClock } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../llm/failure.ts';
import type { TurnOutcome } from '../llm/stream-turn.ts';
import { type RetryNotice, withRetries } from './retry.ts';

const message = {
  role: 'assistant' as const,
  content: [],
  api: 'x',
  provider: 'x',
  model: 'x',
  usage: zeroUsage(),
  stopReason: 'stop' as const,
  timestamp: 0,
};
const good: TurnOutcome = { ok: true, message };
const bad = (kind: FailureKind, retryAfterMs?: number): TurnOutcome => ({
  ok: false,
  failure: { kind, error: { code: kind, message: kind }, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  partial: message,
});

async function run(outcomes: TurnOutcome[], abortAfter?: number) {
  const clock = new FakeClock();
  const abort = new AbortController();
  const notices: RetryNotice[] = [];
  let calls = 0;
  const done = withRetries(
    async () => outcomes[Math.min(calls++, outcomes.length - 1)]!,
    clock,
    abort.signal,
    () => 0.5,
    (notice) => {
      notices.push(notice);
      if (notices.length === abortAfter) queueMicrotask(() => abort.abort(new Error('stop')));
    },
  );
  let settled = false;
  const outcome = done.finally(() => {
    settled = true;
  });
  while (!settled) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advanceToNext();
  }
  return { outcome: await outcome, calls, notices, waited: clock.sleeps };
}

describe('withRetries', () => {
  it('IDE-20 waits as long as the server asks after a rate limit, and says so', async () => {
    const { outcome, notices, waited } = await run([bad('rate_limit', 7_000), good]);
    expect(outcome.ok).toBe(true);
    expect(waited).toEqual([7_000]);
    expect(notices).toEqual([{ attempt: 1, delayMs: 7_000, reason: 'rate_limit' }]);
  });

  it('IDE-20 waits a little, and then more, for a server that asks for no wait at all', async () => {
    const { calls, waited } = await run([bad('rate_limit', 0)]);
    expect(calls).toBe(5);
    expect(waited).toEqual([250, 500, 1_000, 2_000]);
  });

  it('IDE-20 overload and dropped streams back off exponentially and give up after four retries', async () => {
    const { outcome, calls, waited } = await run([bad('overloaded'), bad('dropped'), bad('overloaded')]);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'overloaded' } });
    expect(calls).toBe(5);
    expect(waited).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it.each(['auth', 'overflow', 'invalid', 'aborted'] as const)('IDE-20 %s is not retried', async (kind) => {
    const { calls, waited } = await run([bad(kind), good]);
    expect(calls).toBe(1);
    expect(waited).toEqual([]);
  });

  it('IDE-20 a network that is not there is tried twice more, not for long', async () => {
    const { calls, waited } = await run([bad('network')]);
    expect(calls).toBe(3);
    expect(waited).toEqual([1_000, 2_000]);
  });

  it('IDE-20 a server that wants minutes is not waited for', async () => {
    expect((await run([bad('rate_limit', 600_000), good])).outcome).toMatchObject({ ok: false });
  });

  it('IDE-18 cancelling ends the wait at once', async () => {
    const { outcome, calls } = await run([bad('overloaded'), good], 1);
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
    expect(calls).toBe(1);
  });
});
