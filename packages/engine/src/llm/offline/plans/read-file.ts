import { type Answered, type ReadQuery, read } from '../ask.ts';
import type { LineRange } from '../grammar/request.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { code, count, excerpt, paragraphs } from '../render.ts';
import type { ReadResult } from '../results/read-result.ts';
import { listFolder } from './list-folder.ts';
import { locate, notThere, whichOne } from './locate.ts';

/** More lines than this are not shown at once. */
const MOST = 200;

/** Read FILE [lines a-b]. */
export function* readFile(path: string, lines: LineRange | undefined, tools: ToolSet): Plan {
  const wanted = lines ?? { from: 1, to: MOST };
  const query = { offset: wanted.from, limit: Math.min(MOST, wanted.to - wanted.from + 1) };
  const file = yield* openFile(path, tools, query);
  if ('answer' in file) return file.answer;
  if ('folder' in file) return yield* listFolder(file.folder);
  const numbers = [...file.result.lines.keys()];
  if (numbers.length === 0) {
    const total = file.result.total;
    return total > 0
      ? `${code(file.path)} has only ${count(total, 'line')}.`
      : `${code(file.path)} is empty${lines ? ' there' : ''}.`;
  }
  const from = Math.min(...numbers);
  const to = Math.max(...numbers);
  const rest = file.result.total > to && (lines === undefined || lines.to > to);
  return paragraphs(
    `${code(file.path)}, lines ${from}–${to} of ${file.result.total}:`,
    excerpt(file.result.lines, from, to, file.path),
    rest ? `The rest: \`show ${file.path} lines ${to + 1}-${Math.min(file.result.total, to + MOST)}\`` : undefined,
    file.note,
  );
}

type Opened = { path: string; result: ReadResult; note?: string } | { folder: string } | { answer: string };

/** Reads a file by its path, or by what the path may mean where there is no such file. */
export function* openFile(path: string, tools: ToolSet, range: Omit<ReadQuery, 'path'> = {}): Plan<Opened> {
  const straight = yield* read({ path, ...range });
  if (straight.failure === undefined) return { path, result: straight };
  if (/^refused\b/i.test(straight.failure)) return { answer: `I could not read ${code(path)}: ${straight.failure}` };
  if (/\bis a (?:folder|directory)\b/i.test(straight.failure)) return { folder: path };
  const found = yield* locate(path, tools);
  if (found.length === 0) return { answer: paragraphs(notThere(path), why(straight)) };
  // One that lies above all others is the one that is meant: the README of a project, not those of its parts.
  const depths = found.map((each) => each.replace(/\/$/, '').split('/').length);
  if (found.length > 1 && depths[0]! >= depths[1]!) return { answer: whichOne(path, found) };
  const rest = found.slice(1, 4).map(code).join(', ');
  const note = found.length > 1 ? `There are others of that name: ${rest}${found.length > 4 ? ' …' : ''}.` : '';
  const other = found[0]!;
  if (other.endsWith('/')) return { folder: other };
  if (other === path) return { answer: `I could not read ${code(path)}: ${straight.failure}` };
  const again = yield* read({ path: other, ...range });
  if (again.failure !== undefined) return { answer: `I could not read ${code(other)}: ${again.failure}` };
  return { path: other, result: again, ...(note ? { note } : {}) };
}

function why(result: Answered<ReadResult>): string {
  return result.failure === undefined ? '' : `Reading it said: ${result.failure}`;
}
