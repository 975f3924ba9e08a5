import { ProcessTable } from '../stores/process-table.ts';
import { endRun } from './end-run.ts';
import { RunRecords } from './run-records.ts';
import { carriesMarker, runningProcess } from './running-processes.ts';

export interface SweptOrphans {
  /** Runs whose owner had died. */
  runs: number;
  /** Processes of theirs that were alive still and have been ended. */
  processes: number;
  /** Those that could not be ended. */
  survivors: number[];
}

/**
 * Ends what the commands of a dead process left running: one that was killed cannot do it itself. A process is touched
 * only where the boot is the same and the run's random marker is in its environment, or where it hangs below, or in the
 * session of, the run's shell and that has the recorded number, start time and marker.
 * @param stateFolder as given to `ProcessRegistry`.
 */
export async function sweepOrphans(
  stateFolder: string,
  table: ProcessTable = new ProcessTable(),
): Promise<SweptOrphans> {
  const records = new RunRecords(stateFolder, table);
  const swept: SweptOrphans = { runs: 0, processes: 0, survivors: [] };
  const { bootId } = table.self();
  for (const { owner, runId, pid, startTime } of records.read()) {
    if (table.isAlive(owner)) continue;
    swept.runs++;
    if (bootId !== undefined && owner.bootId === bootId) {
      const isShell = pid !== undefined && runningProcess(pid)?.startTime === startTime && carriesMarker(pid, runId);
      const { found, survivors } = await endRun({ runId, ...(isShell ? { pid, startTime: startTime! } : {}) });
      swept.processes += found;
      swept.survivors.push(...survivors);
    }
    records.remove(runId);
  }
  return swept;
}
