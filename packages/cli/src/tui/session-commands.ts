import { join } from 'node:path';
import { costs, EXPORT_FORMATS, isUnpriced } from '@black-ide/protocol';
import { writeFileAtomic } from '@black-ide/workspace';
import { tokenCount } from '../text/amounts.ts';
import { costLine } from '../text/cost-line.ts';
import type { Chat } from './chat.ts';

/** `/undo`, `/redo`, `/keep`: the log tells what came of it; what is in the way is told first, and merged on `merge`. */
export async function settleChanges(chat: Chat, command: 'undo' | 'redo' | 'keep', argument: string): Promise<void> {
  const merge = /(^|\s)merge$/.test(argument);
  const words = argument.replace(/(^|\s)merge$/, '').trim();
  const path = words === '' ? undefined : join(chat.cwd, words);
  const { changes } = chat;
  try {
    if (command === 'keep') {
      await changes.keep(path);
      return;
    }
    const outcome =
      command === 'redo'
        ? await changes.redo(merge)
        : await (path === undefined ? changes.undo(merge) : changes.restore(path, merge));
    if (outcome.failed) chat.note(`✗ ${outcome.text}`, 'bad');
    if (outcome.mayMerge) chat.note(`· /${[command, words, 'merge'].filter(Boolean).join(' ')} keeps both.`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    chat.fail(error as Error & { next?: string });
  }
}

/** `/compact`: condenses the conversation, where the engine can. */
export async function compact(chat: Chat, instructions: string): Promise<void> {
  const words = instructions ? { instructions } : {};
  const result = await executeOffered(chat, { type: 'compact', sessionId: chat.view.sessionId, ...words });
  if (result && 'queued' in result && result.queued) chat.note('· The conversation is summed up before the next turn.');
}

/** `/export`: writes the session into the working folder as one document, where the engine can make one. */
export async function exportSession(chat: Chat, format: string): Promise<void> {
  const { sessionId } = chat.view;
  const formats: readonly string[] = EXPORT_FORMATS;
  if (format && !formats.includes(format))
    return chat.note(`There is no format ${format}. Choose one of: ${formats.join(', ')}.`, 'bad');
  const result = await executeOffered(chat, { type: 'exportSession', session: sessionId, format: format || 'html' });
  if (!result || !('content' in result) || !('fileName' in result)) return;
  const path = join(chat.cwd, String(result.fileName));
  if ((await chat.documents.stat(path)).ok) {
    chat.note(`✗ ${path} exists already; move it away first.`, 'bad');
    return;
  }
  writeFileAtomic(path, String(result.content));
  chat.note(`· Wrote ${path}`);
}

/** `/cost`: what the session has used. */
export function tellCost(chat: Chat): void {
  const { view, settings } = chat;
  const { usage, sessionId, items, spending } = view;
  const { model, context, unpriced } = chat.status;
  const turns = items.filter((item) => item.kind === 'assistant').length;
  const full =
    context === undefined
      ? 'the next answer tells'
      : `${Math.round(100 * context)} % of ${tokenCount(settings.window.tokens)} tokens`;
  const all = costLine({ turns, usage, cost: usage.cost.total, unpriced });
  const parts = Object.entries(costs(view).byModel).map(([name, part]) => {
    const isPart = spending.some((spent) => `${spent.provider}/${spent.model}` === name && isUnpriced(spent));
    return `  ${name}: ${costLine({ usage: part, cost: part.cost.total, unpriced: isPart })}`;
  });
  const lines = [model, all, ...(parts.length > 1 ? parts : []), `context: ${full}`, `session: ${sessionId}`];
  chat.note(lines.join('\n'));
}

/** Carries out a command that not every engine has. @returns undefined where it failed, which was told. */
async function executeOffered(
  chat: Chat,
  command: { type: string } & Record<string, unknown>,
): Promise<object | undefined> {
  const result = await chat.engine.executeUnknown(command);
  if (result.ok) return result.value;
  chat.fail(result.error);
  return undefined;
}
