import { occurrences, replaceWhole } from '../code/occurrences.ts';
import type { Hit } from '../results/grep-result.ts';

/** A line that is to change. */
export interface Target {
  line: number;
  before: string;
  after: string;
  /** Places on it. */
  places: number;
}

export interface FilePlan {
  path: string;
  targets: Target[];
  places: number;
  /** True where each occurrence in the file, as far as its lines are known whole, is one to replace. */
  pure: boolean;
}

/** A longer line may have been shortened by the search: its true text has to be read. */
const LONG_LINE = 250;

/**
 * Sorts hits into what is to change, file by file, and what only holds the text inside longer words.
 * @param whole false where the search was cut: a file may then hold more than its hits show.
 */
export function planReplacement(
  byPath: ReadonlyMap<string, readonly Hit[]>,
  from: string,
  to: string,
  whole = true,
): { files: FilePlan[]; inside: Hit[] } {
  const files: FilePlan[] = [];
  const inside: Hit[] = [];
  for (const [path, hits] of byPath) {
    const file: FilePlan = { path, targets: [], places: 0, pure: whole };
    for (const hit of hits) {
      const found = occurrences(hit.text, from);
      const places = found.filter((each) => each.whole).length;
      if (places < found.length) inside.push(hit);
      if (places < found.length || hit.text.length > LONG_LINE) file.pure = false;
      if (places === 0) continue;
      file.targets.push({ line: hit.line, before: hit.text, after: replaceWhole(hit.text, from, to), places });
      file.places += places;
    }
    if (file.targets.length > 0) files.push(file);
  }
  return { files, inside };
}

export interface TextEdit {
  old_string: string;
  new_string: string;
}

/**
 * Edits that change only the whole-word occurrences of a file's text, each with as many lines around it as make it
 * unique at its turn, in the order in which they must be applied. Undefined where a place cannot be made unique.
 */
export function uniqueEdits(lines: ReadonlyMap<number, string>, from: string, to: string): TextEdit[] | undefined {
  const rows = [...lines.keys()].sort((a, b) => a - b).map((line) => lines.get(line)!);
  const edits: TextEdit[] = [];
  for (let at = 0; at < rows.length; at++) {
    const after = replaceWhole(rows[at]!, from, to);
    if (after === rows[at]) continue;
    const edit = uniqueAround(rows, at, after);
    if (!edit) return undefined;
    edits.push(edit);
    rows[at] = after;
  }
  return edits;
}

/** The changed line with its neighbours, as few as make it unique. */
function uniqueAround(rows: readonly string[], at: number, after: string): TextEdit | undefined {
  const text = rows.join('\n');
  for (let reach = 0; reach <= rows.length; reach++) {
    const first = Math.max(0, at - reach);
    const last = Math.min(rows.length - 1, at + reach);
    const old = rows.slice(first, last + 1).join('\n');
    if (text.indexOf(old) === text.lastIndexOf(old)) {
      return {
        old_string: old,
        new_string: [...rows.slice(first, at), after, ...rows.slice(at + 1, last + 1)].join('\n'),
      };
    }
    if (first === 0 && last === rows.length - 1) return undefined;
  }
  return undefined;
}
