import { PROMPT_COMMANDS } from '@black-ide/protocol';
import type { Chat } from './chat.ts';
import { offeredCommands } from './offered-commands.ts';
import { KEYS, slashCommand } from './slash-commands.ts';

/** What a face does in its own way. */
export interface CommandFace {
  columns: number;
  pickSession(): void | Promise<void>;
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
  if (!offeredCommands().some((known) => known.name === name)) {
    chat.note(`There is no command /${name}. /help shows those there are.`, 'bad');
    return true;
  }
  switch (name) {
    case 'help':
      chat.note(helpText(face.columns));
      break;
    case 'model':
      if (argument) await chat.setModel(argument);
      else chat.note(await modelText(chat));
      break;
    case 'mode':
      if (argument) await chat.setMode(argument);
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
      chat.note(chat.costLines().join('\n'));
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
      await chat.settle(name, argument);
      break;
    case 'compact':
      await chat.compact(argument);
      break;
    case 'export':
      await chat.export(argument);
      break;
    case 'quit':
      face.quit();
      break;
  }
  return true;
}

function helpText(columns: number): string {
  const rows = [
    ...offeredCommands().map(({ name, takes, about }) => [`/${name}${takes ? ` ${takes}` : ''}`, about] as const),
    ...KEYS,
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  if (columns < width + 30) return rows.map(([left, right]) => `${left}\n  ${right}`).join('\n');
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`).join('\n');
}

async function modelText(chat: Chat): Promise<string> {
  const { models } = await chat.choices();
  const lines = [`The model is ${chat.status.model}. To change it: /model PROVIDER/MODEL`, ...models];
  return lines.join('\n');
}

async function modeText(chat: Chat): Promise<string> {
  const { modes } = await chat.choices();
  const rows = modes.map(({ name, description }) => `${name}: ${description}`);
  return [`The mode is ${chat.status.mode}. To change it: /mode MODE`, ...rows].join('\n');
}
