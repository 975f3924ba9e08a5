import { applyPatch } from './apply-patch.ts';
import { askUser } from './ask-user.ts';
import { astEdit } from './ast-edit.ts';
import { astGrep } from './ast-grep.ts';
import { commandOutput, stopCommand } from './background-tools.ts';
import { callTool, describeTool } from './call-tool.ts';
import { codeGraph } from './code-graph.ts';
import { codebaseSearch } from './codebase-search.ts';
import { cancelTask, completeTask } from './control-tools.ts';
import { createArtifact } from './create-artifact.ts';
import { debug } from './debug.ts';
import type { Tool } from './define-tool.ts';
import { editFile } from './edit-file.ts';
import { grepSearch } from './grep-search.ts';
import { listDirectory } from './list-directory.ts';
import { lsp } from './lsp.ts';
import { readFile } from './read-file.ts';
import { remember } from './remember.ts';
import { resolve } from './resolve.ts';
import { runCommand } from './run-command.ts';
import { updatePlan } from './update-plan.ts';
import { webFetch } from './web-fetch.ts';
import { webSearch } from './web-search.ts';
import type { SessionServices } from './workspace-services.ts';
import { writeFile } from './write-file.ts';

/** The built-in tools, in the order in which the model sees them. */
export function builtInTools(): Tool<SessionServices>[] {
  const looking = [readFile, listDirectory, grepSearch, codebaseSearch, codeGraph];
  const changing = [editFile, writeFile, applyPatch, runCommand];
  const steering = [updatePlan, askUser, completeTask, cancelTask];
  const rare = [
    lsp,
    createArtifact,
    commandOutput,
    stopCommand,
    debug,
    webSearch,
    webFetch,
    remember,
    astGrep,
    astEdit,
    resolve,
  ];
  return [
    ...looking,
    ...changing,
    ...steering,
    callTool as Tool<SessionServices>,
    describeTool as Tool<SessionServices>,
    ...rare,
  ];
}
