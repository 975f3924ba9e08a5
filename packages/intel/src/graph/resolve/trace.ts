import type { NameId } from '../names/name-table.ts';

/**
 * Writes down the names under which a file looks things up in other files. When such a name comes to mean something else,
 * the references of the file are resolved again.
 */
export class Trace {
  /** By name: the run that noted it last. */
  #notedIn = new Int32Array(1024);
  #run = 0;
  #names: NameId[] = [];
  /** What is being remembered, the innermost last: see `remember`. */
  readonly #frames: NameId[][] = [];

  note(name: NameId): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.push(name);
    else this.#noteOnce(name);
  }

  noteAll(names: Iterable<NameId>): void {
    for (const name of names) this.note(name);
  }

  /** Begins with another file. */
  start(): void {
    this.#run++;
    this.#names = [];
  }

  /** The names since `start`, ascending, each once. */
  end(): Int32Array {
    return Int32Array.from(this.#names).sort();
  }

  /** Runs something whose result is kept for others: its names are given back with it, and noted. */
  remember<T>(find: () => T): { result: T; names: NameId[] } {
    const names: NameId[] = [];
    this.#frames.push(names);
    let result: T;
    try {
      result = find();
    } finally {
      this.#frames.pop();
    }
    this.noteAll(names);
    return { result, names };
  }

  #noteOnce(name: NameId): void {
    if (name >= this.#notedIn.length) {
      const longer = new Int32Array(Math.max(name + 1, 2 * this.#notedIn.length));
      longer.set(this.#notedIn);
      this.#notedIn = longer;
    }
    if (this.#notedIn[name] === this.#run) return;
    this.#notedIn[name] = this.#run;
    this.#names.push(name);
  }
}
