import type { DebugRequest } from './adapters/adapter-world.ts';
import type { Debuggee } from './debugger.ts';

/**
 * The host port `debug`: a face that has debug adapters of its own, such as an editor with js-debug, offers them here.
 * What it does not take is debugged with ours, and so is what has to stay in the sandbox.
 */
export interface DebugHost {
  /** What it debugs of a request, or undefined. Its adapter speaks the Debug Adapter Protocol through `connect`. */
  debuggeeOf(request: DebugRequest): Promise<Debuggee | undefined>;
}
