import { disclosureTools } from './call-tool.ts';
import { cancelTask, completeTask } from './control-tools.ts';
import type { Tool } from './define-tool.ts';
import { editFile } from './edit-file.ts';
import { grepSearch } from './grep-search.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { runCommand } from './run-command.ts';
import type { SessionServices } from './workspace-services.ts';
import { writeFile } from './write-file.ts';

/** The built-in tools, in the order in which the model sees them. */
export function builtInTools(): Tool<SessionServices>[] {
  const tools = [readFile, listDirectory, grepSearch, editFile, writeFile, runCommand, completeTask, cancelTask];
  return [
    ...tools,
    ...disclosureTools<SessionServices>(
      () => [],
      (tool) => tool.parameters,
    ),
  ];
}
