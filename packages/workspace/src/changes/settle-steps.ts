import { basename, dirname } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import type { Step, StepRunner } from './change-steps.ts';
import type { FileOps } from './file-ops.ts';
import type { FolderHandles } from './folder-handles.ts';
import type { Leftover } from './journal-file.ts';

const GONE = new Set(['missing', 'not_a_folder', 'path_moved', 'ENOENT', 'ENOTDIR']);
const OCCUPIED = new Set(['ENOTEMPTY', 'EEXIST']);

/** Finishes all steps. `lost`: one of them cannot be finished any more, and those after it were left alone. */
export function finishSteps(runner: StepRunner, steps: readonly Step[]): { lost: boolean; conflicts: string[] } {
  const conflicts: string[] = [];
  for (const step of steps) {
    const outcome = unlessGone(() => runner.forward(step, steps));
    if (outcome === 'lost') return { lost: true, conflicts };
    if (outcome !== 'done') conflicts.push(step.path);
  }
  return { lost: false, conflicts };
}

/** Takes all steps back, the last one first; answers the targets that somebody else has changed or taken away. */
export function takeBackSteps(runner: StepRunner, steps: readonly Step[]): string[] {
  const outcomes = steps.toReversed().map((step) => [step.path, unlessGone(() => runner.back(step))] as const);
  return outcomes.filter(([, outcome]) => outcome !== 'done').map(([path]) => path);
}

/** Removes what steps left beside their targets. */
export function sweepLeftovers(runner: StepRunner, leftovers: readonly Leftover[]): void {
  for (const leftover of leftovers) unlessGone(() => runner.sweep(leftover));
}

/** Removes folders that a change set had made, innermost first, as far as they are empty. */
export function removeFolders(ops: FileOps, handles: FolderHandles, folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    unlessGone(() => {
      try {
        ops.rmdir(handles.at(dirname(folder), basename(folder)));
      } catch (error) {
        if (!OCCUPIED.has(errnoOf(error) ?? '')) throw error;
      }
    });
  }
}

/** Undefined where the file's folder is gone or has become another: then nothing of ours is left to settle there. */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    const code = error instanceof BlackError ? error.code : errnoOf(error);
    if (code !== undefined && GONE.has(code)) return undefined;
    throw error;
  }
}
