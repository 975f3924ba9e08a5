/** A file system's clock may stand still for so long: a tick of the kernel, and some. Milliseconds. */
export const CLOCK_TICK = 20;
/** File systems that keep no fractions of seconds keep even ones alone (FAT). */
const COARSE_TICK = 2_000;

/**
 * Whether a change after `now` could leave the same time on the disk: then equal times prove nothing ("racily clean" in
 * Git's words). Both in milliseconds since the epoch.
 */
export function isRecent(mtimeMs: number, now: number): boolean {
  return Math.abs(now - mtimeMs) < (mtimeMs % 1_000 === 0 ? COARSE_TICK : CLOCK_TICK);
}
