import { join } from 'node:path';
import type { FileOps } from '../../changes/file-ops.ts';
import { listStoreFolder } from '../../stores/store-folder.ts';
import { TREE_FOLDER } from '../leftovers.ts';
import { halvesOf } from '../restore/half-restores.ts';
import type { BlobStore } from './blob-store.ts';
import { CheckpointLedger, type LedgerEntry } from './checkpoint-ledger.ts';
import type { ManifestFile } from './manifest-file.ts';
import { blobsOf, type ChangeRecord } from './records.ts';
import { blobsOfTrees } from './tree-blobs.ts';

export interface CondenseOptions {
  folder: string;
  maxBytes: number;
  /** Milliseconds since the epoch. */
  now: number;
  manifest: ManifestFile;
  blobs: BlobStore;
  ops: FileOps;
}

export interface Condensed {
  /** Bytes before and after. */
  before: number;
  after: number;
  /** How many changes were dropped. */
  dropped: number;
  /** Bytes of what is never dropped, where that alone is more than is allowed. */
  neededOver?: number;
}

/** Another process may have stored a blob a moment ago that no line names yet. */
const YOUNG_MS = 10 * 60 * 1000;
/** Once it is at it, it makes some room, so that it need not begin again at the next change. */
const TARGET = 0.9;

/**
 * Brings the store below its cap (IDE-49): the oldest changes that are kept or restored go, a pending one never, nor the
 * newest undo of a session with what it has taken back: what it deleted is nowhere else. The new
 * manifest replaces the old one in one step; only then blobs go that nothing names. The caller holds the commit lock.
 */
export function condense(options: CondenseOptions): Condensed {
  const { folder, maxBytes, manifest, blobs } = options;
  const sizes = new Map(blobs.list().map(({ hash, size }) => [hash, size]));
  const manifestSize = manifest.size;
  const before = sum(sizes.values()) + manifestSize;
  const ledger = new CheckpointLedger(manifest);
  ledger.refresh();
  let kept = ledger.entries();
  let dropped = 0;
  if (before > maxBytes) {
    const count = kept.length;
    kept = withinCap(kept, sizes, maxBytes * TARGET, treeSize(folder, sizes));
    dropped = count - kept.length;
    manifest.replace(kept.map((entry) => condensedRecord(entry, kept)));
  }
  const neededBytes = neededBy(thatStay(kept), sizes);
  sweep(options, kept, before > maxBytes);
  const left = blobs.list();
  const after = sum(left.map(({ size }) => size)) + manifest.size;
  return { before, after, dropped, ...(neededBytes > maxBytes ? { neededOver: neededBytes } : {}) };
}

function withinCap(
  entries: readonly LedgerEntry[],
  sizes: ReadonlyMap<string, number>,
  target: number,
  treeBytes: number,
): LedgerEntry[] {
  const weight = ({ record }: LedgerEntry): number =>
    JSON.stringify(record).length + sum(blobsOf(record).map((hash) => sizes.get(hash) ?? 0));
  let total = treeBytes + sum(entries.map(weight));
  // The two steps of one restore mean nothing without each other.
  const secondOf = new Map(entries.map((entry) => [entry.record.clearedBy, entry]));
  const staying = new Set(thatStay(entries));
  const gone = new Set<LedgerEntry>();
  for (const entry of entries) {
    if (total <= target) break;
    const second = entry.record.clears ? secondOf.get(entry.record.id) : undefined;
    for (const each of second ? [entry, second] : [entry]) {
      if (staying.has(each) || gone.has(each)) continue;
      total -= weight(each);
      gone.add(each);
    }
  }
  return entries.filter((entry) => !gone.has(entry));
}

/** What is never dropped: pending changes, what redoing the newest undos needs, and halves that are to be taken back. */
function thatStay(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const needed = ofNewestRestores(entries);
  const halves = new Set(halvesOf(entries));
  return entries.filter((entry) => isPending(entry) || halves.has(entry) || needed.has(entry.record.id));
}

/** Bytes of the lines and of the blobs that changes need, each blob once. */
function neededBy(entries: readonly LedgerEntry[], sizes: ReadonlyMap<string, number>): number {
  const blobs = new Set(entries.flatMap(({ record }) => blobsOf(record)));
  return (
    sum(entries.map(({ record }) => JSON.stringify(record).length)) +
    sum([...blobs].map((hash) => sizes.get(hash) ?? 0))
  );
}

/** What redoing needs, of each session's newest undo. */
function ofNewestRestores(entries: readonly LedgerEntry[]): Set<string> {
  const newest = new Map<string, ChangeRecord>();
  for (const { record, redone } of entries) {
    const canBeRedone = record.kind === 'restore' && record.settles?.length !== 0 && !redone;
    if (canBeRedone) newest.set(record.sessionId, record);
  }
  return new Set(
    [...newest.values()].flatMap(({ id, clearedBy, settles = [] }) => [
      id,
      ...(clearedBy === undefined ? [] : [clearedBy]),
      ...settles.map(([settled]) => settled),
    ]),
  );
}

function isPending({ record, states }: LedgerEntry): boolean {
  return record.kind !== 'restore' && record.kind !== 'redo' && states.includes('pending');
}

/** A change with how it stands: what settled it may have been dropped. */
function condensedRecord(
  { record, states, previous, redone }: LedgerEntry,
  kept: readonly LedgerEntry[],
): ChangeRecord {
  const known = new Set(kept.map((entry) => entry.record.id));
  const pairs = (record.settles ?? []).map((ref, n) => [ref, previous[n] ?? 'pending'] as const);
  const left = pairs.filter(([[id]]) => known.has(id));
  return {
    ...record,
    states,
    ...(record.settles ? { settles: left.map(([ref]) => ref), previous: left.map(([, state]) => state) } : {}),
    ...(redone ? { redone } : {}),
  };
}

/** Removes the blobs that nothing names; with `hard` also what only serves to copy a file once. */
function sweep({ folder, now, blobs, ops }: CondenseOptions, kept: readonly LedgerEntry[], hard: boolean): void {
  if (hard) dropTrees(folder, ops);
  const needed = new Set(kept.flatMap(({ record }) => blobsOf(record)));
  for (const hash of blobsOfTrees(folder)) needed.add(hash);
  for (const { hash, usedAt } of blobs.list()) {
    if (!needed.has(hash) && now - usedAt > YOUNG_MS) blobs.remove(hash);
  }
}

/** Snapshots that no running command needs are only there to be fast. */
function dropTrees(folder: string, ops: FileOps): void {
  const trees = join(folder, TREE_FOLDER);
  for (const { name } of listStoreFolder(trees)) if (name === 'last.json') ops.unlink(join(trees, name));
}

function treeSize(folder: string, sizes: ReadonlyMap<string, number>): number {
  return sum([...blobsOfTrees(folder)].map((hash) => sizes.get(hash) ?? 0));
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
