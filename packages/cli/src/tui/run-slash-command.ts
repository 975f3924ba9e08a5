import { PROMPT_COMMANDS } from '@black-ide/protocol';
import type { Chat } from './chat.ts';
import { offeredCommands } from './offered-commands.ts';
import { compact, exportSession, settleChanges, tellCost } from './session-commands.ts';
import { rename, stopCommand, tellCommands, tellStaged } from './side-commands.ts';
import { type KEYS, slashCommand } from './slash-commands.ts';

/** What a face does in its own way. */
export interface CommandFace {
  columns: number;
  /** The keys that do something in it, and what. */
  keys: typeof KEYS;
  pickSession(): void | Promise<void>;
  /** Lets the person choose from a list; undefined where the face has none. */
  pick: ((what: 'model' | 'mode') => Promise<void>) | undefined;
  details(): void;
  changes(): void | Promise<void>;
  quit(): void;
}

/** Carries out a `/command`; answers false where the text is none, but a message. */
export async function runSlashCommand(text: string, chat: Chat, face: CommandFace): Promise<boolean> {
  const command = slashCommand(text);
  if (!command) return false;
  const { name, argument } = command;
  // The engine's own: they are part of the message.
  if (PROMPT_COMMANDS.some((known) => known.name === name)) return false;
  const known = offeredCommands().find((each) => each.name === name);
  if (!known) {
    chat.note(`There is no command /${name}. /help shows those there are.`, 'bad');
    return true;
  }
  // What stands after it was meant as something; it must not get lost.
  if (argument && !known.takes) {
    chat.note(`/${name} takes nothing after it. Send a message on a line of its own.`, 'bad');
    return true;
  }
  switch (name) {
    case 'help':
      chat.note(helpText(face));
      break;
    case 'model':
      if (argument) await chat.settings.setModel(argument);
      else if (face.pick) await face.pick('model');
      else chat.note(await modelText(chat));
      break;
    case 'mode':
      if (argument) await chat.settings.setMode(argument);
      else if (face.pick) await face.pick('mode');
      else chat.note(await modeText(chat));
      break;
    case 'trust':
      if (!(await chat.askTrust())) chat.note('· This folder is trusted. To take that back: black trust --revoke');
      break;
    case 'resume':
      if (argument) await chat.openSession(argument);
      else await face.pickSession();
      break;
    case 'new':
      await chat.newSession();
      break;
    case 'cost':
      tellCost(chat);
      break;
    case 'ps':
      await tellCommands(chat);
      break;
    case 'stop':
      await stopCommand(chat, argument);
      break;
    case 'staged':
      await tellStaged(chat);
      break;
    case 'rename':
      await rename(chat, argument);
      break;
    case 'details':
      face.details();
      break;
    case 'changes':
      await face.changes();
      break;
    case 'undo':
    case 'redo':
    case 'keep':
      await settleChanges(chat, name, argument);
      break;
    case 'compact':
      await compact(chat, argument);
      break;
    case 'export':
      await exportSession(chat, argument);
      break;
    case 'quit':
      face.quit();
      break;
  }
  return true;
}

function helpText({ columns, keys }: CommandFace): string {
  const rows = [
    ...offeredCommands().map(
      ({ name, also, takes, about }) =>
        [`/${name}${also ? `, /${also}` : ''}${takes ? ` ${takes}` : ''}`, about] as const,
    ),
    ...keys,
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  if (columns < width + 30) return rows.map(([left, right]) => `${left}\n  ${right}`).join('\n');
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join('\n');
}

/** A list of hundreds is none that anybody reads. */
const LISTED = 20;

async function modelText(chat: Chat): Promise<string> {
  const { models } = await chat.settings.choices();
  const more = models.length - LISTED;
  return [
    `The model is ${chat.status.model}. To change it: /model PROVIDER/MODEL`,
    ...models.slice(0, LISTED),
    ...(more > 0 ? [`… and ${more} more: black models lists them all`] : []),
  ].join('\n');
}

async function modeText(chat: Chat): Promise<string> {
  const { modes } = await chat.settings.choices();
  const rows = modes.map(({ name, description }) => `${name}: ${description}`);
  return [`The mode is ${chat.status.mode}. To change it: /mode MODE`, ...rows].join('\n');
}
