import type { FactLine } from './fact-line.ts';
import { fitWidth, widthOf } from './fit-width.ts';
import type { Painter } from './painter.ts';

/** A fact line as it is drawn: cut to the width with its tail kept, painted after its tone. */
export function drawFact(fact: FactLine, columns: number, paint: Painter): string {
  const tail = fitWidth(fact.tail, Math.max(columns - 8, 0));
  const whole = fact.why ? `${fact.text}: ${fact.why}` : fact.text;
  const text = fitWidth(whole, Math.max(columns - (tail ? widthOf(tail) + 1 : 0), 1));
  const line = tail ? `${text} ${tail}` : text;
  if (fact.tone === 'failure') return paint.bad(line);
  return fact.tone === 'change' ? line : paint.dim(line);
}

/** The notes of a fact as they stand below it, whole: a line that is too long for the terminal is broken there. */
export function drawNotes({ notes = [] }: FactLine, paint: Painter): string[] {
  return notes.map((note) => paint.dim(`  ${note}`));
}
