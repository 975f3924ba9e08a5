import type { BackgroundCommand } from '@black-ide/protocol';
import { plainText } from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_CHARS = 30_000;
const MAX_WAIT_SECONDS = 60;

/** Reads what a background command has printed since the last reading. */
export const commandOutput = defineTool({
  name: 'command_output',
  description:
    'Reads new output of background commands. Without `id` it lists them; `wait_seconds` waits for output or the end.',
  access: 'read',
  rare: true,
  parameters: z.object({
    id: z.string().optional(),
    wait_seconds: z.number().min(0).max(MAX_WAIT_SECONDS).optional(),
  }),
  run: async ({ id, wait_seconds = 0 }, { services, signal }: ToolContext<SessionServices>) => {
    if (id === undefined) {
      const commands = services.background.list();
      const lines = commands.map((command) => `${command.id}\t${stateText(command)}\t${command.command}`);
      return textResult(lines.join('\n') || '[no background commands]', { kind: 'background', commands });
    }
    const { text, dropped, left, command } = await services.background.read(id, {
      maxChars: MAX_CHARS,
      waitMs: wait_seconds * 1000,
      signal,
    });
    const report = await services.watches.look(id, command.state !== 'running');
    const notes = [
      dropped > 0 ? `[${dropped} characters before were not kept; let the command write to a file to keep all]` : '',
      plainText(text).trimEnd(),
      left > 0 ? `[${left} more characters; read again]` : '',
      `[${id}: ${stateText(command)}]`,
    ];
    const details = { kind: 'background', commands: [command], ...report };
    return textResult(notes.filter((note) => note !== '').join('\n'), details);
  },
});

/** Ends a background command. */
export const stopCommand = defineTool({
  name: 'stop_command',
  description: 'Ends a background command with all it started.',
  access: 'control',
  rare: true,
  steers: true,
  parameters: z.object({ id: z.string() }),
  run: async ({ id }, { services }: ToolContext<SessionServices>) => {
    const command = await services.background.stop(id);
    const report = await services.watches.look(id, true);
    return textResult(`[${id}: ${stateText(command)}]`, { kind: 'background', commands: [command], ...report });
  },
});

function stateText({ state, exitCode }: BackgroundCommand): string {
  return state === 'exited' && exitCode !== null
    ? `exit code ${exitCode}`
    : state === 'exited'
      ? 'ended by a signal'
      : state;
}
