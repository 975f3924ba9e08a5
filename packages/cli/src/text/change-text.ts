import {
  type ChangedFile,
  changedFiles,
  type LeftFile,
  type SettledDetails,
  type TrackedChange,
} from '@black-ide/protocol';
import { fitWidth, widthOf } from './fit-width.ts';
import type { Painter } from './painter.ts';
import { visibleLine } from './visible-text.ts';

/** `+12 −3`, or what else happened to a file. */
export function changeCounts({ kind, added, removed, from }: Omit<ChangedFile, 'path' | 'state'>): string {
  const lines = added + removed > 0 ? `+${added} −${removed}` : '';
  switch (kind) {
    case 'created':
      return `created${added > 0 ? ` +${added}` : ''}`;
    case 'deleted':
      return `deleted${removed > 0 ? ` −${removed}` : ''}`;
    case 'renamed':
      return `from ${visibleLine(from ?? '')} ${lines}`.trim();
    case 'modified':
      return lines || 'changed';
  }
}

/** One file of a list: its name, cut where it must be, what happened to it, and how it stands where that is special. */
export function changeLine(
  file: Pick<ChangedFile, 'path'> & Parameters<typeof changeCounts>[0],
  state: string,
  columns: number,
): string {
  const tail = `${changeCounts(file)}${state === 'pending' ? '' : `  ${state}`}`;
  const room = columns - widthOf(tail) - 4;
  return `✎ ${fitWidth(visibleLine(file.path), Math.max(room, 8))}  ${tail}`;
}

/** `2 files changed`, of those that wait for a person; undefined where none does. */
export function pendingText(changes: readonly TrackedChange[]): string | undefined {
  const count = changedFiles(changes).filter(({ state }) => state === 'pending').length;
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? 'file' : 'files'} changed`;
}

const ACTIONS = { keep: 'kept', restore: 'took back', undo: 'took back', redo: 'brought back' } as const;

/** `· took back a.ts, b.ts`: what a person did with changes; undefined where the details do not tell. */
export function settledText(details: unknown): string | undefined {
  const { action, settled, notCovered } = (details ?? {}) as Partial<SettledDetails>;
  if (!action || !Object.hasOwn(ACTIONS, action) || !Array.isArray(settled)) return undefined;
  const done = `· ${ACTIONS[action]} ${[...new Set(settled.map(({ path }) => path))].join(', ')}`;
  return [done, ...leftTexts(notCovered)].join(' · ');
}

/** `not covered, still there: node_modules/`: what an undo does not reach; details of a log may hold anything in its place. */
export function leftTexts(notCovered: unknown): string[] {
  const files = (Array.isArray(notCovered) ? notCovered : []).filter(isLeftFile);
  const paths = (isGone: boolean) => files.filter(({ gone }) => (gone === true) === isGone).map(({ path }) => path);
  const row = (how: string, all: string[]): string[] => {
    const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
    return all.length > 0 ? [`not covered, ${how}: ${all.slice(0, NAMED).map(visibleLine).join(', ')}${more}`] : [];
  };
  return [...row('still there', paths(false)), ...row('gone', paths(true))];
}

/** So many files that no undo reaches are named; the rest is counted. */
const NAMED = 5;

function isLeftFile(value: unknown): value is LeftFile {
  return typeof value === 'object' && value !== null && typeof (value as LeftFile).path === 'string';
}

/** What a session has changed, message by message, the newest last. */
export function changeLines(
  changes: readonly TrackedChange[],
  said: (messageId: string) => string,
  columns: number,
  paint: Painter,
): string[] {
  const byMessage = Map.groupBy(changes, ({ messageId }) => messageId);
  return [...byMessage].flatMap(([messageId, own]) => [
    paint.bold(fitWidth(`${messageId}  ${visibleLine(said(messageId))}`, columns)),
    ...rowsOf(own).map(({ row, state }) => {
      const line = `  ${changeLine(row, state, columns - 2)}`;
      return state === 'pending' ? line : paint.dim(line);
    }),
  ]);
}

/** The files of a message, those that were taken back as well. */
function rowsOf(changes: readonly TrackedChange[]): { row: ChangedFile; state: string }[] {
  const standing = changedFiles(changes).map((row) => ({ row, state: row.state as string }));
  const restored = changes.filter(({ state }) => state === 'restored');
  const gone = changedFiles(restored.map((change) => ({ ...change, state: 'pending' as const })));
  return [...standing, ...gone.map((row) => ({ row, state: 'taken back' }))];
}
