import { resolve } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { type Documents, isBinaryProgram } from '@black-ide/workspace';
import type { Debuggee } from '../debugger.ts';
import type { AdapterId, AdapterSearch, AdapterSpec } from './adapter-spec.ts';
import type { AdapterWorld, DebugRequest } from './adapter-world.ts';
import { plainCommand } from './command-words.ts';
import { DEBUGPY } from './debugpy.ts';
import { DELVE } from './delve.ts';
import { GDB, LLDB_DAP } from './native.ts';
import { NODE } from './node.ts';

/** The debug adapters there are; of those that debug the same the better one stands first. */
const DEBUG_ADAPTERS: readonly AdapterSpec[] = [NODE, DEBUGPY, DELVE, LLDB_DAP, GDB];

/** What can be debugged in a workspace with an adapter, and what is missing for the rest. */
export interface AdapterSurvey {
  usable: { spec: AdapterSpec; program: string }[];
  missing: AdapterSpec[];
}

/** Which adapters are there, whatever lies in the workspace. Nothing is run. */
export function findAdapters(search: AdapterSearch): AdapterSurvey {
  const found = DEBUG_ADAPTERS.map((spec) => ({ spec, program: spec.find(search) }));
  return {
    usable: found.flatMap(({ spec, program }) => (program === undefined ? [] : [{ spec, program }])),
    missing: found.flatMap(({ spec, program }) => (program === undefined ? [spec] : [])),
  };
}

/**
 * Whether there is something to debug and an adapter for it (INT-20): looks at the names in the workspace's folder and
 * the ones right below.
 */
export async function canDebug(search: AdapterSearch, documents: Pick<Documents, 'list'>): Promise<boolean> {
  const names = async (folder: string) => {
    const listed = await documents.list(folder, { limit: 1_000 });
    return listed.ok ? listed.entries : [];
  };
  const top = await names(search.root);
  const folders = top.filter(({ kind, name }) => kind === 'folder' && !/^(\.|node_modules$)/.test(name)).slice(0, 50);
  const below = await Promise.all(folders.map(({ name }) => names(resolve(search.root, name))));
  const all = [top, ...below].flat().map(({ name }) => name);
  return DEBUG_ADAPTERS.some(({ markers, find }) => {
    const isMarked = markers.some((marker) =>
      marker.startsWith('*') ? all.some((name) => name.endsWith(marker.slice(1))) : all.includes(marker),
    );
    return isMarked && find(search) !== undefined;
  });
}

/**
 * What a request debugs, with the adapter that fits it.
 * @param wanted the adapter, where it is named; else the first that fits the command. What is no one's runs with Node's:
 *   it finds Node wherever a command starts it.
 * @throws BlackError `no_adapter` with what is missing
 */
export function debuggeeOf(
  request: DebugRequest,
  wanted: AdapterId | undefined,
  search: AdapterSearch,
  world: AdapterWorld,
): Debuggee {
  const fitting = wanted === undefined ? fittingAdapters(request) : DEBUG_ADAPTERS.filter(({ id }) => id === wanted);
  for (const spec of fitting) {
    const program = spec.find(search);
    if (program === undefined) continue;
    return {
      title: titleOf(request),
      cwd: request.cwd,
      manners: spec,
      start: () => spec.start(request, program, world),
    };
  }
  const [first] = fitting;
  throw new BlackError('no_adapter', `No debugger for ${first!.languages} was found.`, `Get one: ${first!.get}`);
}

function fittingAdapters(request: DebugRequest): readonly AdapterSpec[] {
  if (request.kind === 'attach') return 'port' in request.to ? [NODE] : [LLDB_DAP, GDB];
  const command = plainCommand(request.command);
  const isBinary = (): boolean =>
    command?.program.includes('/') === true && isBinaryProgram(resolve(request.cwd, command.program));
  const fitting = DEBUG_ADAPTERS.filter((spec) => spec.fits(command, isBinary));
  return fitting.length > 0 ? fitting : [NODE];
}

function titleOf(request: DebugRequest): string {
  if (request.kind === 'launch') return request.command;
  return 'port' in request.to ? `the program behind port ${request.to.port}` : `the process ${request.to.pid}`;
}
