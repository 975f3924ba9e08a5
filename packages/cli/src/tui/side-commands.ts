import { visibleLine } from '../text/visible-text.ts';
import type { Chat } from './chat.ts';

/** Of a staged rewrite so many files are named. */
const STAGED_FILES = 10;

/** `/ps`: the commands beside the conversation, each with what it printed last. */
export async function tellCommands(chat: Chat): Promise<void> {
  const listed = await chat.engine.execute({ type: 'listCommands', sessionId: chat.view.sessionId });
  if (!listed.ok) return chat.fail(listed.error);
  const lines = listed.value.commands.flatMap(({ id, command, state, lastLine }) => [
    `${id} ${state === 'exited' ? 'ended' : state}  $ ${visibleLine(command)}`,
    ...(lastLine ? [`    ${visibleLine(lastLine)}`] : []),
  ]);
  chat.note(lines.join('\n') || '· No command runs in the background.');
  if (chat.background.length > 0) chat.note('To end one: /stop COMMAND, e.g. /stop bg1');
}

/** `/stop`: ends a command beside the conversation; `2` is `bg2`. Without a name: the one that runs, where it is one. */
export async function stopCommand(chat: Chat, name: string): Promise<void> {
  const running = chat.background;
  const id = name ? name.replace(/^(?=\d+$)/, 'bg') : running.length === 1 ? running[0]!.id : '';
  if (!id) return await tellCommands(chat);
  const stopped = await chat.engine.execute({ type: 'stopCommand', sessionId: chat.view.sessionId, id });
  if (!stopped.ok) return chat.fail(stopped.error);
  chat.note(`· ${id} is ended: $ ${visibleLine(stopped.value.command.command)}`);
}

/** `/staged`: the rewrites that are prepared and not written, each with its files. */
export async function tellStaged(chat: Chat): Promise<void> {
  const listed = await chat.engine.execute({ type: 'listStaged', sessionId: chat.view.sessionId });
  if (!listed.ok) return chat.fail(listed.error);
  const lines = listed.value.staged.flatMap(({ id, pattern, rewrite, places, files }) => {
    const more = files.length - STAGED_FILES;
    return [
      `${id}  ${visibleLine(pattern)} → ${visibleLine(rewrite)}: ${places} places in ${files.length} files`,
      ...files.slice(0, STAGED_FILES).map((file) => `    ${visibleLine(file.path)} +${file.added} −${file.removed}`),
      ...(more > 0 ? [`    … ${more} more`] : []),
    ];
  });
  chat.note(lines.join('\n') || '· Nothing is staged.');
}

/** `/rename`: gives the session a title, by which lists and searches know it. */
export async function rename(chat: Chat, name: string): Promise<void> {
  if (!name) return chat.note('To give the session a title: /rename TITLE', 'bad');
  const { sessionId } = chat.view;
  const renamed = await chat.engine.execute({ type: 'renameSession', session: sessionId, name });
  if (!renamed.ok) return chat.fail(renamed.error);
  chat.note(`· The session is called “${visibleLine(renamed.value.name)}”.`);
}
