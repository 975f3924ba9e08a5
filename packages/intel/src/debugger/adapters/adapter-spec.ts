import type { StartedAdapter } from '../connection.ts';
import type { AdapterManners } from '../session-member.ts';
import type { AdapterWorld, DebugRequest } from './adapter-world.ts';
import type { PlainCommand } from './command-words.ts';

export type AdapterId = 'node' | 'debugpy' | 'delve' | 'lldb-dap' | 'gdb';

export interface AdapterSearch {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Programs of the folder itself may be run. */
  trusted: boolean;
}

/**
 * All that is known of one debug adapter: where it belongs, what it debugs and how it is started. What starting it needs is
 * loaded then: whoever only asks which adapters there are pays nothing for it.
 */
export interface AdapterSpec extends AdapterManners {
  id: AdapterId;
  /** The adapter, for people. */
  title: string;
  /** What it debugs, for people. */
  languages: string;
  /** Names of files in the workspace's folder, or `*.ending`, that make it worth offering. */
  markers: readonly string[];
  /** The command that brings it, or where it is described. */
  get: string;
  /** Its program, or what stands for it; undefined where it is not there. Nothing is run. */
  find(search: AdapterSearch): string | undefined;
  /** Whether this is a command that it debugs; undefined: one that only a shell understands. */
  fits(command: PlainCommand | undefined, isBinary: () => boolean): boolean;
  /**
   * Starts it for a request.
   * @param program what `find` found
   * @throws BlackError where it, or the program that is to be debugged, cannot be started
   */
  start(request: DebugRequest, program: string, world: AdapterWorld): Promise<StartedAdapter>;
}
