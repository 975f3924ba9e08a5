import { drawFact } from '../text/draw-fact.ts';
import type { FactLine } from '../text/fact-line.ts';
import { fitWidth, widthOf } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { wrap } from './wrap.ts';

/** A fact as it stands in the terminal: one line; where it did not work out, with as many as its reason takes; its notes below. */
export function factLines(fact: FactLine, columns: number, paint: Painter): string[] {
  const { text, why = '', notes = [] } = fact;
  const below = notes.flatMap((note) => wrap(note, columns, '  ')).map(paint.dim);
  if (why === '' || widthOf(text) + widthOf(why) + 2 <= columns) return [drawFact(fact, columns, paint), ...below];
  const reason = wrap(why, columns, '  ').slice(0, MAX_LINES);
  return [fitWidth(text, columns), ...reason].map(paint.bad);
}

/** A reason that takes more is a whole output, and stands in the details. */
const MAX_LINES = 8;
