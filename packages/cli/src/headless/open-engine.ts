import type { AskPolicy, Engine } from '@black-ide/engine';
import { prepareStateHome, stateHome, temporaryHome } from '@black-ide/workspace';
import { CliFailure } from '../failure.ts';
import { type Io, warn } from '../io.ts';
import { workingFolder } from './working-folder.ts';

export interface OpenedEngine {
  engine: Engine;
  /** The folder it works in. */
  cwd: string;
  /** The state folder, or one for this process alone. */
  home: string;
  /** Whether sessions go to disk. */
  saved: boolean;
  /** Ends the engine and removes what was temporary; comes back even if something inside hangs. */
  dispose(): Promise<void>;
}

/** How long an engine may take to end its processes, in milliseconds. */
const DISPOSE_MS = 5_000;

export interface OpenOptions {
  face: string;
  asks: AskPolicy;
  autoApprove?: boolean;
  /** The folder is trusted for this run. */
  trust?: boolean;
  /** The face stays for long: changed files of modes are noticed. */
  watch?: boolean;
  approvePlan?: boolean;
  /** The command is about sessions on disk: where the state folder cannot be written, memory is no help. */
  needsHome: boolean;
  /** Serves where the working folder is gone and does not matter. */
  anywhere?: boolean;
  /** Works in this folder instead of the working one. */
  cwd?: string;
}

/**
 * An engine for the working folder. Where the state folder cannot be written and `needsHome` is false, sessions are
 * kept in memory and a line on stderr says so. Throws a CliFailure when the working folder or the needed home is gone.
 */
export async function openEngine(io: Io, options: OpenOptions): Promise<OpenedEngine> {
  const { world } = io;
  const cwd = options.cwd ?? folderOf(io, options.anywhere === true);
  const home = stateHome({ env: world.env, cwd, platform: world.platform });
  if (options.needsHome && !home) throw new CliFailure(NO_HOME);
  const problem = options.needsHome ? undefined : home ? prepareStateHome(home) : NO_HOME;
  if (problem) {
    warn(io, `This session is not saved. ${problem.message}`);
    io.err.line(`       ${NO_HOME.next}`);
  }
  const temporary = problem ? temporaryHome() : undefined;
  const path = temporary?.path ?? home!;
  const { createEngine } = await world.loadEngine();
  const engine = createEngine({
    cwd,
    home: path,
    env: world.env,
    face: options.face,
    asks: options.asks,
    autoApprove: options.autoApprove === true,
    trust: options.trust === true,
    watch: options.watch === true,
    approvePlan: options.approvePlan === true,
    inMemory: problem !== undefined,
  });
  return {
    engine,
    cwd,
    home: path,
    saved: !problem,
    dispose: async () => {
      const patience = new AbortController();
      const tooLong = world.clock.sleep(DISPOSE_MS, patience.signal).catch(() => undefined);
      await Promise.race([engine.dispose(), tooLong]);
      patience.abort();
      temporary?.dispose();
    },
  };
}

const NO_HOME = {
  code: 'no_home',
  message: 'There is no home folder to keep sessions in.',
  next: 'Set BLACKIDE_HOME to a folder that can be written.',
};

/** The working folder; one that always exists where it was deleted under the shell and does not matter. */
function folderOf({ world }: Io, anywhere: boolean): string {
  try {
    return workingFolder(world);
  } catch (cause) {
    if (anywhere) return world.platform === 'win32' ? 'C:\\' : '/';
    throw cause;
  }
}
