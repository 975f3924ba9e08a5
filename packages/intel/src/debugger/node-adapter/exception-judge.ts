import type { Place } from './try-blocks.ts';

/** A frame on the way that an exception takes, the one that throws first. */
export interface ThrowFrame {
  /** The person's own code: not Node's, not a package's. */
  isUser: boolean;
  /** Part of Node's own test runner. */
  isRunner: boolean;
  place: Place;
}

export const RUNNER = /^node:internal\/test_runner\//;

/**
 * Whether an exception that is thrown now deserves a stop: it does where nothing catches it, and where the one who does
 * is a library at the outer end of the stack, such as a test runner or a server, which takes it for a failure. It does
 * not where the person's own code catches it, where a library expects it (`assert.throws`), or where it never leaves a
 * library.
 *
 * V8 tells only that something will catch it. Who does is found by going outwards: through the callers, and where the
 * function is async through what awaits its promise.
 * @param frames the callers, and behind them those that await them
 */
export function isFailure(frames: readonly ThrowFrame[]): boolean {
  const catcher = frames.findIndex((frame, at) => catches(frame, frames[at - 1]));
  if (catcher < 0) return true;
  const { isUser, isRunner } = frames[catcher]!;
  if (isUser) return escapes(frames[catcher]!, frames[catcher - 1]);
  if (!frames.slice(0, catcher).some((frame) => frame.isUser)) return false;
  return isRunner || !handsBack(frames, catcher);
}

/** A library that goes on with the person's code after it has caught something expected that. */
function handsBack(frames: readonly ThrowFrame[], catcher: number): boolean {
  const back = frames.findIndex((frame, at) => at > catcher && frame.isUser);
  if (back < 0) return false;
  const { awaited, returned } = frames[back]!.place;
  return !frames[back - 1]!.place.inAsync || awaited || returned;
}

/** Whether a frame is the last one that the exception reaches. */
function catches(frame: ThrowFrame, callee: ThrowFrame | undefined): boolean {
  if (!callee?.place.inAsync) return frame.place.caught;
  if (frame.place.awaited) return frame.place.caught;
  return !frame.place.returned;
}

/** The promise of an async function is kept and not awaited at once: what becomes of it nobody can tell. */
function escapes({ place }: ThrowFrame, callee: ThrowFrame | undefined): boolean {
  return callee?.place.inAsync === true && !place.awaited && !place.returned;
}
