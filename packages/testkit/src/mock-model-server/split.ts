import type { Draw } from './random.ts';
import type { SplitMode } from './script.ts';

/** Lengths, in code points, of one awkward delta: empty ones too, as real servers send them. */
const AWKWARD_LENGTHS = [0, 1, 1, 2, 3, 5, 9] as const;
const AWKWARD_MAX_BYTES = 23;

/**
 * Cuts text into deltas. Never within a surrogate pair: JSON cannot carry half of one as UTF-8. Cuts within a JSON
 * escape of argument text are wanted, and happen.
 */
export function splitText(text: string, split: SplitMode, draw: Draw): string[] {
  if (split === 'whole' || text === '') return [text];
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < points.length; ) {
    const length = split === 'chars' ? 1 : split === 'awkward' ? AWKWARD_LENGTHS[draw(AWKWARD_LENGTHS.length)]! : split;
    pieces.push(points.slice(at, at + length).join(''));
    at += length;
  }
  return pieces;
}

/** Cuts bytes for single writes to the socket, without regard for characters or lines. */
export function splitBytes(bytes: Buffer, size: number | 'awkward' | undefined, draw: Draw): Buffer[] {
  if (size === undefined) return [bytes];
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = size === 'awkward' ? 1 + draw(AWKWARD_MAX_BYTES) : size;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
