import type { CommandResults } from '@black-ide/protocol';
import { type CallSurroundings, type Judges, prepareCall } from '../loop/gather-facts.ts';
import type { Mode } from '../modes/mode.ts';
import { ToolRegistry } from '../tools/registry.ts';
import { runCommand } from '../tools/run-command.ts';
import type { SessionServices } from '../tools/workspace-services.ts';
import type { CommandJudge } from './command-judge.ts';
import { decide } from './decide.ts';

export interface CommandExplainerOptions {
  judges: Judges & { folderOf(folder: string | undefined): string };
  commands: CommandJudge;
  mode: Mode;
  around: CallSurroundings;
}

/** Says what the gate would do with a command line. It goes the very way of a model's call; only nothing runs. */
export class CommandExplainer {
  readonly #options: CommandExplainerOptions;
  readonly #registry = new ToolRegistry<SessionServices>([runCommand]);

  constructor(options: CommandExplainerOptions) {
    this.#options = options;
  }

  async explain(command: string, cwd?: string): Promise<Omit<CommandResults['explainCommand'], 'notes'>> {
    const { judges, commands, mode, around } = this.#options;
    const args = { command, ...(cwd === undefined ? {} : { cwd }) };
    const call = { type: 'toolCall' as const, id: 'explain', name: runCommand.name, arguments: args };
    const { facts } = await prepareCall(call, this.#registry, mode, judges, around);
    const { parts } = await commands.explain(command, judges.folderOf(cwd));
    return { decision: decide(facts), parts: parts.map(({ text, decision, why }) => ({ text, decision, why })) };
  }
}
