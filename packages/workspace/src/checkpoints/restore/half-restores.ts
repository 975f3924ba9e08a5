import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { FileOps } from '../../changes/file-ops.ts';
import { listStoreFolder, makeStoreFolder } from '../../stores/store-folder.ts';
import { HALF_SUFFIX, TREE_FOLDER } from '../leftovers.ts';
import type { LedgerEntry } from '../store/checkpoint-ledger.ts';

/** The first steps of restores whose second step did not come about, the newest first. */
export function halvesOf(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const used = new Set(entries.map(({ record }) => record.clearedBy));
  return entries.filter(({ record, redone }) => record.clears && !redone && !used.has(record.id)).reverse();
}

/** Files by which a start knows that a restore of two steps is under way, or was when its process was killed. */
export class HalfMarks {
  readonly #folder: string;
  readonly #ops: FileOps;

  /** @param folder that of the checkpoints */
  constructor(folder: string, ops: FileOps) {
    this.#folder = join(folder, TREE_FOLDER);
    this.#ops = ops;
  }

  /** @returns takes the mark away */
  set(): () => void {
    makeStoreFolder(this.#folder);
    const path = join(this.#folder, randomBytes(8).toString('hex') + HALF_SUFFIX);
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    this.#ops.close(this.#ops.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600));
    return () => this.#ops.unlink(path);
  }

  /** @returns takes those away that are there now */
  found(): () => void {
    const names = listStoreFolder(this.#folder).flatMap(({ name }) => (name.endsWith(HALF_SUFFIX) ? [name] : []));
    return () => {
      for (const name of names) this.#ops.unlink(join(this.#folder, name));
    };
  }
}
