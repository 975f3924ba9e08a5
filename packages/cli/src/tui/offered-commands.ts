import { PROMPT_COMMANDS, parseCommand } from '@black-ide/protocol';
import { SLASH_COMMANDS, type SlashCommand } from './slash-commands.ts';

/** The commands of the prompt: those that are part of a message, and those that this engine can carry out. */
export function offeredCommands(): SlashCommand[] {
  const own = SLASH_COMMANDS.filter(({ needs }) => needs === undefined || isOffered(needs));
  return [...PROMPT_COMMANDS.map(({ name, about }) => ({ name, about, takes: 'TEXT' })), ...own];
}

function isOffered(type: string): boolean {
  const parsed = parseCommand({ type });
  return parsed.ok || parsed.error.code !== 'unknown_command';
}
