import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { FoundConfiguration } from '@black-ide/protocol';
import { BlackError } from '@black-ide/protocol';
import { findConfiguration, realPathOf, stateHome, TrustStore } from '@black-ide/workspace';
import type { TrustInvocation } from '../args/parse-invocation.ts';
import { CliFailure, EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black trust`: gives and takes the trust in a folder, and tells what of a folder is read only with it (IDE-67). */
export async function trust({ folder, does, json }: TrustInvocation, io: Io): Promise<number> {
  const store = storeOf(io);
  try {
    if (does === 'list') return list(store, json, io);
    const path = absolute(folder, io);
    switch (does) {
      case 'trust':
        await store.add(path);
        break;
      case 'revoke':
        if (!(await store.remove(path))) {
          const message = `${visibleLine(path)} was not trusted.`;
          throw new CliFailure({ code: 'not_trusted', message, next: 'black trust --list lists the trusted folders.' });
        }
        break;
    }
    return await show(path, store.has(path), json, io);
  } catch (error) {
    // What the store refuses is the person's business, not a fault inside.
    throw error instanceof BlackError && !(error instanceof CliFailure) ? new CliFailure(error) : error;
  }
}

function list(store: TrustStore, json: boolean, io: Io): number {
  const folders = store.list();
  if (json) io.out.line(JSON.stringify({ folders }, undefined, 2));
  else for (const { folder, since } of folders) io.out.line(`${visibleLine(folder)}  (since ${since.slice(0, 10)})`);
  if (!json && folders.length === 0) io.err.line('No folder is trusted. black trust trusts this one.');
  return EXIT.done;
}

/** How the folder stands, and what in it is ignored, or read now. */
async function show(path: string, trusted: boolean, json: boolean, io: Io): Promise<number> {
  const folder = realPathOf(path);
  const found = await findConfiguration(folder);
  if (json) {
    io.out.line(JSON.stringify({ folder, trusted, ...(trusted ? { read: found } : { ignored: found }) }, undefined, 2));
    return EXIT.done;
  }
  io.out.line(
    trusted
      ? `${visibleLine(folder)} is trusted: the agent may change it and run commands in it.`
      : `${visibleLine(folder)} is not trusted: the agent only reads it, and nothing in it is read as configuration.`,
  );
  print(
    trusted ? 'Read as configuration:' : 'Ignored:',
    found.filter(({ ours }) => ours),
    io,
  );
  print(
    'For other programs, never read by us:',
    found.filter(({ ours }) => !ours),
    io,
  );
  return EXIT.done;
}

function print(title: string, found: readonly FoundConfiguration[], io: Io): void {
  if (found.length === 0) return;
  io.out.line(title);
  for (const { path, what } of found) io.out.line(`  ${visibleLine(path)}  (${what})`);
}

function storeOf({ world }: Io): TrustStore {
  const home = stateHome({ env: world.env, cwd: workingFolder(world), platform: world.platform });
  if (home) {
    const userHome = world.env.HOME ?? world.env.USERPROFILE;
    return new TrustStore({ home, now: () => world.clock.now(), ...(userHome ? { userHome } : {}) });
  }
  throw new CliFailure({
    code: 'no_home',
    message: 'There is no home folder to keep trust in.',
    next: 'Set BLACKIDE_HOME, or use --trust for one run.',
  });
}

function absolute(folder: string | undefined, { world }: Io): string {
  const tail = /^~(?:[/\\](.*))?$/.exec(folder ?? '');
  if (tail) return join(world.env.HOME ?? homedir(), tail[1] ?? '');
  return folder !== undefined && isAbsolute(folder) ? folder : join(workingFolder(world), folder ?? '');
}

function workingFolder(world: Io['world']): string {
  try {
    return world.cwd();
  } catch {
    throw new CliFailure({
      code: 'no_working_folder',
      message: 'The working folder no longer exists.',
      next: 'Name the folder: black trust FOLDER.',
    });
  }
}
