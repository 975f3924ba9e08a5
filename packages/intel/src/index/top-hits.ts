import type { FileId } from '../files/file-table.ts';

/** A chunk that was found. */
export interface Found {
  file: FileId;
  path: string;
  /** Row among the chunks of its file. */
  row: number;
  startLine: number;
  score: number;
  /** Bit i: it has the i-th term of those that were looked for. */
  mask: number;
}

/** Keeps the best of what is offered; of equal scores the first by path and line. */
export class TopHits<T extends Found = Found> {
  /** Best first. */
  readonly found: T[] = [];
  /** Less is of no use any more. */
  floor = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(candidate: T): void {
    const { found } = this;
    let place = found.length;
    while (place > 0 && isBefore(candidate, found[place - 1]!)) place--;
    if (place >= this.#limit) return;
    found.splice(place, 0, candidate);
    if (found.length > this.#limit) found.pop();
    if (found.length === this.#limit) this.floor = found.at(-1)!.score;
  }
}

function isBefore(x: Found, y: Found): boolean {
  if (x.score !== y.score) return x.score > y.score;
  return x.path === y.path ? x.startLine < y.startLine : x.path < y.path;
}
