import { list } from '../ask.ts';
import type { Plan } from '../plan.ts';
import { code, count, fenced, paragraphs, visible } from '../render.ts';

const MOST = 80;

/** List DIR. */
export function* listFolder(path: string | undefined): Plan {
  const shown = path === undefined || path === '.' ? undefined : path;
  const result = yield* list(shown, 1);
  if (result.failure !== undefined) return `I could not list ${code(shown ?? '.')}: ${result.failure}`;
  if (result.entries.length === 0) return `${code(shown ?? '.')} is empty, or everything in it is ignored.`;
  const entries = [...result.entries].sort(
    (a, b) => Number(b.endsWith('/')) - Number(a.endsWith('/')) || (a < b ? -1 : 1),
  );
  const more = entries.length > MOST || result.cut;
  return paragraphs(
    `${code(shown ?? '.')} has ${count(entries.length, 'entry', 'entries')}${result.cut ? ' or more' : ''}:`,
    fenced(entries.slice(0, MOST).map(visible).join('\n')),
    more ? `Not all are shown; name a folder in it to see less at a time.` : undefined,
  );
}
