import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@black-ide/protocol';
import { type ProcessIdentity, ProcessTable } from '../stores/process-table.ts';
import { listStoreFolder, makeStoreFolder } from '../stores/store-folder.ts';
import { writeFileAtomic } from '../stores/write-file-atomic.ts';
import type { RunMarks } from './running-processes.ts';

/** A run as its file tells it. */
export interface RunRecord extends RunMarks {
  /** The process that started it and ends it, while it lives. */
  owner: ProcessIdentity;
}

const SUFFIX = '.run.json';
const NAME = /^([0-9a-f]{32})\.run\.json$/;

/**
 * Which commands run now, on disk: one small file a run, written before its first process starts and removed after its
 * last has ended. What a dead owner left there is found at the next start.
 */
export class RunRecords {
  readonly #folder: string;
  readonly #owner: ProcessIdentity;

  /** @param stateFolder the records lie in `processes/` below it. */
  constructor(stateFolder: string, table: ProcessTable = new ProcessTable()) {
    this.#folder = join(stateFolder, 'processes');
    this.#owner = table.self();
  }

  /** @throws the system's error. */
  write(run: RunMarks): void {
    makeStoreFolder(this.#folder);
    const record: RunRecord = { ...run, owner: this.#owner };
    writeFileAtomic(this.#path(run.runId), `${JSON.stringify(record)}\n`);
  }

  /** Where what belongs to the run alone may lie. It goes with the record. */
  folderOf(runId: string): string {
    return join(this.#folder, `${runId}.d`);
  }

  /** @throws the system's error. */
  remove(runId: string): void {
    rmSync(this.folderOf(runId), { recursive: true, force: true });
    rmSync(this.#path(runId), { force: true });
  }

  /** All records; a file that nobody alive can have written is removed. */
  read(): RunRecord[] {
    const records: RunRecord[] = [];
    for (const { name } of listStoreFolder(this.#folder)) {
      const runId = NAME.exec(name)?.[1];
      if (runId === undefined) continue;
      const record = this.#readOne(runId);
      if (record) records.push(record);
      else this.remove(runId);
    }
    return records;
  }

  #readOne(runId: string): RunRecord | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path(runId), 'utf8'));
      if (!isRecord(value) || value.runId !== runId || !isRecord(value.owner)) return undefined;
      return typeof value.owner.pid === 'number' ? (value as unknown as RunRecord) : undefined;
    } catch {
      // Gone meanwhile, or not JSON: no living owner's, whose files are complete before they come under this name.
      return undefined;
    }
  }

  #path(runId: string): string {
    return join(this.#folder, runId + SUFFIX);
  }
}
