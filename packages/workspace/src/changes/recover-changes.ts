import { BlackError, type EngineError } from '@black-ide/protocol';
import { StepRunner } from './change-steps.ts';
import type { FileOps } from './file-ops.ts';
import { FolderHandles } from './folder-handles.ts';
import { abortJournal, type JournalContents, listJournals, parseJournal } from './journal-file.ts';
import { finishSteps, removeFolders, sweepLeftovers, takeBackSteps } from './settle-steps.ts';

/** What became of a change set whose process died in the middle of it. */
export interface RecoveredChange {
  /** What its maker said it was for, e.g. a tool call's id. */
  label: string | null;
  /**
   * `undone`: all files are old; `completed`: all are new; `stuck`: it can be neither finished nor taken back now, and is
   * tried again next time.
   */
  outcome: 'undone' | 'completed' | 'stuck';
  /** Real paths of the files that were to change. */
  files: string[];
  /** Those that somebody else has changed meanwhile, and which were left as they are. */
  conflicts: string[];
  /** With `stuck`. */
  error?: EngineError;
}

/**
 * Finishes or takes back what dead processes left in a journal folder. The caller holds the folder's lock. May itself be
 * killed at any point and run again.
 */
export function recoverJournals(
  ops: FileOps,
  folder: string,
  onUndone: (label: string | null) => void = () => undefined,
): RecoveredChange[] {
  return listJournals(ops, folder).map((path) => recoverJournal(ops, path, onUndone));
}

function recoverJournal(ops: FileOps, path: string, onUndone: (label: string | null) => void): RecoveredChange {
  const folders = new FolderHandles(ops);
  let contents: JournalContents | undefined;
  try {
    contents = parseJournal(ops.readText(path));
    const settled = settle(ops, folders, path, contents);
    if (settled.outcome === 'undone') onUndone(contents.label);
    ops.unlink(path);
    return { label: contents.label, ...settled, files: contents.files.map((file) => file.path) };
  } catch (error) {
    const files = contents?.files.map((file) => file.path) ?? [];
    return { label: contents?.label ?? null, outcome: 'stuck', files, conflicts: [], error: BlackError.toValue(error) };
  } finally {
    folders.dispose();
  }
}

function settle(
  ops: FileOps,
  folders: FolderHandles,
  path: string,
  contents: JournalContents,
): Pick<RecoveredChange, 'outcome' | 'conflicts'> {
  const { state, steps, files } = contents;
  const runner = new StepRunner(ops, folders);
  if (state === 'committed') {
    const { lost, conflicts } = finishSteps(runner, steps);
    if (!lost) {
      sweepLeftovers(runner, files);
      return { outcome: 'completed', conflicts };
    }
    abortJournal(ops, path, contents);
  }
  const conflicts = state === 'prepared' ? [] : takeBackSteps(runner, steps);
  sweepLeftovers(runner, files);
  removeFolders(ops, folders, contents.folders);
  return { outcome: 'undone', conflicts };
}
