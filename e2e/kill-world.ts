import {
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  type TempWorkspace,
  type Turn,
} from '@black-ide/testkit';

/** What a run that is killed works in. */
export interface KillWorld {
  server: MockModelServer;
  home: TempWorkspace;
  workspace: TempWorkspace;
}

/** A script whose turns are counted by the answers in the request: a resumed run gets the one its conversation is at. */
export async function setUpKillWorld(turns: Turn[], files: Record<string, string>): Promise<KillWorld> {
  return {
    server: await createMockModelServer({ match: 'conversation', turns, fallback: { text: 'all done' } }),
    home: await createTempWorkspace({}),
    workspace: await createTempWorkspace({ files }),
  };
}

export async function tearDownKillWorld({ server, home, workspace }: KillWorld): Promise<void> {
  await server.close();
  await home[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
}
