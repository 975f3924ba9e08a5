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
 * not where the person's own code catches it, where a library expects it (`assert.throws`, `expect(promise)`), or where it
 * never leaves a library.
 *
 * V8 tells only that something will catch it. Who does is found by going outwards: through the callers, and where the
 * function is async through what becomes of its promise.
 * @param frames the callers, and behind them those that await them
 */
export function isFailure(frames: readonly ThrowFrame[]): boolean {
  const end = frames.findIndex((frame, at) => endOf(frame, frames[at - 1]) !== undefined);
  const last = frames[end];
  if (!last) return true;
  const how = endOf(last, frames[end - 1]);
  // A promise that is kept: what becomes of it nobody can tell.
  if (last.isUser) return how === 'kept';
  if (!frames.slice(0, end).some((frame) => frame.isUser)) return false;
  return last.isRunner || !handsBack(frames, end);
}

/** How an exception ends in a frame, whose callee has not caught it; undefined: it goes on to who called that. */
function endOf({ place }: ThrowFrame, callee: ThrowFrame | undefined): 'caught' | 'handed' | 'kept' | undefined {
  if (!callee?.place.inAsync || place.fate === 'awaited') return place.caught ? 'caught' : undefined;
  if (place.fate === 'returned') return undefined;
  return place.fate === 'handled' ? 'caught' : place.fate;
}

/** A library that goes on with the person's code after it has caught something expected that. */
function handsBack(frames: readonly ThrowFrame[], catcher: number): boolean {
  const back = frames.findIndex((frame, at) => at > catcher && frame.isUser);
  if (back < 0) return false;
  // A library's promise that nobody waits for is no answer to the person's code.
  return !frames[back - 1]!.place.inAsync || frames[back]!.place.fate !== 'kept';
}
