import { parseCommand } from '@black-ide/protocol';
import { SLASH_COMMANDS, type SlashCommand } from './slash-commands.ts';

/** The commands of the prompt that this engine can carry out. */
export function offeredCommands(): SlashCommand[] {
  return SLASH_COMMANDS.filter(({ needs }) => needs === undefined || isOffered(needs));
}

function isOffered(type: string): boolean {
  const parsed = parseCommand({ type });
  return parsed.ok || parsed.error.code !== 'unknown_command';
}
