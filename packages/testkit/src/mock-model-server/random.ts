/** Draws an integer from 0 up to, not including, `below`. */
export type Draw = (below: number) => number;

/** A small seeded generator (mulberry32, public domain by Tommy Ettinger): the same seed gives the same draws. */
export function seededDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
