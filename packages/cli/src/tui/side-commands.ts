import { visibleLine } from '../text/visible-text.ts';
import type { Chat } from './chat.ts';

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

/** `/rename`: gives the session a title, by which lists and searches know it. */
export async function rename(chat: Chat, name: string): Promise<void> {
  if (!name) return chat.note('To give the session a title: /rename TITLE', 'bad');
  const { sessionId } = chat.view;
  const renamed = await chat.engine.execute({ type: 'renameSession', session: sessionId, name });
  if (!renamed.ok) return chat.fail(renamed.error);
  chat.note(`· The session is called “${visibleLine(renamed.value.name)}”.`);
}
