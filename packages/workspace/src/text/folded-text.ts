import { lineBreakOf } from './line-endings.ts';
import { CLUSTER, foldLookAlike, isBlankLookAlike } from './look-alikes.ts';

/**
 * How much of a difference the comparison overlooks; each level includes the ones before: how lines end; what blank space
 * stands at their ends; which of several look-alike characters was typed.
 */
export type FoldLevel = 'line-endings' | 'trailing-space' | 'look-alikes';

/** A stretch of the original, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * A text as it is compared, with the way back: where it is not the original character by character, a unit says which
 * characters of the original the folded ones stand for.
 */
export class FoldedText {
  readonly text: string;
  /** Four numbers a unit, in order: folded offset and length, original offset and length. */
  readonly #units: readonly number[];

  constructor(text: string, units: readonly number[]) {
    this.text = text;
    this.#units = units;
  }

  /** The original's offset where the character at `at` begins; undefined inside of a unit. Left-out blanks lie before it. */
  toStart(at: number): number | undefined {
    let index = this.#lastBefore(at);
    let offset = this.#after(index, at);
    if (offset === undefined) return undefined;
    for (index += 1; this.#number(index, 0) === at && this.#number(index, 1) === 0; index += 1) {
      offset = this.#number(index, 2) + this.#number(index, 3);
    }
    return offset;
  }

  /** The original's offset where the character before `at` ends; undefined inside of a unit. */
  toEnd(at: number): number | undefined {
    return this.#after(this.#lastBefore(at), at);
  }

  /** The stretches of the original whose folded form is `needle`, overlapping ones too. */
  *occurrences(needle: string): Generator<Span> {
    for (let at = this.text.indexOf(needle); at !== -1; at = this.text.indexOf(needle, at + 1)) {
      const start = this.toStart(at);
      const end = this.toEnd(at + needle.length);
      if (start !== undefined && end !== undefined) yield { start, end };
    }
  }

  /** The last unit that starts before `at`; -1 when there is none. */
  #lastBefore(at: number): number {
    let low = 0;
    let high = this.#units.length / 4;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#number(middle, 0) < at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #after(index: number, at: number): number | undefined {
    if (index < 0) return at;
    const behind = at - this.#number(index, 0) - this.#number(index, 1);
    return behind < 0 ? undefined : this.#number(index, 2) + this.#number(index, 3) + behind;
  }

  #number(unit: number, field: number): number {
    return this.#units[unit * 4 + field] ?? Number.NaN;
  }
}

/** Folds a text for comparison. Lines end at `\n`, or at `\r` in a text that has no `\n`. */
export function foldText(text: string, level: FoldLevel): FoldedText {
  const builder = new FoldBuilder(text);
  const lineBreak = lineBreakOf(text);
  const isBlank = level === 'look-alikes' ? isBlankLookAlike : (one: string) => one === ' ' || one === '\t';
  const line = (from: number, to: number) => {
    let end = to;
    if (level !== 'line-endings') while (end > from && isBlank(text.charAt(end - 1))) end -= 1;
    if (level === 'look-alikes') foldCharacters(builder, text, from, end);
    builder.unit(end, to - end, '');
  };
  let from = 0;
  for (let at = text.indexOf(lineBreak); at !== -1; at = text.indexOf(lineBreak, from)) {
    const end = lineBreak === '\n' && at > from && text.charAt(at - 1) === '\r' ? at - 1 : at;
    line(from, end);
    builder.unit(end, at + 1 - end, '\n');
    from = at + 1;
  }
  line(from, text.length);
  return builder.build();
}

const BEYOND_ASCII = /[\x20-\x7e]?[^\0-\x7f]+/g;

function foldCharacters(builder: FoldBuilder, text: string, from: number, to: number): void {
  for (const { index, 0: run } of text.slice(from, to).matchAll(BEYOND_ASCII)) {
    for (const { index: inRun, 0: cluster } of run.matchAll(CLUSTER)) {
      builder.unit(from + index + inRun, cluster.length, foldLookAlike(cluster));
    }
  }
}

/** Collects the folded text; whatever is not named as a unit is copied. */
class FoldBuilder {
  readonly #original: string;
  readonly #parts: string[] = [];
  readonly #units: number[] = [];
  #copied = 0;
  #length = 0;

  constructor(original: string) {
    this.#original = original;
  }

  unit(at: number, length: number, folded: string): void {
    if (length === folded.length && this.#original.startsWith(folded, at)) return;
    this.#push(this.#original.slice(this.#copied, at));
    if (length !== 1 || folded.length !== 1) this.#units.push(this.#length, folded.length, at, length);
    this.#push(folded);
    this.#copied = at + length;
  }

  build(): FoldedText {
    this.#push(this.#original.slice(this.#copied));
    return new FoldedText(this.#parts.join(''), this.#units);
  }

  #push(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}
