import type { FileId } from '../../files/file-table.ts';
import type { NameId } from '../names/name-table.ts';

/** What was looked up to resolve a file. Each ascending, each entry once. */
export interface Looks {
  /** Names that were looked up in certain files. */
  names: Int32Array;
  /** Those files. */
  files: Int32Array;
  /** Names that were looked up among the symbols or paths of all files. */
  everywhere: Int32Array;
}

/** One look, in a number: below zero a file, otherwise a name, doubled, plus one where all files were looked at. */
type Look = number;

/**
 * Writes down what a file looks up in others. When a name comes to mean something else in one of them, the references of the
 * file are resolved again.
 */
export class Trace {
  /** By look: the run that noted it last. */
  #notedNames = new Int32Array(1024);
  #notedFiles = new Int32Array(1024);
  #run = 0;
  #looks: Look[] = [];
  /** What is being remembered, the innermost last: see `remember`. */
  readonly #frames: Look[][] = [];

  /** A name was looked up in a file. */
  note(name: NameId, file: FileId): void {
    this.#note(2 * name);
    this.#note(~file);
  }

  /** A name was looked up among all files. */
  noteEverywhere(name: NameId): void {
    this.#note(2 * name + 1);
  }

  noteAll(looks: readonly Look[]): void {
    for (const look of looks) this.#note(look);
  }

  /** Begins with another file. @param looks What it looked up already. */
  start(looks: readonly Look[] = []): void {
    this.#run++;
    this.#looks = [];
    this.noteAll(looks);
  }

  /** What was looked up since `start`. */
  get looks(): readonly Look[] {
    return this.#looks;
  }

  end(): Looks {
    const names: number[] = [];
    const files: number[] = [];
    const everywhere: number[] = [];
    for (const look of this.#looks) {
      if (look < 0) files.push(~look);
      else if (look % 2 === 0) names.push(look / 2);
      else everywhere.push((look - 1) / 2);
    }
    return { names: ascending(names), files: ascending(files), everywhere: ascending(everywhere) };
  }

  /** Runs something whose result is kept for others: what it looks up is given back with it, and noted. */
  remember<T>(find: () => T): Remembered<T> {
    const looks: Look[] = [];
    this.#frames.push(looks);
    let result: T;
    try {
      result = find();
    } finally {
      this.#frames.pop();
    }
    const distinct = [...new Set(looks)];
    this.noteAll(distinct);
    return { result, looks: distinct };
  }

  #note(look: Look): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) {
      frame.push(look);
      return;
    }
    const isFile = look < 0;
    const at = isFile ? ~look : look;
    let noted = isFile ? this.#notedFiles : this.#notedNames;
    if (at >= noted.length) {
      const longer = new Int32Array(Math.max(at + 1, 2 * noted.length));
      longer.set(noted);
      noted = longer;
      if (isFile) this.#notedFiles = noted;
      else this.#notedNames = noted;
    }
    if (noted[at] === this.#run) return;
    noted[at] = this.#run;
    this.#looks.push(look);
  }
}

function ascending(values: readonly number[]): Int32Array {
  return Int32Array.from(values).sort();
}

/** Something that was found, and what had to be looked up for it. */
export interface Remembered<T> {
  result: T;
  looks: readonly Look[];
}
