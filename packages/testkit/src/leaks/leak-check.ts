import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses } from './process-table.ts';

export interface LeakCheckOptions {
  /** `NAME=value`: processes with this in their environment count wherever they hang, daemons too. */
  marker?: string;
  /** A folder in which nothing new may stay: the temporary folder given to the process under test. */
  tempFolder?: string;
  /** How long leftovers may take to go. Default 2,000 ms. */
  graceMs?: number;
}

export interface LeakCheck {
  /** What is there now and was not at the start, one line each. */
  leftovers(): string[];
  /** Resolves as soon as nothing is left over; throws with the list when something stays. */
  expectNoLeaks(): Promise<void>;
}

/** Resources that hold a process open because somebody forgot them; timers are the test runner's business too. */
const COUNTED_RESOURCES = [
  'TCPSocketWrap',
  'TCPServerWrap',
  'TCPConnectWrap',
  'PipeWrap',
  'PipeServerWrap',
  'ProcessWrap',
  'FSEventWrap',
  'StatWatcher',
  'UDPWrap',
  'Worker',
];
const POLL_MS = 10;
const DEFAULT_GRACE = 2_000;

interface Picture {
  processes: Map<string, string>;
  resources: Map<string, number>;
  folders: Set<string>;
}

/** Takes a picture of child processes, open handles and a temporary folder, to compare with later. */
export function leakCheck(options: LeakCheckOptions = {}): LeakCheck {
  const folder = options.tempFolder;
  const take = (): Picture => {
    const resources = new Map<string, number>();
    for (const name of process.getActiveResourcesInfo()) {
      if (COUNTED_RESOURCES.includes(name)) resources.set(name, (resources.get(name) ?? 0) + 1);
    }
    const found = findProcesses(process.pid, options.marker);
    return {
      processes: new Map(
        found.map((entry) => [`${entry.pid}/${entry.startTime}`, `process ${entry.pid}: ${entry.command}`]),
      ),
      resources,
      folders: new Set(folder === undefined ? [] : readdirSync(folder)),
    };
  };
  const before = take();
  const leftovers = (): string[] => {
    const now = take();
    const processes = [...now.processes].filter(([key]) => !before.processes.has(key)).map(([, line]) => line);
    const folders = [...now.folders].filter((name) => !before.folders.has(name)).map((name) => `temporary ${name}`);
    const resources = [...now.resources]
      .map(([name, count]) => ({ name, more: count - (before.resources.get(name) ?? 0) }))
      .filter(({ more }) => more > 0)
      .map(({ name, more }) => `${more} × ${name}`);
    return [...processes, ...resources, ...folders];
  };
  return {
    leftovers,
    expectNoLeaks: async () => {
      const deadline = performance.now() + (options.graceMs ?? DEFAULT_GRACE);
      let left = leftovers();
      while (left.length > 0 && performance.now() < deadline) {
        await delay(POLL_MS);
        left = leftovers();
      }
      if (left.length > 0) throw new Error(`Left over:\n${left.map((line) => `  ${line}`).join('\n')}`);
    },
  };
}
