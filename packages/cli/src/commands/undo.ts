import { resolve } from 'node:path';
import type { Engine } from '@black-ide/engine';
import { type LeftFile, type RestoredFiles, type TrackedChange, textOf } from '@black-ide/protocol';
import type { UndoInvocation } from '../args/parse-invocation.ts';
import { CliFailure, unwrap } from '../failure.ts';
import { openWhereBegun } from '../headless/open-where-begun.ts';
import { SessionFollower } from '../headless/session-follower.ts';
import { type Io, warn } from '../io.ts';
import { changeLine, changeLines, leftTexts, pendingText } from '../text/change-text.ts';
import { painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black undo`: takes a session's changes back, or shows them. @returns 1 also where files were left alone */
export async function undo(invocation: UndoInvocation, io: Io): Promise<number> {
  const options = { face: 'headless', asks: 'stop', needsHome: true } as const;
  const where = (folder: string) => `The session worked in ${folder}; its files are meant.`;
  const { session, list, json } = invocation;
  const next = (id: string) =>
    `Where it is open, use /undo, /redo or /changes there; black undo ${id.slice(0, 8)} --list only reads.`;
  const opened = await openWhereBegun(options, session, io, where, { reads: list, next });
  const { engine, sessionId } = opened;
  try {
    if (list) {
      await printList(engine, sessionId, json, io);
      return 0;
    }
    const undone = await takeBack(engine, sessionId, invocation, io);
    print(sessionId, undone, invocation, io);
    return undone.skipped.length > 0 ? 1 : 0;
  } finally {
    await opened.dispose();
  }
}

/** `notCovered`: of a message, what of it no undo covers. */
type Undone = RestoredFiles & { notCovered?: LeftFile[] };

async function takeBack(engine: Engine, sessionId: string, invocation: UndoInvocation, io: Io): Promise<Undone> {
  const { file, message, redo, merge } = invocation;
  const result = redo
    ? await engine.execute({ type: 'redo', sessionId, merge })
    : file === undefined
      ? await engine.execute({ type: 'undoMessage', sessionId, merge, ...(message ? { messageId: message } : {}) })
      : await engine.execute({ type: 'restoreFile', sessionId, merge, path: resolve(io.world.cwd(), file) });
  if (result.ok) return result.value;
  const { error } = result;
  if (error.code === 'changed_since') {
    throw new CliFailure({ ...error, next: 'With --merge what was changed since stays; nothing was changed now.' });
  }
  if (error.code !== 'conflict' || redo || file !== undefined) return unwrap<Undone>(result);
  throw new CliFailure({ ...error, next: `${error.next ?? ''} black undo --file FILE takes one file back.`.trim() });
}

function print(
  sessionId: string,
  { files, skipped, notCovered }: Undone,
  { redo, json }: UndoInvocation,
  io: Io,
): void {
  if (json) {
    io.out.line(JSON.stringify({ sessionId, files, skipped, ...(notCovered ? { notCovered } : {}) }, undefined, 2));
    return;
  }
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  for (const file of files) {
    io.out.line(changeLine(file, file.merged ? 'merged with what was changed since' : 'pending', columns));
  }
  for (const { path, why } of skipped) warn(io, `${visibleLine(path)} was left alone: ${visibleLine(why)}.`);
  for (const text of leftTexts(notCovered)) warn(io, `${text}.`);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  const what = redo ? `Brought the changes of ${count} back.` : `Took the changes of ${count} back.`;
  io.out.line(files.length === 0 ? 'The files were so already.' : what);
  if (!redo) io.err.line(`black undo ${sessionId.slice(0, 8)} --redo brings them back.`);
}

async function printList(engine: Engine, sessionId: string, json: boolean, io: Io): Promise<void> {
  const { changes, canRedo } = unwrap(await engine.execute({ type: 'listChanges', sessionId }));
  if (json) {
    io.out.line(JSON.stringify({ sessionId, changes, canRedo }, undefined, 2));
    return;
  }
  if (changes.length === 0) {
    io.out.line('This session has changed no files.');
    return;
  }
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const paint = painter(io.world.env, io.out.isTerminal);
  const said = await messagesOf(engine, sessionId, changes);
  for (const line of changeLines(changes, said, columns, paint)) io.out.line(line);
  const pending = pendingText(changes);
  if (pending) io.err.line(`${pending} · black undo ${sessionId.slice(0, 8)} takes the newest message's changes back.`);
  if (canRedo) io.err.line(`black undo ${sessionId.slice(0, 8)} --redo brings back what was taken back last.`);
}

/** What the user said in the messages that began the changes. */
async function messagesOf(
  engine: Engine,
  sessionId: string,
  changes: readonly TrackedChange[],
): Promise<(messageId: string) => string> {
  const follower = await SessionFollower.attach(engine, sessionId);
  follower.dispose();
  const meant = new Set(changes.map(({ messageId }) => messageId));
  const texts = new Map<string, string>();
  for (const item of follower.view.items) {
    if (item.kind === 'user' && meant.has(item.entry.id)) texts.set(item.entry.id, textOf(item.content));
  }
  return (messageId) => texts.get(messageId) ?? '';
}
