import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMockModelServer,
  createTempWorkspace,
  type Script,
  startTerminal,
  type TempWorkspaceOptions,
  type TerminalOptions,
} from '@black-ide/testkit';

/** A terminal with `black` in a small workspace, answered by a script. */
export async function terminalStage(
  script: Script,
  workspaceOptions: TempWorkspaceOptions,
  options: Partial<TerminalOptions>,
) {
  const server = await createMockModelServer(script);
  const workspace = await createTempWorkspace(workspaceOptions);
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'black-tui-home-')));
  const start = (more: Partial<TerminalOptions> = {}) =>
    startTerminal({ args: [], cwd: workspace.path, home, modelServer: server, ...options, ...more });
  const shown = await start();
  return {
    server,
    workspace,
    home,
    /** Another `black` in the same workspace, with the same home. */
    again: start,
    shown,
    async [Symbol.asyncDispose]() {
      await shown[Symbol.asyncDispose]();
      await server.close();
      await workspace.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}
