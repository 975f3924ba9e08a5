import { BlackError, isRecord } from '@black-ide/protocol';
import type { Position, Range } from './positions.ts';
import { readRange } from './read-range.ts';
import { pathOfUri } from './uris.ts';

export interface TextEdit {
  range: Range;
  newText: string;
}

/** What a server wants done with one file: nothing of it is done yet. */
export type FileEdit =
  | { kind: 'edit'; path: string; edits: TextEdit[] }
  | { kind: 'create' | 'delete'; path: string }
  | { kind: 'rename'; path: string; to: string };

/** The steps of a `WorkspaceEdit`, in their order; undefined where one of them makes no sense or names no file. */
export function readWorkspaceEdit(value: unknown): FileEdit[] | undefined {
  if (!isRecord(value)) return undefined;
  const steps: (FileEdit | undefined)[] = Array.isArray(value.documentChanges)
    ? value.documentChanges.map(readStep)
    : isRecord(value.changes)
      ? Object.entries(value.changes).map(([uri, edits]) => readEdits(uri, edits))
      : [];
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/**
 * The text after the edits, whose places all speak of the text before.
 * @throws BlackError `overlapping_edits`
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = lineStarts(text);
  const offset = ({ line, character }: Position): number => {
    const start = starts[line];
    if (start === undefined) return text.length;
    const end = starts[line + 1] ?? text.length + 1;
    return Math.min(start + character, end - 1);
  };
  const placed = edits.map(({ range, newText }, order) => ({
    start: offset(range.start),
    end: offset(range.end),
    newText,
    order,
  }));
  // Insertions at one place keep their order.
  placed.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  let result = '';
  let at = 0;
  for (const { start, end, newText } of placed) {
    if (start < at || end < start) {
      throw new BlackError('overlapping_edits', 'The server wants edits that overlap.', 'Make the change by hand.');
    }
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}

/** Where each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function readStep(value: unknown): FileEdit | undefined {
  if (!isRecord(value)) return undefined;
  if (value.kind === undefined) {
    return readEdits(isRecord(value.textDocument) ? value.textDocument.uri : undefined, value.edits);
  }
  const path = pathOfUri(value.uri ?? value.oldUri);
  if (path === undefined) return undefined;
  if (value.kind === 'create' || value.kind === 'delete') return { kind: value.kind, path };
  const to = pathOfUri(value.newUri);
  return value.kind === 'rename' && to !== undefined ? { kind: 'rename', path, to } : undefined;
}

function readEdits(uri: unknown, list: unknown): FileEdit | undefined {
  const path = pathOfUri(uri);
  if (path === undefined || !Array.isArray(list)) return undefined;
  const edits = list.map((each) => {
    const range = isRecord(each) ? readRange(each.range) : undefined;
    return range && typeof each.newText === 'string' ? { range, newText: each.newText as string } : undefined;
  });
  return edits.every((edit) => edit !== undefined) ? { kind: 'edit', path, edits } : undefined;
}
